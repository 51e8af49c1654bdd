#ifndef popart_op_onewayunary_hpp
#define popart_op_onewayunary_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class OneWayUnaryOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit OneWayUnaryOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::OneWayUnaryOp"),
                           emulator::absent<const Op::Settings>("popart::OneWayUnaryOp")) {}
};

class OneWayUnaryInPlaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit OneWayUnaryInPlaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::OneWayUnaryInPlaceOp"),
            emulator::absent<const Op::Settings>("popart::OneWayUnaryInPlaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_onewayunary_hpp
