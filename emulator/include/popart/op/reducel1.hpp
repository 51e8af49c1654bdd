#ifndef popart_op_reducel1_hpp
#define popart_op_reducel1_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceL1Op : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceL1Op(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL1Op")) {}
};

class ReduceL1GradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceL1GradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL1GradOp")) {}
  static int getFwdInInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducel1_hpp
