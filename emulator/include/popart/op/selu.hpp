#ifndef popart_op_selu_hpp
#define popart_op_selu_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SeluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SeluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SeluOp"),
                           emulator::absent<const Op::Settings>("popart::SeluOp")) {}
  float getAlpha() const { emulator::missing("popart::SeluOp::getAlpha"); }
  float getGamma() const { emulator::missing("popart::SeluOp::getGamma"); }
};

class SeluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SeluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SeluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SeluInplaceOp")) {}
  float getAlpha() const { emulator::missing("popart::SeluInplaceOp::getAlpha"); }
  float getGamma() const { emulator::missing("popart::SeluInplaceOp::getGamma"); }
};

class SeluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit SeluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::SeluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::SeluGradOp")) {}
  float getAlpha() const { emulator::missing("popart::SeluGradOp::getAlpha"); }
  float getGamma() const { emulator::missing("popart::SeluGradOp::getGamma"); }
};

}  // namespace popart

#endif  // popart_op_selu_hpp
