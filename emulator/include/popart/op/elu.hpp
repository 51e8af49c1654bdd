#ifndef popart_op_elu_hpp
#define popart_op_elu_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class EluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit EluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::EluOp"),
                           emulator::absent<const Op::Settings>("popart::EluOp")) {}
};

class EluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit EluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::EluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::EluInplaceOp")) {}
};

class EluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit EluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::EluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::EluGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_elu_hpp
