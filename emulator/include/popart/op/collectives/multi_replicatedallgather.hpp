#ifndef popart_op_collectives_multi_replicatedallgather_hpp
#define popart_op_collectives_multi_replicatedallgather_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/tensorlocation.hpp>
#include <tuple>
#include <vector>

namespace popart {

class MultiReplicatedAllGatherOp : public MultiCollectiveBaseOp {
 public:
  template <class... Args>
  explicit MultiReplicatedAllGatherOp(const Args&...)
      : MultiCollectiveBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiReplicatedAllGatherOp")) {}
  bool undoRearrangeGrowPartForCollective(OpxGrowPartId) const {
    emulator::missing("popart::MultiReplicatedAllGatherOp::undoRearrangeGrowPartForCollective");
  }
};

}  // namespace popart

#endif  // popart_op_collectives_multi_replicatedallgather_hpp
