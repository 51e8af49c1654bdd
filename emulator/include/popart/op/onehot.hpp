#ifndef popart_op_onehot_hpp
#define popart_op_onehot_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class OnehotOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit OnehotOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::OnehotOp")) {}
  static int getIndicesInIndex() { return 0; }
  static int getValuesInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

class OnehotGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit OnehotGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::OnehotGradOp")) {}
  static int getGradInIndex() { return 0; }
  static int getIndicesInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_onehot_hpp
