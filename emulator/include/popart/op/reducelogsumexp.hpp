#ifndef popart_op_reducelogsumexp_hpp
#define popart_op_reducelogsumexp_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceLogSumExpOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceLogSumExpOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumExpOp")) {}
};

class ReduceLogSumExpGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceLogSumExpGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumExpGradOp")) {}
  static int getFwdInInIndex() { return 1; }
  static int getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducelogsumexp_hpp
