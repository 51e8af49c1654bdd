#ifndef popart_op_relu_hpp
#define popart_op_relu_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class ReluInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ReluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ReluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ReluInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_relu_hpp
