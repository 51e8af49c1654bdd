#ifndef popart_op_hardsigmoid_hpp
#define popart_op_hardsigmoid_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class HardSigmoidOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit HardSigmoidOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::HardSigmoidOp"),
                           emulator::absent<const Op::Settings>("popart::HardSigmoidOp")) {}
  float getAlpha() const { emulator::missing("popart::HardSigmoidOp::getAlpha"); }
  float getBeta() const { emulator::missing("popart::HardSigmoidOp::getBeta"); }
};

class HardSigmoidInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit HardSigmoidInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::HardSigmoidInplaceOp"),
            emulator::absent<const Op::Settings>("popart::HardSigmoidInplaceOp")) {}
  float getAlpha() const { emulator::missing("popart::HardSigmoidInplaceOp::getAlpha"); }
  float getBeta() const { emulator::missing("popart::HardSigmoidInplaceOp::getBeta"); }
};

class HardSigmoidGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit HardSigmoidGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::HardSigmoidGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::HardSigmoidGradOp")) {}
  float getAlpha() const { emulator::missing("popart::HardSigmoidGradOp::getAlpha"); }
  float getBeta() const { emulator::missing("popart::HardSigmoidGradOp::getBeta"); }
};

}  // namespace popart

#endif  // popart_op_hardsigmoid_hpp
