#ifndef popart_op_collectives_multi_replicatedreducescatter_hpp
#define popart_op_collectives_multi_replicatedreducescatter_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/tensorlocation.hpp>
#include <tuple>
#include <vector>

namespace popart {

class MultiReplicatedReduceScatterOp : public MultiCollectiveBaseOp {
 public:
  template <class... Args>
  explicit MultiReplicatedReduceScatterOp(const Args&...)
      : MultiCollectiveBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiReplicatedReduceScatterOp")) {}
  CollectiveOperator getCollectiveOp() const {
    emulator::missing("popart::MultiReplicatedReduceScatterOp::getCollectiveOp");
  }
  bool rearrangeGrowPartForCollective(OpxGrowPartId) const {
    emulator::missing("popart::MultiReplicatedReduceScatterOp::rearrangeGrowPartForCollective");
  }
};

}  // namespace popart

#endif  // popart_op_collectives_multi_replicatedreducescatter_hpp
