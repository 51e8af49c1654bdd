#ifndef popart_replicatedtensorsharding_hpp
#define popart_replicatedtensorsharding_hpp

#include <iosfwd>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/tensor.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <vector>

namespace popart {

class Ir;
class Tensor;
struct ReplicatedTensorShardingOpInfo {
  ReplicatedTensorShardingOpInfo() { emulator::missing("popart::ReplicatedTensorShardingOpInfo"); }
  ReplicatedTensorShardingOpInfo(OpId, std::set<InIndex>, std::set<OutIndex>) {
    emulator::missing("popart::ReplicatedTensorShardingOpInfo");
  }
  OpId id;
  std::set<InIndex> inIndices;
  std::set<OutIndex> outIndices;
  bool operator<(const ReplicatedTensorShardingOpInfo&) const {
    emulator::missing("popart::ReplicatedTensorShardingOpInfo::operator<");
  }
};

struct ReplicatedTensorShardingGroup {
  ReplicatedTensorShardingGroup() { emulator::missing("popart::ReplicatedTensorShardingGroup"); }
  ReplicatedTensorShardingGroupId id;
  nonstd::optional<Shape> shape;
  nonstd::optional<Shape> metaShape;
  std::set<TensorId> remoteTensorIds;
  std::set<TensorId> collectiveLinkedTensorIds;
  std::set<TensorId> shardedTensorIds;
  std::map<OpId, ReplicatedTensorShardingOpInfo> collectiveOpIds;
  std::map<OpId, ReplicatedTensorShardingOpInfo> exchangeOpIds;
};

inline std::ostream& operator<<(std::ostream&, const ReplicatedTensorShardingOpInfo&) {
  emulator::missing("popart::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const ReplicatedTensorShardingGroup&) {
  emulator::missing("popart::operator<<");
}

class ReplicatedTensorShardingTracer {
 public:
  ReplicatedTensorShardingTracer(const Ir&) {
    emulator::missing("popart::ReplicatedTensorShardingTracer");
  }
  bool hasGroup(const ReplicatedTensorShardingOpInfo&) const {
    emulator::missing("popart::ReplicatedTensorShardingTracer::hasGroup");
  }
  bool hasGroup(const TensorId&) const {
    emulator::missing("popart::ReplicatedTensorShardingTracer::hasGroup");
  }
  const ReplicatedTensorShardingGroup& getGroup(const ReplicatedTensorShardingOpInfo&) const {
    emulator::missing("popart::ReplicatedTensorShardingTracer::getGroup");
  }
  const ReplicatedTensorShardingGroup& getGroup(const TensorId&) const {
    emulator::missing("popart::ReplicatedTensorShardingTracer::getGroup");
  }
  void trace(const std::set<Tensor*, PTensorCmp>&) {
    emulator::missing("popart::ReplicatedTensorShardingTracer::trace");
  }
};

}  // namespace popart

#endif  // popart_replicatedtensorsharding_hpp
