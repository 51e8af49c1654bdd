#ifndef popart_op_clip_hpp
#define popart_op_clip_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

class ClipOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ClipOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ClipOp"),
                           emulator::absent<const Op::Settings>("popart::ClipOp")) {}
  static int clip11MinInputIndex() { return 1; }
  static int clip11MaxInputIndex() { return 2; }
};

class ClipInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ClipInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ClipInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ClipInplaceOp")) {}
};

class ClipGradOp : public ClipOp {
 public:
  template <class... Args>
  explicit ClipGradOp(const Args&...)
      : ClipOp(emulator::absent<const OperatorIdentifier>("popart::ClipGradOp")) {}
  static int getClippedInIndex() { return 1; }
  static int getGradClippedInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_clip_hpp
