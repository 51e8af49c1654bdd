#ifndef popart_op_collectives_multi_replicatedallgather_hpp
#define popart_op_collectives_multi_replicatedallgather_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class MultiReplicatedAllGatherOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiReplicatedAllGatherOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiReplicatedAllGatherOp")) {}
};

}  // namespace popart

#endif  // popart_op_collectives_multi_replicatedallgather_hpp
