#ifndef popart_tensordebuginfo_hpp
#define popart_tensordebuginfo_hpp

#include <popart/debugcontext.hpp>
#include <popart/names.hpp>
#include <popart/tensorinfo.hpp>

namespace popart {

/// What debugging knows of a tensor: its name.
class TensorDebugInfo : public DebugInfo {
 public:
  TensorDebugInfo(const DebugContext& debugContext, const TensorId& id, const TensorInfo&)
      : DebugInfo(debugContext, "popart"), id_(id) {}
  TensorDebugInfo(const DebugContext& debugContext, const TensorId& id)
      : DebugInfo(debugContext, "popart"), id_(id) {}
  const TensorId& getTensorId() const { return id_; }

 private:
  TensorId id_;
};

}  // namespace popart

#endif  // popart_tensordebuginfo_hpp
