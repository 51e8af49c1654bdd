#ifndef popart_op_collectives_multi_replicatedallreduce_hpp
#define popart_op_collectives_multi_replicatedallreduce_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class MultiReplicatedAllReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiReplicatedAllReduceOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiReplicatedAllReduceOp")) {}
};

}  // namespace popart

#endif  // popart_op_collectives_multi_replicatedallreduce_hpp
