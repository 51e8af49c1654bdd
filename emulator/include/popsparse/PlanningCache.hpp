#ifndef popsparse_PlanningCache_hpp
#define popsparse_PlanningCache_hpp

#include <memory>

namespace poplin {
class PlanningCache;
}  // namespace poplin

namespace popsparse {

// Plans here take no time, so that there is nothing to keep.

namespace dynamic {

class PlanningCacheImpl;

class PlanningCache {
 public:
  PlanningCache();
  PlanningCache(poplin::PlanningCache* planningCache);
  ~PlanningCache();
  std::unique_ptr<PlanningCacheImpl> impl;
};

}  // namespace dynamic

namespace static_ {

class PlanningCacheImpl;

class PlanningCache {
 public:
  PlanningCache();
  PlanningCache(poplin::PlanningCache* planningCache);
  ~PlanningCache();
  std::unique_ptr<PlanningCacheImpl> impl;
};

}  // namespace static_
}  // namespace popsparse

#endif  // popsparse_PlanningCache_hpp
