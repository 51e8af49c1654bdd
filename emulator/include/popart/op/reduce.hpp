#ifndef popart_op_reduce_hpp
#define popart_op_reduce_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class ReduceGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceGradOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_reduce_hpp
