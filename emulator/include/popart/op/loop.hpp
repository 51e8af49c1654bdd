#ifndef popart_op_loop_hpp
#define popart_op_loop_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/subgraph.hpp>

namespace popart {

class LoopOp : public SubgraphOp {
 public:
  template <class... Args>
  explicit LoopOp(const Args&...)
      : SubgraphOp(emulator::absent<const OperatorIdentifier>("popart::LoopOp")) {}
  static int getMaximumTripCountInIndex() { return 0; }
  static int getTerminationConditionInIndex() { return 1; }
  static int getFirstInputInIndex() { return 2; }
  static int getFirstOutputOutIndex() { return 0; }
  static int getLoopGraphIterationInIndex() { return 0; }
  static int getLoopGraphTerminationConditionInIndex() { return 1; }
  static int getLoopGraphFirstInputInIndex() { return 2; }
  static int getLoopGraphTerminationConditionOutIndex() { return 0; }
  static int getLoopGraphFirstOutputOutIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_loop_hpp
