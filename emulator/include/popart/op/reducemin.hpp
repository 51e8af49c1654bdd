#ifndef popart_op_reducemin_hpp
#define popart_op_reducemin_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceMinOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceMinOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMinOp")) {}
};

class ReduceMinGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceMinGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMinGradOp")) {}
  static int getFwdInInIndex() { return 1; }
  static int getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducemin_hpp
