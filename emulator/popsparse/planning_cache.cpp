#include <popsparse/PlanningCache.hpp>

namespace popsparse {
namespace dynamic {

class PlanningCacheImpl {};

PlanningCache::PlanningCache() = default;
PlanningCache::PlanningCache(poplin::PlanningCache*) {}
PlanningCache::~PlanningCache() = default;

}  // namespace dynamic

namespace static_ {

class PlanningCacheImpl {};

PlanningCache::PlanningCache() = default;
PlanningCache::PlanningCache(poplin::PlanningCache*) {}
PlanningCache::~PlanningCache() = default;

}  // namespace static_
}  // namespace popsparse
