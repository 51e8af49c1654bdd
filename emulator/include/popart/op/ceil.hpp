#ifndef popart_op_ceil_hpp
#define popart_op_ceil_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/op/onewayunary.hpp>

namespace popart {

class CeilInplaceOp : public OneWayUnaryInPlaceOp {
 public:
  template <class... Args>
  explicit CeilInplaceOp(const Args&...)
      : OneWayUnaryInPlaceOp(emulator::absent<const OperatorIdentifier>("popart::CeilInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_ceil_hpp
