#ifndef popart_op_elu_hpp
#define popart_op_elu_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class EluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit EluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::EluOp"),
                           emulator::absent<const Op::Settings>("popart::EluOp")) {}
  float alpha() const { emulator::missing("popart::EluOp::alpha"); }
};

class EluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit EluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::EluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::EluInplaceOp")) {}
  float alpha() const { emulator::missing("popart::EluInplaceOp::alpha"); }
};

class EluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit EluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::EluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::EluGradOp")) {}
  float alpha() const { emulator::missing("popart::EluGradOp::alpha"); }
};

}  // namespace popart

#endif  // popart_op_elu_hpp
