#ifndef popart_sessionoptions_hpp
#define popart_sessionoptions_hpp

#include <algorithm>  // as in PopART
#include <cassert>    // as in PopART
#include <cmath>      // as in PopART
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>  // as in PopART
#include <iterator>  // as in PopART
#include <limits>    // as in PopART
#include <map>
#include <memory>   // as in PopART
#include <numeric>  // as in PopART
#include <popart/names.hpp>
#include <popart/op.hpp>  // ReductionType
#include <popart/tensorlocation.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <sstream>    // as in PopART
#include <stdexcept>  // as in PopART
#include <string>
#include <tuple>          // as in PopART
#include <unordered_set>  // as in PopART
#include <vector>

namespace popart {

enum class GradientTensorTrackingMethod {
  AllNonViewChangingGradientTensors = 0,
  ConvAndMatmulGradients,
  GradientsOfUserSpecifiedTensors,
  N
};
enum class RecomputationType { None = 0, Standard, NormOnly, Pipeline, RecomputeAll, N };
enum class MergeVarUpdateType { None = 0, All, AutoLoose, AutoTight, N };
enum class VirtualGraphMode { Off = 0, Manual, Auto, ExecutionPhases, N };
enum class IrSerializationFormat { JSON };
enum class SyntheticDataMode { Off = 0, Zeros, RandomNormal, RandomUniform, N };
enum class Instrumentation { Outer = 0, Inner, N };
enum class BatchSerializationBatchSchedule {
  Scheduler = 0,
  Isomorphic,
  OverlapOnIo,
  OverlapOnCompute,
  N
};
enum class BatchSerializationTransformContext { Fwd = 0, Bwd, N };
enum class BatchSerializationMethod { UnrollDynamic = 0, UnrollStatic, Loop, N };
enum class ExecutionPhaseIOSchedule { Preload = 0, OnDemand, N };
enum class ExecutionPhaseSchedule { Interleaving = 0, Batch, BatchClusteredIO, N };
enum class AccumulateOuterFragmentSchedule {
  Scheduler = 0,
  Serial,
  OverlapCycleOptimized,
  OverlapMemoryOptimized
};
enum class SubgraphCopyingStrategy { OnEnterAndExit = 0, JustInTime, N };
enum class MeanReductionStrategy { Running = 0, Post, N };
enum class AutodiffStitchStrategy {
  RecomputeMinimal = 0,
  RecomputeAllNonInputs,
  AddFwdOutputs,
  SafeAddFwdOutputs,
  N
};

struct AutomaticLossScalingSettings {
  bool enabled = false;
  float binEdgeLocation = 0.125f;
  float thresholdUpperCountProportion = 1e-7f;
  nonstd::optional<std::vector<TensorId>> toTrackTensors;
  int updatePeriod = 1;
  GradientTensorTrackingMethod gradientTensorTrackingMethod =
      GradientTensorTrackingMethod::AllNonViewChangingGradientTensors;
};

struct ReplicatedCollectivesSettings {
  bool prepareScheduleForMergingCollectives = false;
  bool mergeAllReduceCollectives = false;
  bool mergeReduceScatterCollectives = false;
  bool mergeAllGatherCollectives = false;
};

struct TensorLocationSettings {
  TensorLocationSettings() = default;
  TensorLocationSettings(TensorLocation location_, int offChip = 2, int sharding = 8192)
      : location(location_),
        minElementsForOffChip(offChip),
        minElementsForReplicatedTensorSharding(sharding) {}

