"""SessionOptions and its groups, with PopART's names and defaults."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from .enums import (
    AccumulateOuterFragmentSchedule,
    AutodiffStitchStrategy,
    BatchSerializationBatchSchedule,
    BatchSerializationMethod,
    BatchSerializationTransformContext,
    ExecutionPhaseIOSchedule,
    ExecutionPhaseSchedule,
    GradientTensorTrackingMethod,
    Instrumentation,
    MeanReductionStrategy,
    MergeVarUpdateType,
    PatternsLevel,
    RecomputationType,
    ReductionType,
    ReplicatedTensorSharding,
    SubgraphCopyingStrategy,
    SyntheticDataMode,
    TensorStorage,
    TileSet,
    VirtualGraphMode,
)


class _Settings:
    """Values by name; another name is an error, as in PopART."""

    _defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, *values: Any, **named: Any) -> None:
        for name, value in self._defaults.items():
            object.__setattr__(self, name, value() if callable(value) else value)
        if len(values) > len(self._defaults):
            raise TypeError(
                f"{type(self).__name__}: expected at most {len(self._defaults)} values, got "
                f"{len(values)}"
            )
        for name, value in [*zip(self._defaults, values), *named.items()]:
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults and not hasattr(type(self), name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        object.__setattr__(self, name, value)


class TensorLocation(_Settings):
    """Location of a tensor; stored, without effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "storage": TensorStorage.OnChip,
        "loadTileSet": TileSet.Compute,
        "storageTileSet": TileSet.Compute,
        "replicatedTensorSharding": ReplicatedTensorSharding.Off,
        "shardingDomain": None,
    }


class TensorLocationSettings(_Settings):
    """Location of tensors of a kind; stored, without effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "location": TensorLocation,
        "minElementsForOffChip": 2,
        "minElementsForReplicatedTensorSharding": 8192,
    }


class AutomaticLossScalingSettings(_Settings):
    """Settings of a loss scale that follows the gradients."""

    _defaults: ClassVar[dict[str, Any]] = {
        "enabled": False,
        "toTrackTensors": None,
        "binEdgeLocation": 0.125,
        "thresholdUpperCountProportion": 1e-7,
        "updatePeriod": 1,
        "gradientTensorTrackingMethod": GradientTensorTrackingMethod(0),
    }


class ReplicatedCollectivesSettings(_Settings):
    """Settings of merged collectives; stored, without effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "prepareScheduleForMergingCollectives": False,
        "mergeAllReduceCollectives": False,
        "mergeReduceScatterCollectives": False,
        "mergeAllGatherCollectives": False,
    }


