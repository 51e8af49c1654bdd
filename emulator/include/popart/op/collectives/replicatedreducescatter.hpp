#ifndef popart_op_collectives_replicatedreducescatter_hpp
#define popart_op_collectives_replicatedreducescatter_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/collectives/collectives.hpp>

namespace popart {

class ReplicatedReduceScatterOp : public CollectivesBaseOp {
 public:
  template <class... Args>
  explicit ReplicatedReduceScatterOp(const Args&...)
      : CollectivesBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ReplicatedReduceScatterOp"),
            emulator::absent<const ReplicaGrouping>("popart::ReplicatedReduceScatterOp"),
            emulator::absent<const Op::Settings>("popart::ReplicatedReduceScatterOp")) {}
  std::unique_ptr<Op> clone() const override {
    return std::move(emulator::absent<std::unique_ptr<Op>>("popart::ReplicatedReduceScatterOp"));
  }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
};

}  // namespace popart

#endif  // popart_op_collectives_replicatedreducescatter_hpp
