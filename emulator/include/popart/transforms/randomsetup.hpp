#ifndef popart_transforms_randomsetup_hpp
#define popart_transforms_randomsetup_hpp

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/transforms/transform.hpp>
#include <popart/vendored/optional.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace popart {

class RandomBaseOp;
class SubgraphOp;
class Graph;
class Ir;
class Op;
class RandomSetup : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::RandomSetup::id"); }
  RandomSetup() = default;
  bool apply(Graph&) const override { emulator::missing("popart::RandomSetup::apply"); }
  std::size_t getId() const override { emulator::missing("popart::RandomSetup::getId"); }
  std::string getName() const override { return "RandomSetup"; }
  static bool hasRandomSeed(const Ir&) { emulator::missing("popart::RandomSetup::hasRandomSeed"); }
  static bool requiresRandomSeed(const Ir&) {
    emulator::missing("popart::RandomSetup::requiresRandomSeed");
  }
  static TensorId getStreamedSeedTensorId() {
    emulator::missing("popart::RandomSetup::getStreamedSeedTensorId");
  }

 protected:
  using GraphIds = std::vector<GraphId>;
  using Strand = std::tuple<VGraphId, PipelineStage>;
  using Strands = std::vector<Strand>;
  using StrandToTensorId = std::map<Strand, TensorId>;
  using OpToStrands = std::map<Op*, std::vector<Strand>, POpCmp>;
  using OpToStrandToTensorId = std::map<Op*, StrandToTensorId, POpCmp>;
  using GraphToInIndex = std::map<GraphId, InIndex>;
  using GraphToOutIndex = std::map<GraphId, OutIndex>;
  using GraphToStrands = std::map<GraphId, Strands>;
  using GraphToOpToStrands = std::map<GraphId, OpToStrands>;
  using GraphToStrandToTensorId = std::map<GraphId, StrandToTensorId>;
  using StrandsMapAndRandomOpsMap = std::tuple<GraphToStrands, GraphToOpToStrands>;
  using InAndOutBaseSeedMap = std::tuple<GraphToStrandToTensorId, GraphToStrandToTensorId>;
  using FirstSeedInIndexMapAndFirstSeedOutIndexMap = std::tuple<GraphToInIndex, GraphToOutIndex>;
  struct Config {
    bool setVirtualGraphIds;
    bool setExecutionPhases;
    bool setPipelineStages;
    GraphToStrands strandsMap;
    GraphToOpToStrands randomOpsMap;
    GraphToStrandToTensorId inBaseSeedMap;
    GraphToStrandToTensorId outBaseSeedMap;
    GraphIds graphApplyOrder;
    GraphToInIndex firstSeedInIndexMap;
    GraphToOutIndex firstSeedOutIndexMap;
  };
  Config determineConfig(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineConfig");
  }
  bool determineSetVirtualGraphIds(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineSetVirtualGraphIds");
  }
  bool determineSetExecutionPhases(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineSetExecutionPhases");
  }
  bool determineSetPipelineStages(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineSetPipelineStages");
  }
  StrandsMapAndRandomOpsMap determineStrandsMapAndRandomOpsMap(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineStrandsMapAndRandomOpsMap");
  }
  OpToStrands getInitStrandToOps(const Graph&) const {
    emulator::missing("popart::RandomSetup::getInitStrandToOps");
  }
  InAndOutBaseSeedMap determineBaseSeedsMaps(const Ir&, const GraphToStrands&) const {
    emulator::missing("popart::RandomSetup::determineBaseSeedsMaps");
  }
  FirstSeedInIndexMapAndFirstSeedOutIndexMap determineSeedIndexMaps(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineSeedIndexMaps");
  }
  GraphIds determineGraphApplyOrder(const Ir&) const {
    emulator::missing("popart::RandomSetup::determineGraphApplyOrder");
  }
  void logConfig(const Ir&, const Config&) const {
    emulator::missing("popart::RandomSetup::logConfig");
  }
  void applyToGraph(Graph&, const Config&) const {
    emulator::missing("popart::RandomSetup::applyToGraph");
  }
  void addBaseSeeds(Graph&, const Config&) const {
    emulator::missing("popart::RandomSetup::addBaseSeeds");
  }
  void addGetRandomSeedOp(Ir&, const Config&) const {
    emulator::missing("popart::RandomSetup::addGetRandomSeedOp");
  }
  TensorId addModifyRandomSeedOp(Graph&, const Config&, const Strand&, uint32_t,
                                 nonstd::optional<TensorId>, const std::string&) const {
    emulator::missing("popart::RandomSetup::addModifyRandomSeedOp");
  }
  OpToStrandToTensorId addModifyRandomSeedOps(Graph&, const Config&) const {
    emulator::missing("popart::RandomSetup::addModifyRandomSeedOps");
  }
  void connectOp(Graph&, const Config&, const StrandToTensorId&, Op*) const {
    emulator::missing("popart::RandomSetup::connectOp");
  }
  void connectRandomBaseOp(Graph&, const Config&, const StrandToTensorId&, RandomBaseOp*) const {
    emulator::missing("popart::RandomSetup::connectRandomBaseOp");
  }
  void connectSubgraphOp(Graph&, const Config&, const StrandToTensorId&, SubgraphOp*, int,
                         int) const {
    emulator::missing("popart::RandomSetup::connectSubgraphOp");
  }
  static bool hasRandomOps(const Ir&) { emulator::missing("popart::RandomSetup::hasRandomOps"); }
  static Strand getStrand(const Op*) { emulator::missing("popart::RandomSetup::getStrand"); }
  static TensorId getTensorIdForStrand(const TensorId&, const Strand&) {
    emulator::missing("popart::RandomSetup::getTensorIdForStrand");
  }
};

}  // namespace popart

#endif  // popart_transforms_randomsetup_hpp
