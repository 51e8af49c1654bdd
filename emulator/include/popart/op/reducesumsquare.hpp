#ifndef popart_op_reducesumsquare_hpp
#define popart_op_reducesumsquare_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceSumSquareOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceSumSquareOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ReduceSumSquareOp")) {}
};

class ReduceSumSquareGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceSumSquareGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ReduceSumSquareGradOp")) {}
  static int getFwdInInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducesumsquare_hpp
