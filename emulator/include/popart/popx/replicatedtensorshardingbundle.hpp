#ifndef popart_popx_replicatedtensorshardingbundle_hpp
#define popart_popx_replicatedtensorshardingbundle_hpp

#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/replicatedtensorsharding.hpp>
#include <popart/tensordebuginfo.hpp>

namespace popart {

class Ir;

namespace popx {

class ReplicatedTensorShardingBundle {
 public:
  ReplicatedTensorShardingBundle(const Ir&) {
    emulator::missing("popart::popx::ReplicatedTensorShardingBundle");
  }
  bool hasCollectiveBalancedReorder(const TensorId&) const {
    emulator::missing("popart::popx::ReplicatedTensorShardingBundle::hasCollectiveBalancedReorder");
  }
  std::shared_ptr<gcl::CollectiveBalancedReorder> getCollectiveBalancedReorder(
      const TensorId&) const {
    emulator::missing("popart::popx::ReplicatedTensorShardingBundle::getCollectiveBalancedReorder");
  }
  const gcl::CollectiveBalancedHostRearrangement& getCollectiveBalancedHostRearrangement(
      const TensorId&) const {
    emulator::missing(
        "popart::popx::ReplicatedTensorShardingBundle::getCollectiveBalancedHostRearrangement");
  }
  void setCollectiveBalancedReorder(const TensorId&, CollectiveBalancedReorderId) {
    emulator::missing("popart::popx::ReplicatedTensorShardingBundle::setCollectiveBalancedReorder");
  }
  CollectiveBalancedReorderId registerCollectiveBalancedReorder(
      std::shared_ptr<gcl::CollectiveBalancedReorder>) {
    emulator::missing(
        "popart::popx::ReplicatedTensorShardingBundle::registerCollectiveBalancedReorder");
  }
  const std::map<CollectiveBalancedReorderId, std::shared_ptr<gcl::CollectiveBalancedReorder>>&
  getCollectiveReorders() const {
    emulator::missing("popart::popx::ReplicatedTensorShardingBundle::getCollectiveReorders");
  }
  const ReplicatedTensorShardingTracer& getReplicatedTensorShardingTracer() const {
    emulator::missing(
        "popart::popx::ReplicatedTensorShardingBundle::getReplicatedTensorShardingTracer");
  }
  ReplicatedTensorShardingTracer& getReplicatedTensorShardingTracer() {
    emulator::missing(
        "popart::popx::ReplicatedTensorShardingBundle::getReplicatedTensorShardingTracer");
  }
  const std::map<TensorId, CollectiveBalancedReorderId>& getCollectiveReorderIds() const {
    emulator::missing("popart::popx::ReplicatedTensorShardingBundle::getCollectiveReorderIds");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_replicatedtensorshardingbundle_hpp
