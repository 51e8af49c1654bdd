#ifndef popart_op_reducel2_hpp
#define popart_op_reducel2_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceL2Op : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceL2Op(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL2Op")) {}
};

class ReduceL2GradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceL2GradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL2GradOp")) {}
  static int getFwdInInIndex() { return 1; }
  static int getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducel2_hpp
