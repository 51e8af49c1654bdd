#ifndef popart_op_selu_hpp
#define popart_op_selu_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class SeluOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SeluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SeluOp"),
                           emulator::absent<const Op::Settings>("popart::SeluOp")) {}
};

class SeluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SeluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SeluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SeluInplaceOp")) {}
};

class SeluGradOp : public ElementWiseNonLinearUnaryGradOp {
 public:
  template <class... Args>
  explicit SeluGradOp(const Args&...)
      : ElementWiseNonLinearUnaryGradOp(
            emulator::absent<const OperatorIdentifier>("popart::SeluGradOp"),
            emulator::absent<const ElementWiseUnaryOp>("popart::SeluGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_selu_hpp