  TensorLocation location;
  int minElementsForOffChip = 2;
  int minElementsForReplicatedTensorSharding = 8192;
};

struct BatchSerializationSettings {
  int factor = 0;
  bool concatOnVirtualGraphChange = true;
  bool concatOnExecutionPhaseChange = true;
  bool concatOnPipelineStageChange = true;
  BatchSerializationTransformContext transformContext = BatchSerializationTransformContext::Fwd;
  BatchSerializationMethod method = BatchSerializationMethod::UnrollDynamic;
  BatchSerializationBatchSchedule batchSchedule = BatchSerializationBatchSchedule::Isomorphic;
};

struct ExecutionPhaseSettings {
  int phases = 0;
  int stages = 2;
  ExecutionPhaseIOSchedule weightIOSchedule = ExecutionPhaseIOSchedule::Preload;
  ExecutionPhaseIOSchedule activationIOSchedule = ExecutionPhaseIOSchedule::Preload;
  ExecutionPhaseIOSchedule optimizerStateIOSchedule = ExecutionPhaseIOSchedule::OnDemand;
  ExecutionPhaseIOSchedule accumulatorIOSchedule = ExecutionPhaseIOSchedule::Preload;
  ExecutionPhaseSchedule schedule = ExecutionPhaseSchedule::Interleaving;
};

struct AccumulateOuterFragmentSettings {
  AccumulateOuterFragmentSchedule schedule = AccumulateOuterFragmentSchedule::Serial;
  std::vector<int> excludedVirtualGraphs;
};

struct AutodiffSettings {
  AutodiffStitchStrategy stitchStrategy = AutodiffStitchStrategy::RecomputeAllNonInputs;
};

struct DeveloperSettings {
  double timePartitionLoggerThresholdPercentage = 1.0;
};

/// The options of a session.
struct SessionOptions {
  // What the emulation acts on.
  std::map<std::string, std::string> engineOptions;
  /// Files that are added to every graph, and the flags that they are compiled with.
  std::vector<std::string> customCodelets;
  std::string customCodeletCompileFlags;
  /// Refuse an output that is an input in place without saying so in Op::aliases.
  bool opxAliasChecking = false;
  /// By the names of patterns: whether they run. A pattern that is not named runs where its
  /// PatternCreator says so.
  std::map<std::string, bool> patterns;

  // What changes results, and what a session of the emulation in C++ does not have: it refuses
  // other values than these.
  bool enableReplicatedGraphs = false;
  std::int64_t replicatedGraphCount = 1;
  bool enableDistributedReplicatedGraphs = false;
  std::int64_t globalReplicationFactor = 1;
  std::int64_t globalReplicaOffset = 0;
  bool enableGradientAccumulation = false;
  std::int64_t accumulationFactor = 1;
  bool enablePipelining = false;
  SyntheticDataMode syntheticDataMode = SyntheticDataMode::Off;
  AutomaticLossScalingSettings automaticLossScalingSettings;
  bool enableFloatingPointChecks = false;
  bool enableStochasticRounding = false;
  bool compileEngine = true;

