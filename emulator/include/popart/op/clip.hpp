#ifndef popart_op_clip_hpp
#define popart_op_clip_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ClipOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ClipOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ClipOp"),
                           emulator::absent<const Op::Settings>("popart::ClipOp")) {}
  void setClipMin(float) { emulator::missing("popart::ClipOp::setClipMin"); }
  float getClipMin() const { emulator::missing("popart::ClipOp::getClipMin"); }
  void setClipMax(float) { emulator::missing("popart::ClipOp::setClipMax"); }
  float getClipMax() const { emulator::missing("popart::ClipOp::getClipMax"); }
  static InIndex clip11MinInputIndex() { return 1; }
  static InIndex clip11MaxInputIndex() { return 2; }
};

class ClipInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ClipInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ClipInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ClipInplaceOp")) {}
  float getClipMin() const { emulator::missing("popart::ClipInplaceOp::getClipMin"); }
  float getClipMax() const { emulator::missing("popart::ClipInplaceOp::getClipMax"); }
};

class ClipGradOp : public ClipOp {
 public:
  template <class... Args>
  explicit ClipGradOp(const Args&...)
      : ClipOp(emulator::absent<const OperatorIdentifier>("popart::ClipGradOp")) {}
  static InIndex getClippedInIndex() { return 1; }
  static InIndex getGradClippedInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_clip_hpp
