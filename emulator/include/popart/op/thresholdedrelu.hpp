#ifndef popart_op_thresholdedrelu_hpp
#define popart_op_thresholdedrelu_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ThresholdedReluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ThresholdedReluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ThresholdedReluOp"),
                           emulator::absent<const Op::Settings>("popart::ThresholdedReluOp")) {}
  float getAlpha() const { emulator::missing("popart::ThresholdedReluOp::getAlpha"); }
};

class ThresholdedReluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ThresholdedReluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ThresholdedReluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ThresholdedReluInplaceOp")) {}
  float getAlpha() const { emulator::missing("popart::ThresholdedReluInplaceOp::getAlpha"); }
};

class ThresholdedReluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit ThresholdedReluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::ThresholdedReluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::ThresholdedReluGradOp")) {}
  float getAlpha() const { emulator::missing("popart::ThresholdedReluGradOp::getAlpha"); }
};

}  // namespace popart

#endif  // popart_op_thresholdedrelu_hpp
