#ifndef popart_popx_popprograms_hpp
#define popart_popx_popprograms_hpp

#include <iosfwd>
#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/popx/pritask.hpp>
#include <poplar/Program.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace poplar {

enum class FunctionBufferMappingType;

}  // namespace poplar

namespace popart {

class Graph;
enum class ScheduledPreLoss;

namespace popx {

class IrLowering;
class PopPrograms {
 public:
  PopPrograms(IrLowering*) { emulator::missing("popart::popx::PopPrograms"); }
  enum ProgramIndex {
    WeightsFromHost = 0,
    OptimizerFromHost,
    RandomSeedFromHost,
    RandomSeedToHost,
    RngStateFromHost,
    Program,
    RngStateToHost,
    WeightsToHost,
    CycleCountTensorToHost,
    CustomProgramsStart,
    N
  };
  enum class ProgramFragmentIndex {
    StreamWeightsFromHost = 0,
    StreamOptimizerFromHost,
    RandomSeedFromHost,
    RandomSeedToHost,
    RngStateFromHost,
    Init,
    PreForward,
    Forward,
    Backward,
    VarUpdateFromAccumulator,
    RngStateToHost,
    WeightsToHost,
    ToHostFinalCopy,
    CycleCountTensorToHost,
    N
  };
  const poplar::program::Sequence& streamWeightsFromHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::streamWeightsFromHostFragment");
  }
  poplar::program::Sequence& streamWeightsFromHostFragment() {
    emulator::missing("popart::popx::PopPrograms::streamWeightsFromHostFragment");
  }
  const poplar::program::Sequence& streamOptimizerFromHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::streamOptimizerFromHostFragment");
  }
  poplar::program::Sequence& streamOptimizerFromHostFragment() {
    emulator::missing("popart::popx::PopPrograms::streamOptimizerFromHostFragment");
  }
  const poplar::program::Sequence& randomSeedFromHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::randomSeedFromHostFragment");
  }
  poplar::program::Sequence& randomSeedFromHostFragment() {
    emulator::missing("popart::popx::PopPrograms::randomSeedFromHostFragment");
  }
  const poplar::program::Sequence& randomSeedToHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::randomSeedToHostFragment");
  }
  poplar::program::Sequence& randomSeedToHostFragment() {
    emulator::missing("popart::popx::PopPrograms::randomSeedToHostFragment");
  }
  const poplar::program::Sequence& cycleCountTensorToHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::cycleCountTensorToHostFragment");
  }
  poplar::program::Sequence& rngStateFromHostFragment() {
    emulator::missing("popart::popx::PopPrograms::rngStateFromHostFragment");
  }
  const poplar::program::Sequence& rngStateFromHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::rngStateFromHostFragment");
  }
  poplar::program::Sequence& rngStateToHostFragment() {
    emulator::missing("popart::popx::PopPrograms::rngStateToHostFragment");
  }
  const poplar::program::Sequence& rngStateToHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::rngStateToHostFragment");
  }
  poplar::program::Sequence& cycleCountTensorToHostFragment() {
    emulator::missing("popart::popx::PopPrograms::cycleCountTensorToHostFragment");
  }
  const poplar::program::Sequence& toHostFinalCopyFragment() const {
    emulator::missing("popart::popx::PopPrograms::toHostFinalCopyFragment");
  }
  poplar::program::Sequence& toHostFinalCopyFragment() {
    emulator::missing("popart::popx::PopPrograms::toHostFinalCopyFragment");
  }
  const poplar::program::Sequence& initFragment() const {
    emulator::missing("popart::popx::PopPrograms::initFragment");
  }
  poplar::program::Sequence& initFragment() {
    emulator::missing("popart::popx::PopPrograms::initFragment");
  }
  const poplar::program::Sequence& preForwardFragment() const {
    emulator::missing("popart::popx::PopPrograms::preForwardFragment");
  }
  poplar::program::Sequence& preForwardFragment() {
    emulator::missing("popart::popx::PopPrograms::preForwardFragment");
  }
  const poplar::program::Sequence& forwardFragment() const {
    emulator::missing("popart::popx::PopPrograms::forwardFragment");
  }
  poplar::program::Sequence& forwardFragment() {
    emulator::missing("popart::popx::PopPrograms::forwardFragment");
  }
  const poplar::program::Sequence& backwardFragment() const {
    emulator::missing("popart::popx::PopPrograms::backwardFragment");
  }
  poplar::program::Sequence& backwardFragment() {
    emulator::missing("popart::popx::PopPrograms::backwardFragment");
  }
  const poplar::program::Sequence& accumulateOuterFragment() const {
    emulator::missing("popart::popx::PopPrograms::accumulateOuterFragment");
  }
  poplar::program::Sequence& accumulateOuterFragment() {
    emulator::missing("popart::popx::PopPrograms::accumulateOuterFragment");
  }
  const poplar::program::Sequence& weightsToHostFragment() const {
    emulator::missing("popart::popx::PopPrograms::weightsToHostFragment");
  }
  poplar::program::Sequence& weightsToHostFragment() {
    emulator::missing("popart::popx::PopPrograms::weightsToHostFragment");
  }
  poplar::program::Sequence& forwardOrBackwardFragment(ScheduledPreLoss) {
    emulator::missing("popart::popx::PopPrograms::forwardOrBackwardFragment");
  }
  const std::vector<poplar::program::Program> progs() const {
    emulator::missing("popart::popx::PopPrograms::progs");
  }
  poplar::program::Sequence& programFragment(PopPrograms::ProgramFragmentIndex) {
    emulator::missing("popart::popx::PopPrograms::programFragment");
  }
  int getNumFragments(const Graph&) const {
    emulator::missing("popart::popx::PopPrograms::getNumFragments");
  }
  std::vector<poplar::program::Sequence>& scopeFragments(const Graph&) {
    emulator::missing("popart::popx::PopPrograms::scopeFragments");
  }
  poplar::program::Sequence& scopeFragment(const Graph&, SubgraphPartIndex) {
    emulator::missing("popart::popx::PopPrograms::scopeFragment");
  }
  bool containsFragments(const Graph&) const {
    emulator::missing("popart::popx::PopPrograms::containsFragments");
  }
  bool containsFragment(const Graph&, SubgraphPartIndex) const {
    emulator::missing("popart::popx::PopPrograms::containsFragment");
  }
  void createFragment(const Graph&, SubgraphPartIndex) {
    emulator::missing("popart::popx::PopPrograms::createFragment");
  }
  std::vector<poplar::Function>& getFragmentFunctions(const Graph&, poplar::Graph&) {
    emulator::missing("popart::popx::PopPrograms::getFragmentFunctions");
  }
  poplar::Function& getFragmentFunction(const Graph&, SubgraphPartIndex, poplar::Graph&) {
    emulator::missing("popart::popx::PopPrograms::getFragmentFunction");
  }
  std::vector<poplar::program::Sequence>::iterator recomputeFragment(OpId) {
    emulator::missing("popart::popx::PopPrograms::recomputeFragment");
  }
  SequenceMap::SequenceInterval createRecomputeFragment(OpId) {
    emulator::missing("popart::popx::PopPrograms::createRecomputeFragment");
  }
  bool hasBeenRecomputed(OpId, ExecutionPhase) const {
    emulator::missing("popart::popx::PopPrograms::hasBeenRecomputed");
  }
  void recordRecomputed(OpId, ExecutionPhase) {
    emulator::missing("popart::popx::PopPrograms::recordRecomputed");
  }
  enum class PipelineFragmentId { ToDeviceStream = 0, Main, ToHostStream };
  std::string getStrFromPipelineFragmentId(PipelineFragmentId) const {
    emulator::missing("popart::popx::PopPrograms::getStrFromPipelineFragmentId");
  }
  poplar::program::Sequence& pipelineFragment(PipelineStage, PipelineFragmentId,
                                              const std::string&) {
    emulator::missing("popart::popx::PopPrograms::pipelineFragment");
  }
  poplar::program::Sequence& pipelineToDeviceStreamFragment(PipelineStage, const std::string&) {
    emulator::missing("popart::popx::PopPrograms::pipelineToDeviceStreamFragment");
  }
  poplar::program::Sequence& pipelineMainFragment(PipelineStage, const std::string&) {
    emulator::missing("popart::popx::PopPrograms::pipelineMainFragment");
  }
  poplar::program::Sequence& pipelineToHostStreamFragment(PipelineStage, const std::string&) {
    emulator::missing("popart::popx::PopPrograms::pipelineToHostStreamFragment");
  }
  poplar::program::Sequence& pipelineIpuCopyFragment(const std::string&) {
    emulator::missing("popart::popx::PopPrograms::pipelineIpuCopyFragment");
  }
  poplar::program::Sequence& namedBuffersCopyFragment() {
    emulator::missing("popart::popx::PopPrograms::namedBuffersCopyFragment");
  }
  template <class Info>
  void addPipelineCycle(const Info&, PipelineCycle, poplar::program::Sequence&,
                        std::ostringstream&) const {
    emulator::missing("popart::popx::PopPrograms::addPipelineCycle");
  }
  void addFunctionBuffers(const GraphId, poplar::FunctionBufferMappingType) {
    emulator::missing("popart::popx::PopPrograms::addFunctionBuffers");
  }
  using FunctionBuffers = std::vector<std::pair<const poplar::Function, poplar::FunctionBuffer>>;
  FunctionBuffers getFunctionBuffer(const GraphId, poplar::FunctionBufferMappingType) {
    emulator::missing("popart::popx::PopPrograms::getFunctionBuffer");
  }
  bool hasFunctionBuffer(const GraphId, poplar::FunctionBufferMappingType) {
    emulator::missing("popart::popx::PopPrograms::hasFunctionBuffer");
  }
  unsigned int addCustomProgram(const poplar::program::Program&) {
    emulator::missing("popart::popx::PopPrograms::addCustomProgram");
  }
  IrLowering* ir_lowering_p;
  void createPipelineFunctions() {
    emulator::missing("popart::popx::PopPrograms::createPipelineFunctions");
  }
  poplar::program::Sequence getFullProgramFromPipelineFragments(bool) const {
    emulator::missing("popart::popx::PopPrograms::getFullProgramFromPipelineFragments");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_popprograms_hpp
