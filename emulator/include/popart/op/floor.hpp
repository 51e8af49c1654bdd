#ifndef popart_op_floor_hpp
#define popart_op_floor_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/onewayunary.hpp>

namespace popart {

class FloorInplaceOp : public OneWayUnaryInPlaceOp {
 public:
  template <class... Args>
  explicit FloorInplaceOp(const Args&...)
      : OneWayUnaryInPlaceOp(emulator::absent<const OperatorIdentifier>("popart::FloorInplaceOp")) {
  }
};

}  // namespace popart

#endif  // popart_op_floor_hpp
