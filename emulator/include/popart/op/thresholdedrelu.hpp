#ifndef popart_op_thresholdedrelu_hpp
#define popart_op_thresholdedrelu_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class ThresholdedReluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ThresholdedReluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ThresholdedReluOp"),
                           emulator::absent<const Op::Settings>("popart::ThresholdedReluOp")) {}
};

class ThresholdedReluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ThresholdedReluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ThresholdedReluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ThresholdedReluInplaceOp")) {}
};

class ThresholdedReluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit ThresholdedReluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::ThresholdedReluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::ThresholdedReluGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_thresholdedrelu_hpp