  // How a graph is computed, and what is written of it, which the emulation leaves as it is.
  ReductionType accumulationAndReplicationReductionType = ReductionType::Sum;
  MeanReductionStrategy meanAccumulationAndReplicationReductionStrategy =
      MeanReductionStrategy::Post;
  std::string logDir;
  std::set<std::string> dotChecks;
  int firstDotOp = 0;
  int finalDotOp = 10000;
  bool dotOpNames = false;
  bool exportPoplarComputationGraph = false;
  bool exportPoplarVertexGraph = false;
  bool separateCallOpPdfs = true;
  bool enableOutlining = true;
  bool enableOutliningCopyCostPruning = true;
  float outlineThreshold = 1.0f;
  float outlineSequenceBreakCost = 10000.0f;
  SubgraphCopyingStrategy subgraphCopyingStrategy = SubgraphCopyingStrategy::OnEnterAndExit;
  RecomputationType autoRecomputation = RecomputationType::None;
  MergeVarUpdateType mergeVarUpdate = MergeVarUpdateType::None;
  std::int64_t mergeVarUpdateMemThreshold = 1000000;
  std::int64_t looseThresholdAtPeak = 8000;
  bool rearrangeAnchorsOnHost = true;
  bool rearrangeStreamsOnHost = false;
  bool enablePrefetchDatastreams = true;
  unsigned defaultBufferingDepth = 1;
  unsigned defaultPrefetchBufferingDepth = 1;
  std::map<TensorId, unsigned> bufferingDepthMap, prefetchBufferingDepthMap;
  bool enableNonStableSoftmax = false;
  VirtualGraphMode virtualGraphMode = VirtualGraphMode::Off;
  std::vector<float> virtualGraphSplitRatios;
  bool instrumentWithHardwareCycleCounter = false;
  std::set<Instrumentation> hardwareInstrumentations{Instrumentation::Outer};
  bool disableGradAccumulationTensorStreams = false;
  bool disableOptimizerStateTensorStreams = false;
  bool constantWeights = true;
  bool enableEngineCaching = false;
  bool enableVariablesCaching = true;
  std::string cachePath = "session_cache";
  ExecutionPhaseSettings executionPhaseSettings;
  AccumulateOuterFragmentSettings accumulateOuterFragmentSettings;
  bool explicitRecomputation = false;
  int numIOTiles = 0;
  bool aliasZeroCopy = false;
  BatchSerializationSettings batchSerializationSettings;
  AutodiffSettings autodiffSettings;
  bool delayVarUpdates = true;
  bool scheduleNonWeightUpdateGradientConsumersEarly = false;
  bool enableFullyConnectedPass = true;
  bool enableSerializedMatmuls = true;
  std::string partialsTypeMatMuls;
  bool enableStableNorm = false;
  std::map<std::string, std::string> convolutionOptions, lstmOptions, matmulOptions;
  std::map<std::string, std::string> reportOptions, gclOptions;
  struct ExperimentalSettings {
    std::map<std::string, std::vector<std::string>> customTransformApplierSettings;
    bool createHostTransferableTensorWithOffset = false;
  };
  ExperimentalSettings experimentalSettings;
  std::vector<TensorId> updatableNamedBuffers;
  double timeLimitScheduler = 1e9;
  std::int64_t swapLimitScheduler = 1000000000;
  std::string serializedPoprithmsShiftGraphsDir;
  std::string kahnTieBreaker = "greedy";
  std::size_t transitiveClosureOptimizationThreshold = 100000;
  bool decomposeGradSum = false;
  ReplicatedCollectivesSettings replicatedCollectivesSettings;
  bool groupHostSync = false;
  bool strictOpVersions = true;
  bool opxModifyChecking = false;
  bool useHostCopyOps = false;
  bool enableEfficientOverlapIOTopoCons = false;
  bool enableLoadAndOffloadRNGState = false;
  TensorLocationSettings activationTensorLocationSettings, weightTensorLocationSettings;
  TensorLocationSettings optimizerStateTensorLocationSettings, accumulatorTensorLocationSettings;
  std::map<TensorId, TensorLocation> tensorLocationSettingsOverride;
  DeveloperSettings developerSettings;
  bool enableSupportedDataTypeCasting = true;
  bool enableExplicitMainLoops = false;
  bool groupNormStridedChannelGrouping = false;
  std::function<void(int, int)> compilationProgressLogger;
  int compilationProgressTotal = 100;
  bool enableMergeExchange = true;
  bool ensureFp32LossScaleTensor = false;
  bool enableInplaceAmbiguityChecking = false;
  bool createImplicitPipeliningFwdOnlyProgram = false;
  bool throwIfLog2ScaleTensorNotInRange = true;
  bool enableConstantFoldingOfMultipleConsumers = true;
  bool useLoopCandidateCreator = false;
  bool stashAllTensorsInferencePipeline = false;

  /// Of an op's own collectives: there are no replicas.
  std::int64_t getGlobalReplicationFactor() const { return 1; }
  unsigned getAccumulationFactor() const { return 1; }
  bool autoRecomputationEnabled() const { return autoRecomputation != RecomputationType::None; }
  bool shouldDelayVarUpdates() const { return delayVarUpdates; }
  bool explicitPipeliningEnabled() const { return false; }
  bool implicitPipeliningEnabled() const { return false; }
  void enableExplicitIR(bool enable) {
    useHostCopyOps = enableExplicitMainLoops = explicitRecomputation = enable;
  }
};

}  // namespace popart

#endif  // popart_sessionoptions_hpp
