#ifndef popart_op_autolossscaleproxy_hpp
#define popart_op_autolossscaleproxy_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class AutoLossScaleProxyOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit AutoLossScaleProxyOp(const Args&...)
      : ElementWiseUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::AutoLossScaleProxyOp"),
            emulator::absent<const Op::Settings>("popart::AutoLossScaleProxyOp")) {}
};

class AutoLossScaleProxyGradOp : public AutoLossScaleProxyOp {
 public:
  template <class... Args>
  explicit AutoLossScaleProxyGradOp(const Args&...)
      : AutoLossScaleProxyOp(
            emulator::absent<const OperatorIdentifier>("popart::AutoLossScaleProxyGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_autolossscaleproxy_hpp
