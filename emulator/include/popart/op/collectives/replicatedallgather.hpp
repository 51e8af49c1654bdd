#ifndef popart_op_collectives_replicatedallgather_hpp
#define popart_op_collectives_replicatedallgather_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/collectives/collectives.hpp>

namespace popart {

class ReplicatedAllGatherOp : public CollectivesBaseOp {
 public:
  template <class... Args>
  explicit ReplicatedAllGatherOp(const Args&...)
      : CollectivesBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ReplicatedAllGatherOp"),
            emulator::absent<const ReplicaGrouping>("popart::ReplicatedAllGatherOp"),
            emulator::absent<const Op::Settings>("popart::ReplicatedAllGatherOp")) {}
  std::unique_ptr<Op> clone() const override {
    return std::move(emulator::absent<std::unique_ptr<Op>>("popart::ReplicatedAllGatherOp"));
  }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
};

}  // namespace popart

#endif  // popart_op_collectives_replicatedallgather_hpp
