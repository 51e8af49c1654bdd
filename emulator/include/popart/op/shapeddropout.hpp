#ifndef popart_op_shapeddropout_hpp
#define popart_op_shapeddropout_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/dropoutbase.hpp>

namespace popart {

class ShapedDropoutOp : public DropoutBaseOp {
 public:
  template <class... Args>
  explicit ShapedDropoutOp(const Args&...)
      : DropoutBaseOp(emulator::absent<const OperatorIdentifier>("popart::ShapedDropoutOp")) {}
};

class ShapedDropoutGradOp : public ShapedDropoutOp {
 public:
  template <class... Args>
  explicit ShapedDropoutGradOp(const Args&...)
      : ShapedDropoutOp(emulator::absent<const OperatorIdentifier>("popart::ShapedDropoutGradOp")) {
  }
  static int getGradInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_shapeddropout_hpp
