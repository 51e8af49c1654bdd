#ifndef popart_op_resize_hpp
#define popart_op_resize_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ResizeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ResizeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ResizeOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class ResizeGradOp : public ResizeOp {
 public:
  template <class... Args>
  explicit ResizeGradOp(const Args&...)
      : ResizeOp(emulator::absent<const OperatorIdentifier>("popart::ResizeGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_resize_hpp
