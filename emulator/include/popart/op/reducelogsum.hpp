#ifndef popart_op_reducelogsum_hpp
#define popart_op_reducelogsum_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceLogSumOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceLogSumOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumOp")) {}
};

class ReduceLogSumGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceLogSumGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumGradOp")) {}
  static int getFwdOutInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducelogsum_hpp
