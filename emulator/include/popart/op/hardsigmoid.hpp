#ifndef popart_op_hardsigmoid_hpp
#define popart_op_hardsigmoid_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class HardSigmoidOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit HardSigmoidOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::HardSigmoidOp"),
                           emulator::absent<const Op::Settings>("popart::HardSigmoidOp")) {}
};

class HardSigmoidInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit HardSigmoidInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::HardSigmoidInplaceOp"),
            emulator::absent<const Op::Settings>("popart::HardSigmoidInplaceOp")) {}
};

class HardSigmoidGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit HardSigmoidGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::HardSigmoidGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::HardSigmoidGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_hardsigmoid_hpp
