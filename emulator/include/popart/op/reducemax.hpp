#ifndef popart_op_reducemax_hpp
#define popart_op_reducemax_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReduceMaxOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceMaxOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMaxOp")) {}
};

class ReduceMaxGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReduceMaxGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMaxGradOp")) {}
  static int getFwdInInIndex() { return 1; }
  static int getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducemax_hpp
