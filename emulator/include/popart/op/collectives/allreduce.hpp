#ifndef popart_op_collectives_allreduce_hpp
#define popart_op_collectives_allreduce_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class AllReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AllReduceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AllReduceOp")) {}
  static int getInStartIndex() { return 0; }
  static int getOutStartIndex() { return 0; }
};

class AllReduceGradOp : public AllReduceOp {
 public:
  template <class... Args>
  explicit AllReduceGradOp(const Args&...)
      : AllReduceOp(emulator::absent<const OperatorIdentifier>("popart::AllReduceGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_collectives_allreduce_hpp
