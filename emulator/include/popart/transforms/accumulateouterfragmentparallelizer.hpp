#ifndef popart_transforms_accumulateouterfragmentparallelizer_hpp
#define popart_transforms_accumulateouterfragmentparallelizer_hpp

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Op;
class AccumulateOuterFragmentParallelizer : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::AccumulateOuterFragmentParallelizer::id"); }
  AccumulateOuterFragmentParallelizer() {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer");
  }
  bool apply(Graph&) const override {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::apply");
  }
  virtual std::vector<std::vector<Op*>> getBinConstraints(const Graph&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::getBinConstraints");
  }
  std::size_t getId() const override {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::getId");
  }
  std::string getName() const override { return "AccumuateOuterFragmentParallelizer"; }

 protected:
  class OpCluster {
   public:
    using Ops = std::set<Op*, POpCmp>;
    using Tensors = std::set<Tensor*, PTensorCmp>;
    OpCluster(const Graph*, Op*) {
      emulator::missing("popart::AccumulateOuterFragmentParallelizer::OpCluster");
    }
    bool overlaps(const OpCluster&) const {
      emulator::missing("popart::AccumulateOuterFragmentParallelizer::OpCluster::overlaps");
    }
    bool hasRemoteOp() const {
      emulator::missing("popart::AccumulateOuterFragmentParallelizer::OpCluster::hasRemoteOp");
    }
    void absorb(const OpCluster&) {
      emulator::missing("popart::AccumulateOuterFragmentParallelizer::OpCluster::absorb");
    }
    bool hasVirtualGraphId() const {
      emulator::missing(
          "popart::AccumulateOuterFragmentParallelizer::OpCluster::hasVirtualGraphId");
    }
    VGraphId getVirtualGraphId() const {
      emulator::missing(
          "popart::AccumulateOuterFragmentParallelizer::OpCluster::getVirtualGraphId");
    }
    int64_t calcNumLoadBytes() const {
      emulator::missing("popart::AccumulateOuterFragmentParallelizer::OpCluster::calcNumLoadBytes");
    }
    bool isGradientClippingCluster() const {
      emulator::missing(
          "popart::AccumulateOuterFragmentParallelizer::OpCluster::isGradientClippingCluster");
    }
    static void gatherTensors(const Op*, Tensors&) {
      emulator::missing("popart::AccumulateOuterFragmentParallelizer::OpCluster::gatherTensors");
    }
    const Graph* graph;
    Ops ops;
    Ops adjacentOps;
    Ops remoteLoadOps;
    Ops remoteStoreOps;
    Ops multiExchangeOps;
    int64_t numLoadBytes;
    std::set<Shape> loadShapes;
    VGraphId virtualGraphId;
    Tensors tensors;
  };
  using Ops = std::set<Op*, POpCmp>;
  using OpClusters = std::vector<OpCluster>;
  using OpClustersMap = std::map<VGraphId, OpClusters>;
  void populateOpClusters(const Graph&, OpClusters&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::populateOpClusters");
  }
  void populateOpClusters(const Graph&, OpClustersMap&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::populateOpClusters");
  }
  void filterOpClusters(OpClusters&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::filterOpClusters");
  }
  void filterOpClusters(OpClustersMap&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::filterOpClusters");
  }
  void sortOpClusters(OpClusters&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::sortOpClusters");
  }
  void sortOpClusters(OpClustersMap&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::sortOpClusters");
  }
  void tryToParallelizeOpClusters(Graph&, OpClusters&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::tryToParallelizeOpClusters");
  }
  void addOpConstraints(Graph&, const Ops&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::addOpConstraints");
  }
  OpClusters getGradientClippingClusters(const Graph&) const {
    emulator::missing("popart::AccumulateOuterFragmentParallelizer::getGradientClippingClusters");
  }
};

}  // namespace popart

#endif  // popart_transforms_accumulateouterfragmentparallelizer_hpp
