#ifndef popart_op_expm1_hpp
#define popart_op_expm1_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class Expm1InplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit Expm1InplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::Expm1InplaceOp"),
            emulator::absent<const Op::Settings>("popart::Expm1InplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_expm1_hpp
