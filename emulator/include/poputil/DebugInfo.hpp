#ifndef poputil_DebugInfo_hpp
#define poputil_DebugInfo_hpp

#include <poplar/DebugContext.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <vector>

// The record of a library function's calls: only the path of names. Arguments are taken as in
// the SDK and not stored.

namespace poputil {

struct ArgType {};

class OpDebugInfo : public poplar::DebugInfo {
 public:
  OpDebugInfo(const poplar::DebugContext& debugContext, std::string api)
      : poplar::DebugInfo(debugContext, api) {}
};

class PoplibsOpDebugInfo : public OpDebugInfo {
 public:
  PoplibsOpDebugInfo(const poplar::DebugContext& debugContext,
                     const std::vector<ArgType>& = std::vector<ArgType>(),
                     const std::string& api = __builtin_FUNCTION())
      : OpDebugInfo(debugContext, api) {}
  void addOutputs(const std::vector<ArgType>&) {}
  void addOutput(const poplar::Tensor&) {}
};

}  // namespace poputil

#define DI_ARGS(...) \
  {                  \
  }

#endif  // poputil_DebugInfo_hpp
