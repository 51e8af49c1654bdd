"""The choices that PopTorch's options have, with its numbers."""

from __future__ import annotations

import enum


class OutputMode(enum.IntEnum):
    """Batches whose outputs come back: the last, every n-th, all, or their sum."""

    Final = 0
    EveryN = 1
    All = 2
    Sum = 3
    Default = 4
    """All in inference, Final in training."""


class ReductionType(enum.IntEnum):
    """Reduction of gradients over micro-batches and replicas."""

    Sum = 0
    Mean = 1
    NoReduction = 2


class MeanReductionStrategy(enum.IntEnum):
    """Time of division of a mean over micro-batches: with each, at the end, or partly before."""

    Running = 0
    Post = 1
    PostAndLoss = 2


class DataLoaderMode(enum.IntEnum):
    """Whether batches are made when they are asked for, or ahead by another thread."""

    Sync = 0
    Async = 1
    AsyncRebatched = 2


class SharingStrategy(enum.IntEnum):
    """Transfer of a dataset to a loader's process."""

    SharedMemory = 0
    FileSystem = 1
    Fork = 2
    ForkServer = 3


class ConnectionType(enum.IntEnum):
    """Time to attach to a device: at once, before the first run, or never."""

    Always = 0
    OnDemand = 1
    Never = 2


class SyncPattern(enum.IntEnum):
    """IPUs that wait for each other."""

    Full = 0
    SinglePipeline = 1
    ReplicaAndLadder = 2


class MatMulSerializationMode(enum.Enum):
    """Along which dimension a matrix product is cut."""

    InputChannels = "input_channels"
    ReducingDim = "reducing_dim"
    OutputChannels = "output_channels"
    Disabled = "none"


class Liveness(enum.IntEnum):
    """Location of tensors between the phases of phased execution."""

    AlwaysLive = 0
    OffChipAfterFwd = 1
    OffChipAfterFwdNoOverlap = 2
    OffChipAfterEachPhase = 3


class OverlapMode(enum.Enum):
    """Lead of the host's copies of inputs over the computation."""

    NoOverlap = "no_overlap"
    OverlapAccumulationLoop = "overlap_accumulation_loop"
    OverlapDeviceIterationLoop = "overlap_device_iteration_loop"


class AutoStage(enum.IntEnum):
    """Whether a block's stage is its IPU's number or the next one."""

    SameAsIpu = 0
    AutoIncrement = 1


class CommGroupType(enum.IntEnum):
    """Replicas that have an input or a variable in common."""

    All = 0
    Consecutive = 1
    Orthogonal = 2
    NoGrouping = 3


class VariableRetrievalMode(enum.IntEnum):
    """Whether a grouped variable comes back once a group or from each replica."""

    OnePerGroup = 0
    AllReplicas = 2


class MultiConvPlanType(enum.IntEnum):
    """Whether the convolutions of a `MultiConv` run at the same time."""

    Parallel = 0
    Serial = 1


class HalfFloatCastingBehavior(enum.IntEnum):
    """Choice of earlier releases for halves with floats; 3.4 goes by torch's rules."""

    FloatDowncastToHalf = 0
    HalfUpcastToFloat = 1
    Default = 2
