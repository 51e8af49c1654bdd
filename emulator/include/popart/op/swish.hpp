#ifndef popart_op_swish_hpp
#define popart_op_swish_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SwishOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SwishOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SwishOp"),
                           emulator::absent<const Op::Settings>("popart::SwishOp")) {}
};

class SwishInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SwishInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SwishInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SwishInplaceOp")) {}
};

class SwishGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit SwishGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::SwishGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::SwishGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_swish_hpp