class BatchSerializationSettings(_Settings):
    """Settings of batch serialization; stored, without effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "factor": 0,
        "concatOnVirtualGraphChange": True,
        "concatOnExecutionPhaseChange": True,
        "concatOnPipelineStageChange": True,
        "transformContext": BatchSerializationTransformContext.Fwd,
        "method": BatchSerializationMethod.UnrollDynamic,
        "batchSchedule": BatchSerializationBatchSchedule.Isomorphic,
    }


class AutodiffSettings(_Settings):
    """Settings of the inputs of gradient graphs; stored, without effect."""

    _defaults: ClassVar[dict[str, Any]] = {
        "stitchStrategy": AutodiffStitchStrategy.RecomputeAllNonInputs
    }


class ExecutionPhaseSettings(_Settings):
    """Phases of execution; stored alone."""

    _defaults: ClassVar[dict[str, Any]] = {
        "phases": 0,
        "stages": 2,
        "weightIOSchedule": ExecutionPhaseIOSchedule.Preload,
        "activationIOSchedule": ExecutionPhaseIOSchedule.Preload,
        "optimizerStateIOSchedule": ExecutionPhaseIOSchedule.OnDemand,
        "accumulatorIOSchedule": ExecutionPhaseIOSchedule.Preload,
        "schedule": ExecutionPhaseSchedule.Interleaving,
    }


class AccumulateOuterFragmentSettings(_Settings):
    """Order of what follows gradient accumulation; stored alone."""

    _defaults: ClassVar[dict[str, Any]] = {
        "schedule": AccumulateOuterFragmentSchedule.Serial,
        "excludedVirtualGraphs": list,
    }


class ExperimentalSettings(_Settings):
    """Experiments of PopART; stored alone."""

    _defaults: ClassVar[dict[str, Any]] = {
        "customTransformApplierSettings": dict,
        "createHostTransferableTensorWithOffset": False,
    }


class SessionOptions(_Settings):
    """Everything that decides how a model is compiled and run.

    Numbers depend on `accumulationFactor`, `replicatedGraphCount` and their switches, on
    `accumulationAndReplicationReductionType` and its strategy, `automaticLossScalingSettings`,
    `syntheticDataMode`, `constantWeights`, and for custom operators on `engineOptions` and
    `customCodelets`. The rest moves data and work about on a device, and is stored alone.
    """

    _defaults: ClassVar[dict[str, Any]] = {
        "logDir": "",
        "dotChecks": set,
        "firstDotOp": 0,
        "finalDotOp": 10000,
        "dotOpNames": False,
        "exportPoplarComputationGraph": False,
        "exportPoplarVertexGraph": False,
        "separateCallOpPdfs": True,
        "enableOutlining": True,
        "enableOutliningCopyCostPruning": True,
        "outlineThreshold": 1.0,
        "outlineSequenceBreakCost": 10000.0,
        "subgraphCopyingStrategy": SubgraphCopyingStrategy.OnEnterAndExit,
        "autoRecomputation": RecomputationType.NoRecompute,
        "mergeVarUpdate": MergeVarUpdateType.Off,
        "mergeVarUpdateMemThreshold": 1000000,
        "looseThresholdAtPeak": 8000,
        "rearrangeAnchorsOnHost": True,
        "rearrangeStreamsOnHost": False,
        "enablePrefetchDatastreams": True,
        "defaultBufferingDepth": 1,
        "defaultPrefetchBufferingDepth": 1,
        "bufferingDepthMap": dict,
        "prefetchBufferingDepthMap": dict,
        "enableNonStableSoftmax": False,
        "enableReplicatedGraphs": False,
        "enableGradientAccumulation": False,
        "accumulationAndReplicationReductionType": ReductionType.Sum,
        "meanAccumulationAndReplicationReductionStrategy": MeanReductionStrategy.Post,
        "replicatedGraphCount": 1,
        "accumulationFactor": 1,
        "virtualGraphMode": VirtualGraphMode.Off,
        "virtualGraphSplitRatios": list,
        "enablePipelining": False,
        "syntheticDataMode": SyntheticDataMode.Off,
        "instrumentWithHardwareCycleCounter": False,
        "hardwareInstrumentations": lambda: {Instrumentation.Outer},
        "disableGradAccumulationTensorStreams": False,
        "disableOptimizerStateTensorStreams": False,
        "compileEngine": True,
        "constantWeights": True,
        "enableEngineCaching": False,
        "enableVariablesCaching": True,
        "cachePath": "session_cache",
        "enableFloatingPointChecks": False,
        "enableStochasticRounding": False,
        "_enableRngStateManagement": False,
        "executionPhaseSettings": ExecutionPhaseSettings,
        "accumulateOuterFragmentSettings": AccumulateOuterFragmentSettings,
        "explicitRecomputation": False,
        "numIOTiles": 0,
        "aliasZeroCopy": False,
        "batchSerializationSettings": BatchSerializationSettings,
        "autodiffSettings": AutodiffSettings,
        "delayVarUpdates": True,
        "scheduleNonWeightUpdateGradientConsumersEarly": False,
        "enableFullyConnectedPass": True,
        "enableSerializedMatmuls": True,
        "partialsTypeMatMuls": "",
        "enableStableNorm": False,
        "engineOptions": dict,
        "convolutionOptions": dict,
        "lstmOptions": dict,
        "matmulOptions": dict,
        "reportOptions": dict,
        "gclOptions": dict,
        "experimentalSettings": ExperimentalSettings,
        "customCodelets": list,
        "updatableNamedBuffers": list,
        "customCodeletCompileFlags": "",
        "timeLimitScheduler": 1e9,
        "swapLimitScheduler": 1000000000,
        "serializedPoprithmsShiftGraphsDir": "",
        "kahnTieBreaker": "greedy",
        "transitiveClosureOptimizationThreshold": 100000,
        "decomposeGradSum": False,
        "replicatedCollectivesSettings": ReplicatedCollectivesSettings,
        "enableDistributedReplicatedGraphs": False,
        "globalReplicationFactor": 1,
        "globalReplicaOffset": 0,
        "groupHostSync": False,
        "strictOpVersions": True,
        "opxAliasChecking": False,
        "opxModifyChecking": False,
        "useHostCopyOps": False,
        "enableEfficientOverlapIOTopoCons": False,
        "enableLoadAndOffloadRNGState": False,
        "activationTensorLocationSettings": TensorLocationSettings,
        "weightTensorLocationSettings": TensorLocationSettings,
        "optimizerStateTensorLocationSettings": TensorLocationSettings,
        "accumulatorTensorLocationSettings": TensorLocationSettings,
        "tensorLocationSettingsOverride": dict,
        "automaticLossScalingSettings": AutomaticLossScalingSettings,
        "enableSupportedDataTypeCasting": True,
        "enableExplicitMainLoops": False,
        "groupNormStridedChannelGrouping": False,
        "compilationProgressLogger": None,
        "compilationProgressTotal": 100,
        "enableMergeExchange": True,
        "ensureFp32LossScaleTensor": False,
        "enableInplaceAmbiguityChecking": False,
        "createImplicitPipeliningFwdOnlyProgram": False,
        "throwIfLog2ScaleTensorNotInRange": True,
        "enableConstantFoldingOfMultipleConsumers": True,
        "useLoopCandidateCreator": False,
        "stashAllTensorsInferencePipeline": False,
    }

    def __init__(self) -> None:
        super().__init__()
        path = os.environ.get("POPART_CACHE_DIR", "")
        if path:
            self.enableEngineCaching, self.cachePath = True, path

    def enableExplicitIR(self, enable: bool) -> None:
        """Store whether copies, loops and recomputation are operators of the graph."""
        self.useHostCopyOps = self.enableExplicitMainLoops = self.explicitRecomputation = enable

    def getGlobalReplicationFactor(self) -> int:
        """Return the number of replicas of all processes."""
        options: Any = self
        if options.enableDistributedReplicatedGraphs:
            return int(options.globalReplicationFactor)
        return int(options.replicatedGraphCount) if options.enableReplicatedGraphs else 1


class Patterns:
    """Rewritings of the graph by name, which change no number; stored alone.

    Parameters
    ----------
    level : PatternsLevel or sequence of str, optional
        A level, or the names of those that are on.
    """

    def __init__(self, level: Any = PatternsLevel.Default, patterns: Any = None) -> None:
        chosen = level if patterns is None else patterns
        named = not isinstance(chosen, PatternsLevel)
        self._level = PatternsLevel.NoPatterns if named else chosen
        self._settings = {str(name): True for name in chosen} if named else {}

    def isPatternEnabled(self, name: str) -> bool:
        """Whether a pattern is on."""
        return self._settings.get(name, self._level >= PatternsLevel.Default)

    def enablePattern(self, name: str, enabled: bool) -> Patterns:
        """Switch a pattern."""
        self._settings[name] = enabled
        return self

    def enableRuntimeAsserts(self, enabled: bool = True) -> Patterns:
        """Accept and ignore: here no pattern is needed."""
        return self

    def settings(self) -> dict[str, bool]:
        """Return the patterns that were named."""
        return dict(self._settings)

    def __getattr__(self, name: str) -> bool:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.isPatternEnabled(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self.enablePattern(name, bool(value))
