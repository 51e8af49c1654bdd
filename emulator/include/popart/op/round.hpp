#ifndef popart_op_round_hpp
#define popart_op_round_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/onewayunary.hpp>

namespace popart {

class RoundInplaceOp : public OneWayUnaryInPlaceOp {
 public:
  template <class... Args>
  explicit RoundInplaceOp(const Args&...)
      : OneWayUnaryInPlaceOp(emulator::absent<const OperatorIdentifier>("popart::RoundInplaceOp")) {
  }
};

}  // namespace popart

#endif  // popart_op_round_hpp
