#ifndef popart_op_sign_hpp
#define popart_op_sign_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/onewayunary.hpp>

namespace popart {

class SignInplaceOp : public OneWayUnaryInPlaceOp {
 public:
  template <class... Args>
  explicit SignInplaceOp(const Args&...)
      : OneWayUnaryInPlaceOp(emulator::absent<const OperatorIdentifier>("popart::SignInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_sign_hpp
