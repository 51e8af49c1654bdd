#ifndef popart_op_shapeorlike_hpp
#define popart_op_shapeorlike_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ShapeOrLikeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ShapeOrLikeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ShapeOrLikeOp")) {}
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_shapeorlike_hpp
