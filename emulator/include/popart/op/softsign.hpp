#ifndef popart_op_softsign_hpp
#define popart_op_softsign_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class SoftSignInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit SoftSignInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::SoftSignInplaceOp"),
            emulator::absent<const Op::Settings>("popart::SoftSignInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_softsign_hpp
