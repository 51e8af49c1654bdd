#ifndef popart_transforms_pipeline_hpp
#define popart_transforms_pipeline_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Ir;
class Graph;
class Op;
class Tensor;
class PipelineInfo {
 public:
  PipelineInfo() = default;
  PipelineInfo(int64_t, int64_t, int64_t, bool, std::map<PipelineStage, PipelineStage>) {
    emulator::missing("popart::PipelineInfo");
  }
  int64_t numStages;
  bool doGradAccl;
  struct PipelinePhase {
    PipelineCycle start;
    PipelineCycle end;
  };
  PipelinePhase fillPhase;
  PipelinePhase mainPhase;
  PipelinePhase flushPhase;
  std::map<PipelineStage, PipelineStage> withStage;
  int numIndependentStages(PipelineStage, PipelineStage) {
    emulator::missing("popart::PipelineInfo::numIndependentStages");
  }
  bool doStage(PipelineCycle, PipelineStage) const {
    emulator::missing("popart::PipelineInfo::doStage");
  }
  PipelineStage executeWithStage(PipelineStage) const {
    emulator::missing("popart::PipelineInfo::executeWithStage");
  }
  PipelineCycle getMainCycles() const { emulator::missing("popart::PipelineInfo::getMainCycles"); }
};

struct PipelineStashInfo {
  std::set<TensorId> toStashTensors;
  std::map<TensorId, std::pair<Op*, std::vector<Op*>>> stashRestoreRefOps;
};

struct PipelineDynamicStashInfo {
  Tensor* tensor;
  int stashSize;
  Op* stashRefOp;
  std::vector<Op*> restoreRefOps;
  std::vector<PipelineStage> restoreStages;
  std::vector<Op*> consumers;
  TensorId stashTensorBaseId;
  TensorId stashCounterBaseId;
};

class Pipeline : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::Pipeline::id"); }
  static bool checkIsFullRecompute(Graph&) {
    emulator::missing("popart::Pipeline::checkIsFullRecompute");
  }
  static bool checkIsFullCheckpoint(Graph&) {
    emulator::missing("popart::Pipeline::checkIsFullCheckpoint");
  }
  Pipeline() = default;
  bool apply(Graph&) const override { emulator::missing("popart::Pipeline::apply"); }
  std::size_t getId() const override { emulator::missing("popart::Pipeline::getId"); }
  std::string getName() const override { return "Pipeline"; }
  static bool inplaceRestoreRequiredForRecompute(Op*) {
    emulator::missing("popart::Pipeline::inplaceRestoreRequiredForRecompute");
  }
  static bool inplaceRecomputationConflict(Op*, InIndex, OutIndex) {
    emulator::missing("popart::Pipeline::inplaceRecomputationConflict");
  }
  static void setFinalFwdStageRecomputation(Graph&) {
    emulator::missing("popart::Pipeline::setFinalFwdStageRecomputation");
  }
  static void checkOpsPipelineStage(Graph&) {
    emulator::missing("popart::Pipeline::checkOpsPipelineStage");
  }
  static std::map<PipelineStage, PipelineStage> withStages(const Ir&) {
    emulator::missing("popart::Pipeline::withStages");
  }
  bool addDynamicStashAndRestoreOps(Graph&) const {
    emulator::missing("popart::Pipeline::addDynamicStashAndRestoreOps");
  }
  bool contiguateIpuCopies(Graph&) const {
    emulator::missing("popart::Pipeline::contiguateIpuCopies");
  }
  int getStashSize(const Ir&, PipelineStage, PipelineStage) const {
    emulator::missing("popart::Pipeline::getStashSize");
  }
};

class ExplicitPipelineHelper {
 public:
  ExplicitPipelineHelper(Graph&) { emulator::missing("popart::ExplicitPipelineHelper"); }
  void createExplicitPipeline() {
    emulator::missing("popart::ExplicitPipelineHelper::createExplicitPipeline");
  }
};

}  // namespace popart

#endif  // popart_transforms_pipeline_hpp
