"""The groups of options that `Options` holds: Training, Precision, Distributed and the like."""

from __future__ import annotations

import os
from typing import Any

import torch

from .. import enums
from .._errors import Error
from .option_set import OptionSet
from .stored_options import LOCATION_OF_A_KIND, LOCATIONS, TRAINING, stores


class PopartOptions(OptionSet):
    """Options of PopART's session, by its names, for those who know them."""

    def __init__(self) -> None:
        super().__init__(instrumentWithHardwareCycleCounter=False, rearrangeAnchorsOnHost=False)

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return self._values

    def set(self, key: str, value: Any) -> PopartOptions:  # type: ignore[override]
        """Set one option by PopART's name."""
        self.create(**{key: value})
        return self

    def add(self, key: str, **values: Any) -> PopartOptions:
        """Add entries to an option that is a dictionary."""
        return self.set(key, {**self.options.get(key, {}), **values})

    def setEngineOptions(self, engine_options: dict[str, str]) -> PopartOptions:
        """Set Poplar's engine options."""
        return self.set("engineOptions", engine_options)

    def setPatterns(self, patterns: dict[str, bool], level: int = 2) -> PopartOptions:
        """Hold which of PopART's patterns are on."""
        if not isinstance(level, int) or not isinstance(patterns, dict):
            raise AssertionError(
                "setPatterns: expected a dictionary and an integer, "
                f"got {type(patterns)} and {type(level)}"
            )
        return self.set("patterns_level", level).set("patterns", patterns)


@stores(TRAINING)
class TrainingOptions(OptionSet):
    """Options of training alone."""

    def __init__(self, popart: PopartOptions) -> None:
        super().__init__(
            gradient_accumulation=1,
            automatic_loss_scaling=False,
            accumulation_and_replication_reduction_type=enums.ReductionType.Mean,
            meanAccumulationAndReplicationReductionStrategy=enums.MeanReductionStrategy.Post,
        )
        self._popart_options = popart

    def gradientAccumulation(self, gradient_accumulation: int) -> TrainingOptions:
        """Add up the gradients of so many micro-batches before each update (default 1)."""
        if isinstance(gradient_accumulation, int) and gradient_accumulation < 1:
            raise Error(f"gradientAccumulation: expected at least 1, got {gradient_accumulation}.")
        self.set(gradient_accumulation=gradient_accumulation)
        return self

    def accumulationAndReplicationReductionType(
        self, reduction_type: enums.ReductionType
    ) -> TrainingOptions:
        """Choose the mean (default) or the sum over micro-batches and replicas."""
        if reduction_type not in (enums.ReductionType.Mean, enums.ReductionType.Sum):
            raise ValueError(
                "accumulationAndReplicationReductionType must be set to "
                "poptorch.ReductionType.Mean or poptorch.ReductionType.Sum"
            )
        self.set(accumulation_and_replication_reduction_type=reduction_type)
        return self

    def setAutomaticLossScaling(self, enabled: bool) -> TrainingOptions:
        """Scale the loss by a factor too that follows the gradients of halves (default off)."""
        self.set(automatic_loss_scaling=enabled)
        return self

    def setConvolutionDithering(self, enabled: bool) -> TrainingOptions:
        """Hold whether convolutions begin on different tiles."""
        self._popart_options.add("convolutionOptions", enableConvDithering=enabled)
        return self


class PrecisionOptions(OptionSet):
    """Options of rounding."""

    def __init__(self, popart: PopartOptions) -> None:
        super().__init__()
        self._popart_options = popart

    def enableFloatingPointExceptions(self, enabled: bool) -> PrecisionOptions:
        """Raise an error where a result of the model is not a number (default off)."""
        if not isinstance(enabled, bool):
            raise AssertionError("enableFloatingPointExceptions needs to be set to a bool")
        self._popart_options.set("enableFloatingPointChecks", enabled)
        return self

    def enableStochasticRounding(self, enabled: bool) -> PrecisionOptions:
        """Hold whether halves round at random; the emulation rounds to nearest."""
        self._popart_options.set("enableStochasticRounding", enabled)
        return self

    def setPartialsType(self, dtype: torch.dtype) -> PrecisionOptions:
        """Hold the type of partial sums; the emulation's are torch's."""
        names = {torch.float32: "float", torch.float16: "half"}
        if dtype not in names:
            raise ValueError(
                "parameter to setPartialsType should be either torch.float or torch.half"
            )
        self._popart_options.set("partialsTypeMatMuls", names[dtype])
        self._popart_options.add("convolutionOptions", partialsType=names[dtype])
        return self


class JitOptions(OptionSet):
    """Options of tracing, which PopTorch 3.4 keeps for old scripts."""

    def traceModel(self, trace_model: bool) -> JitOptions:
        """Refuse to trace with torch.jit, as PopTorch 3.4 does."""
        if trace_model:
            raise ValueError("options.Jit.traceModel(True) is no longer supported")
        return self


class DistributedOptions(OptionSet):
    """Rank of this process among several; each loads its own part of a dataset."""

    def __init__(self) -> None:
        super().__init__(num_distributed_processes=1, distributed_process_id=0)
        self.setEnvVarNames("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK")

    def disable(self) -> DistributedOptions:
        """Be the only process."""
        return self.configureProcessId(0, 1)

    def setEnvVarNames(self, var_num_processes: str, var_process_id: str) -> DistributedOptions:
        """Read both numbers from environment variables (default: Open MPI's)."""
        return self.configureProcessId(
            int(os.environ.get(var_process_id, "0")), int(os.environ.get(var_num_processes, "1"))
        )

    def configureProcessId(self, process_id: int, num_processes: int) -> DistributedOptions:
        """Be process `process_id` of `num_processes`."""
        self.set(distributed_process_id=process_id, num_distributed_processes=num_processes)
        return self

    @property
    def processId(self) -> int:
        """Number of this process."""
        return int(self.distributed_process_id)

    @property
    def numProcesses(self) -> int:
        """Number of processes."""
        return int(self.num_distributed_processes)


@stores(LOCATION_OF_A_KIND)
class TensorLocationSettings(OptionSet):
    """Location of tensors of one kind."""


@stores(LOCATIONS)
class TensorLocationOptions(OptionSet):
    """Locations of activations, weights, optimizer states and accumulators."""

    def numIOTiles(self, num_tiles: int) -> TensorLocationOptions:
        """Hold how many tiles are set apart for input and output."""
        if num_tiles % 2 or not 32 <= num_tiles <= 192:
            raise AssertionError("numIOTiles must be an even number between 32 and 192.")
        self.create(numIOTiles=num_tiles)
        return self
