"""The choices that PopART's settings have, with its numbers."""

from __future__ import annotations

from enum import IntEnum

AccumulateOuterFragmentSchedule = IntEnum(
    "AccumulateOuterFragmentSchedule",
    "Scheduler Serial OverlapCycleOptimized OverlapMemoryOptimized",
    start=0,
)
AdamMode = IntEnum("AdamMode", "Adam AdamNoBias AdaMax Lamb LambNoBias", start=0)
AdaptiveMode = IntEnum("AdaptiveMode", "AdaGrad RMSProp CenteredRMSProp AdaDelta", start=0)
AnchorReturnTypeId = IntEnum("AnchorReturnTypeId", "Final EveryN All Sum", start=0)
AutodiffStitchStrategy = IntEnum(
    "AutodiffStitchStrategy",
    "RecomputeMinimal RecomputeAllNonInputs AddFwdOutputs SafeAddFwdOutputs",
    start=0,
)
BatchSerializationBatchSchedule = IntEnum(
    "BatchSerializationBatchSchedule", "Scheduler Isomorphic OverlapOnIo OverlapOnCompute", start=0
)
BatchSerializationMethod = IntEnum(
    "BatchSerializationMethod", "UnrollDynamic UnrollStatic Loop", start=0
)
BatchSerializationTransformContext = IntEnum(
    "BatchSerializationTransformContext", "Fwd Bwd", start=0
)
CollectiveOperator = IntEnum(
    "CollectiveOperator", "Add Mean Mul Min Max LogicalAnd LogicalOr SquareAdd Local", start=0
)
CommGroupType = IntEnum("CommGroupType", "All Consecutive Orthogonal Ungrouped", start=0)
DataType = IntEnum(
    "DataType",
    "UINT8 INT8 FLOAT8_143 FLOAT8_152 UINT16 INT16 INT32 INT64 UINT32 UINT64 BOOL FLOAT FLOAT16 "
    "BFLOAT16 DOUBLE COMPLEX64 COMPLEX128 STRING UNDEFINED",
    start=0,
)
ExchangeStrategy = IntEnum(
    "ExchangeStrategy",
    "JustInTime OverlapInnerLoop OverlapLoops OverlapStep",
    start=0,
)
ExecutionPhaseIOSchedule = IntEnum("ExecutionPhaseIOSchedule", "Preload OnDemand", start=0)
ExecutionPhaseSchedule = IntEnum(
    "ExecutionPhaseSchedule", "Interleaving Batch BatchClusteredIO", start=0
)
GradientTensorTrackingMethod = IntEnum(
    "GradientTensorTrackingMethod",
    "AllNonViewChangingGradientTensors ConvAndMatmulGradients GradientsOfUserSpecifiedTensors",
    start=0,
)
InitType = IntEnum("InitType", "NoInit Zero", start=0)
Instrumentation = IntEnum("Instrumentation", "Outer Inner", start=0)
IrSerializationFormat = IntEnum("IrSerializationFormat", "JSON", start=0)
MeanReductionStrategy = IntEnum("MeanReductionStrategy", "Running Post", start=0)
MergeVarUpdateType = IntEnum("MergeVarUpdateType", "Off All AutoLoose AutoTight", start=0)
PatternsLevel = IntEnum("PatternsLevel", "NoPatterns Minimal Default All", start=0)
RecomputationType = IntEnum(
    "RecomputationType", "NoRecompute Standard NormOnly Pipeline RecomputeAll", start=0
)
RecomputeType = IntEnum("RecomputeType", "Undefined Checkpoint Recompute Recomputed", start=0)
ReductionType = IntEnum("ReductionType", "Sum Mean NoReduction", start=0)
ReplicatedStreamMode = IntEnum("ReplicatedStreamMode", "Replicate Broadcast", start=0)
ReplicatedTensorSharding = IntEnum("ReplicatedTensorSharding", "Off On", start=0)
ScatterReduction = IntEnum("ScatterReduction", "Sum Max Min Mul NoReduction", start=0)
SGDAccumulatorAndMomentum = IntEnum("SGDAccumulatorAndMomentum", "Combined Separate", start=0)
SubgraphCopyingStrategy = IntEnum("SubgraphCopyingStrategy", "OnEnterAndExit JustInTime", start=0)
SyntheticDataMode = IntEnum("SyntheticDataMode", "Off Zeros RandomNormal RandomUniform", start=0)
TensorRemapType = IntEnum("TensorRemapType", "FwdBwdReverse FwdBwd Fwd", start=0)
TensorStorage = IntEnum("TensorStorage", "OnChip OffChip", start=0)
TileSet = IntEnum("TileSet", "Compute IO", start=0)
VariableRetrievalMode = IntEnum(
    "VariableRetrievalMode", "OnePerGroup AllReduceReplicas AllReplicas", start=0
)
VirtualGraphMode = IntEnum("VirtualGraphMode", "Off Manual Auto ExecutionPhases", start=0)
WeightDecayMode = IntEnum("WeightDecayMode", "Decay L2Regularization", start=0)
