#ifndef popart_op_dropout_hpp
#define popart_op_dropout_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/dropoutbase.hpp>

namespace popart {

class DropoutOp : public DropoutBaseOp {
 public:
  template <class... Args>
  explicit DropoutOp(const Args&...)
      : DropoutBaseOp(emulator::absent<const OperatorIdentifier>("popart::DropoutOp")) {}
  static int getMaskOutIndex() { return 1; }
};

class DropoutGradOp : public DropoutOp {
 public:
  template <class... Args>
  explicit DropoutGradOp(const Args&...)
      : DropoutOp(emulator::absent<const OperatorIdentifier>("popart::DropoutGradOp")) {}
  static int getGradInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_dropout_hpp
