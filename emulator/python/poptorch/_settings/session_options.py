"""The options of a session by name and type, as PopTorch's C++ half checks them."""

from __future__ import annotations

import enum
from typing import Any, Mapping

from .._errors import Error
from .._logging import logger

_BOOLS = """
    aliasZeroCopy auto_round_num_ipus automatic_loss_scaling automaticLossScalingSettings.enabled
    batchSerializationSettings.concatOnExecutionPhaseChange
    batchSerializationSettings.concatOnPipelineStageChange
    batchSerializationSettings.concatOnVirtualGraphChange broadcast_buffers compileEngine
    constantWeights decomposeGradSum delayVarUpdates disableGradAccumulationTensorStreams
    disableOptimizerStateTensorStreams dotOpNames enableDistributedReplicatedGraphs
    enableEngineCaching enableExplicitIR enableExplicitMainLoops enableFloatingPointChecks
    enableFullyConnectedPass enableGradientAccumulation enableInplaceAmbiguityChecking
    enableLoadAndOffloadRNGState enableMergeExchange enableNonStableSoftmax enableOutlining
    enableOutliningCopyCostPruning enablePipelining enablePrefetchDatastreams
    enableReplicatedGraphs enableSerializedMatmuls enableStableNorm enableStochasticRounding
    enableSupportedDataTypeCasting ensureFp32LossScaleTensor explicitRecomputation
    exportPoplarComputationGraph exportPoplarVertexGraph groupHostSync
    groupNormStridedChannelGrouping instrumentWithHardwareCycleCounter module_namescope
    opxAliasChecking opxModifyChecking rearrangeAnchorsOnHost rearrangeStreamsOnHost
    relax_optimizer_checks
    replicatedCollectivesSettings.mergeAllReduceCollectives
    replicatedCollectivesSettings.prepareScheduleForMergingCollectives
    scheduleNonWeightUpdateGradientConsumersEarly separate_backward_phase separateCallOpPdfs
    serial_phases_execution show_compilation_progress_bar strictOpVersions use_model useHostCopyOps
"""
_INTEGERS = """
    accumulateOuterFragmentSettings.schedule accumulation_and_replication_reduction_type
    accumulationAndReplicationReductionType accumulationFactor
    autodiffSettings.stitchStrategy automaticLossScalingSettings.gradientTensorTrackingMethod
    automaticLossScalingSettings.updatePeriod autoRecomputation
    batchSerializationSettings.batchSchedule batchSerializationSettings.factor
    batchSerializationSettings.method batchSerializationSettings.transformContext
    compilationProgressTotal connection_type defaultBufferingDepth defaultPrefetchBufferingDepth
    device_iterations distributed_process_id execution_mode executionPhaseSettings.phases
    executionPhaseSettings.stages finalDotOp firstDotOp globalReplicaOffset
    globalReplicationFactor gradient_accumulation input_cgt input_group_size ipu_id ipu_version
    looseThresholdAtPeak max_repeat_logs meanAccumulationAndReplicationReductionStrategy
    mergeVarUpdate mergeVarUpdateMemThreshold num_distributed_processes numIOTiles output_mode
    output_return_period random_seed replication_factor subgraphCopyingStrategy swapLimitScheduler
    sync_pattern syntheticDataMode tensors_liveness transitiveClosureOptimizationThreshold
    virtualGraphMode
"""
_STRINGS = """
    cachePath customCodeletCompileFlags kahnTieBreaker log_dir logDir model_name partialsTypeMatMuls
    saveInitializersToFile serializedPoprithmsShiftGraphsDir
"""
_FLOATS = """
    automaticLossScalingSettings.binEdgeLocation
    automaticLossScalingSettings.thresholdUpperCountProportion outlineSequenceBreakCost
    outlineThreshold timeLimitScheduler
"""
_CONTAINERS = """
    accumulateOuterFragmentSettings.excludedVirtualGraphs convolutionOptions customCodelets
    dotChecks engineOptions gclOptions hardwareInstrumentations lstmOptions matmulOptions
    reportOptions updatableNamedBuffers
"""
_NAMES: tuple[tuple[Any, str, frozenset[str]], ...] = (
    (bool, "bool", frozenset(_BOOLS.split())),
    (float, "floating point", frozenset(_FLOATS.split())),
    ((int, enum.Enum), "uint64", frozenset(_INTEGERS.split())),
    (str, "string", frozenset(_STRINGS.split())),
    ((set, list, tuple), "set / vector", frozenset(_CONTAINERS.split())),
    (dict, "map", frozenset(_CONTAINERS.split())),
)
_MODES = {"Pipelined": 0, "Sharded": 1, "Phased": 2}
_IN_PYTHON = {"anchored_tensors", "available_memory_proportion", "patterns", "patterns_level"}
_LOCATIONS = {f"location_{kind}" for kind in ("activation", "weight", "optimizer", "accumulator")}
_LOCATION_KEYS = {
    "minElementsForOffChip",
    "minElementsForReplicatedTensorSharding",
    "onChip",
    "useIOTilesToLoad",
    "useIOTilesToStore",
    "useReplicatedTensorSharding",
}


def check_options(values: Mapping[str, Any]) -> None:
    """Check names and types of a session's options, and log each.

    Raises
    ------
    Error
        Where an option has a name or a type that PopART does not know.
    """
    for name, value in values.items():
        if name in _IN_PYTHON:
            _check_patterns(name, values)
        elif name in _LOCATIONS and isinstance(value, dict):
            for key, entry in value.items():
                if key not in _LOCATION_KEYS:
                    raise Error(f"Unknown option '{key}' for tensor location {name}")
                logger.debug("Setting %s to %s for location %s", key, _shown(entry), name)
        else:
            _check(name, value)


def _check_patterns(name: str, values: Mapping[str, Any]) -> None:
    if name == "patterns" and "patterns_level" not in values:
        raise Error(
            "PopART option 'patterns' should not be set without first setting 'patterns_level'."
        )


def _check(name: str, value: Any) -> None:
    found = [(word, names) for kind, word, names in _NAMES if isinstance(value, kind)]
    if not found:
        raise Error(f"Unknown value type {type(value)} for option {name}")
    word, names = found[0]
    if name not in names:
        raise Error(f"Unknown {word} option {name}")
    if isinstance(value, dict):
        for key, entry in value.items():
            logger.debug("poptorch.Options set %s[%s] to %s", name, key, _shown(entry))
    elif isinstance(value, (set, list, tuple)):
        for entry in value:
            logger.debug("poptorch.Options added %s to %s", _shown(entry), name)
    else:
        logger.debug("poptorch.Options set %s to value %s", name, _shown(value))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.value if isinstance(value, enum.Enum) else value)


def strategy_options(strategy: Any) -> dict[str, Any]:
    """Return what an execution strategy sets of a session."""
    values: dict[str, Any] = {"execution_mode": _MODES[strategy.mode]}
    if strategy.mode == "Phased":
        values["serial_phases_execution"] = strategy.serial
        values["separate_backward_phase"] = strategy.separate_backward
        values["tensors_liveness"] = strategy.liveness
    return values
