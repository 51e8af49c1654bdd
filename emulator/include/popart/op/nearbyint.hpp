#ifndef popart_op_nearbyint_hpp
#define popart_op_nearbyint_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/onewayunary.hpp>

namespace popart {

class NearbyIntInplaceOp : public OneWayUnaryInPlaceOp {
 public:
  template <class... Args>
  explicit NearbyIntInplaceOp(const Args&...)
      : OneWayUnaryInPlaceOp(
            emulator::absent<const OperatorIdentifier>("popart::NearbyIntInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_nearbyint_hpp
