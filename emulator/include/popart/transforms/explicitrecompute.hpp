#ifndef popart_transforms_explicitrecompute_hpp
#define popart_transforms_explicitrecompute_hpp

#include <cstddef>
#include <map>
#include <popart/basicoptionals.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/graphutils.hpp>
#include <popart/names.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Op;
struct ExplicitRecomputeTensorContext {
  ExplicitRecomputeTensorContext(bool, OptionalExecutionPhase, OptionalPipelineStage) {
    emulator::missing("popart::ExplicitRecomputeTensorContext");
  }
  bool operator<(const ExplicitRecomputeTensorContext&) const {
    emulator::missing("popart::ExplicitRecomputeTensorContext::operator<");
  }
  bool operator==(const ExplicitRecomputeTensorContext&) const {
    emulator::missing("popart::ExplicitRecomputeTensorContext::operator==");
  }
  bool operator!=(const ExplicitRecomputeTensorContext&) const {
    emulator::missing("popart::ExplicitRecomputeTensorContext::operator!=");
  }
  bool isForwardOp;
  OptionalExecutionPhase executionPhase;
  OptionalPipelineStage pipelineStage;
};

class ExplicitRecomputeHelper {
 public:
  ExplicitRecomputeHelper(Graph&) { emulator::missing("popart::ExplicitRecomputeHelper"); }
  ExplicitRecomputeTensorContext getContext(Op*) const {
    emulator::missing("popart::ExplicitRecomputeHelper::getContext");
  }
  std::set<ExplicitRecomputeTensorContext> getConsumerContexts(Op*) const {
    emulator::missing("popart::ExplicitRecomputeHelper::getConsumerContexts");
  }
  bool isForwardContext(ExplicitRecomputeTensorContext) const {
    emulator::missing("popart::ExplicitRecomputeHelper::isForwardContext");
  }
  void registerRecomputedOpRelation(Op*) {
    emulator::missing("popart::ExplicitRecomputeHelper::registerRecomputedOpRelation");
  }
  std::set<ExplicitRecomputeTensorContext> getValidRecomputeContexts(
      const ExplicitRecomputeTensorContext&,
      const std::set<ExplicitRecomputeTensorContext>&) const {
    emulator::missing("popart::ExplicitRecomputeHelper::getValidRecomputeContexts");
  }
  const std::vector<Op*> getOpSchedule() const {
    emulator::missing("popart::ExplicitRecomputeHelper::getOpSchedule");
  }
  Graph& getGraph() const { emulator::missing("popart::ExplicitRecomputeHelper::getGraph"); }
  void cloneRecomputeOps() {
    emulator::missing("popart::ExplicitRecomputeHelper::cloneRecomputeOps");
  }
  void remapConsumers() { emulator::missing("popart::ExplicitRecomputeHelper::remapConsumers"); }
  Tensor* getInplaceModifiedBackupTensor(Tensor*, Op*, Op*, std::set<Op*, POpCmp>) {
    emulator::missing("popart::ExplicitRecomputeHelper::getInplaceModifiedBackupTensor");
  }
};

class ExplicitRecompute : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::ExplicitRecompute::id"); }
  ExplicitRecompute() = default;
  bool apply(Graph&) const override { emulator::missing("popart::ExplicitRecompute::apply"); }
  std::size_t getId() const override { emulator::missing("popart::ExplicitRecompute::getId"); }
  std::string getName() const override { return "ExplicitRecompute"; }
};

}  // namespace popart

#endif  // popart_transforms_explicitrecompute_hpp
