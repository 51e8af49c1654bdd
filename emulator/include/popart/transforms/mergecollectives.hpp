#ifndef popart_transforms_mergecollectives_hpp
#define popart_transforms_mergecollectives_hpp

#include <cstddef>
#include <memory>
#include <popart/alias/aliasmodel.hpp>
#include <popart/alias/aliasmodelgrower.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/graph.hpp>
#include <popart/graphutils.hpp>
#include <popart/ir.hpp>
#include <popart/logging.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/op/collectives/multi_replicatedallgather.hpp>
#include <popart/op/collectives/multi_replicatedallreduce.hpp>
#include <popart/op/collectives/multi_replicatedreducescatter.hpp>
#include <popart/op/collectives/replicatedallgather.hpp>
#include <popart/op/collectives/replicatedallreduce.hpp>
#include <popart/op/collectives/replicatedreducescatter.hpp>
#include <popart/operators.hpp>
#include <popart/scheduler.hpp>
#include <popart/tensorlocation.hpp>
#include <popart/topocons.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Op;
class TensorInfo;
class MergeCollectivesTransform : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::MergeCollectivesTransform::id"); }
  MergeCollectivesTransform() = default;
  bool apply(Graph&) const override {
    emulator::missing("popart::MergeCollectivesTransform::apply");
  }
  std::vector<Op*> applyToOps(Graph&, const std::set<OpId>) const {
    emulator::missing("popart::MergeCollectivesTransform::applyToOps");
  }
  std::size_t getId() const override {
    emulator::missing("popart::MergeCollectivesTransform::getId");
  }
  std::string getName() const override { return "MergeCollectivesTransform"; }
  template <typename BaseType>
  bool collectiveOpCheck(BaseType*, BaseType*) const {
    emulator::missing("popart::MergeCollectivesTransform::collectiveOpCheck");
  }
  template <typename MultiOpType, typename BaseType>
  Op* attemptToMergeOnOp(BaseType*, std::vector<Op*>::iterator&, std::vector<Op*>&) const {
    emulator::missing("popart::MergeCollectivesTransform::attemptToMergeOnOp");
  }
  template <typename MultiOpType, typename BaseType>
  std::unique_ptr<MultiOpType> constructMultiOp(BaseType*, std::vector<TensorInfo>,
                                                std::vector<VGraphIdAndTileSet>,
                                                std::vector<VGraphIdAndTileSet>,
                                                std::vector<BaseType*>) const {
    emulator::missing("popart::MergeCollectivesTransform::constructMultiOp");
  }
};

}  // namespace popart

#endif  // popart_transforms_mergecollectives_hpp
