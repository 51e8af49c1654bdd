"""Options: how a model is compiled and run, with PopTorch's names."""

from __future__ import annotations

import ast
import json
import os
from typing import Any

import torch

from . import enums
from ._context import current
from ._errors import Error
from ._graphs import execution as _execution
from ._graphs.anchor_names import Anchor
from ._graphs.execution import ExecutionStrategy, PipelinedExecution
from ._settings.option_parts import (
    DistributedOptions,
    JitOptions,
    PopartOptions,
    PrecisionOptions,
    TensorLocationOptions,
    TensorLocationSettings,
    TrainingOptions,
)
from ._settings.option_set import OptionSet
from ._settings.session_options import strategy_options
from ._settings.stored_options import OPTIONS, stores

# PopTorch's own names of these classes, which wrappers of it derive from.
_DistributedOptions = DistributedOptions
_JitOptions = JitOptions
_PopartOptions = PopartOptions
_PrecisionOptions = PrecisionOptions
_TensorLocationOptions = TensorLocationOptions
_TrainingOptions = TrainingOptions

__all__ = ["Attribute", "ConfigFileError", "Options", "TensorLocationSettings"]


@stores(OPTIONS)
class Options(OptionSet):
    """Everything that decides how a model runs; each setter returns these options.

    What changes numbers or cycles acts as on the device: `deviceIterations`, `replicationFactor`,
    `outputMode`, `randomSeed`, `logCycleCount`, `Training`, `Distributed` for the loader, and of
    `_Popart` the engine options and custom codelets. What moves data or work about on a device
    (memory proportions, tensor locations, execution strategies, patterns, prefetch) is taken and
    stored, and changes nothing; `_stored_options.py` has a table of those that need no more.
    """

    _distributed_options = DistributedOptions  # which PopDist replaces

    def __init__(self) -> None:
        super().__init__(
            replication_factor=1,
            input_group_size=1,
            input_cgt=enums.CommGroupType.Consecutive,
            broadcast_buffers=True,
            device_iterations=1,
            log_dir=".",
            auto_round_num_ipus=False,
            anchored_tensors={},
            output_mode=enums.OutputMode.Default,
            output_return_period=1,
            connection_type=enums.ConnectionType.Always,
            sync_pattern=enums.SyncPattern.Full,
            available_memory_proportion={},
            model_name="",
            show_compilation_progress_bar=True,
            relax_optimizer_checks=False,
            max_repeat_logs=4,
            module_namescope=True,
        )
        self._source_location_excludes: list[str] = []
        self._popart = PopartOptions()
        self._training = TrainingOptions(self._popart)
        self._precision = PrecisionOptions(self._popart)
        self._jit = JitOptions()
        self._distributed = self._distributed_options()
        self._tensor_locations = TensorLocationOptions()
        self._execution_strategy: ExecutionStrategy = PipelinedExecution()
        self.from_json(os.environ.get("POPTORCH_DEFAULT_OPTIONS", "{}"))

    @property
    def Training(self) -> TrainingOptions:
        """Options of training alone."""
        return self._training

    @property
    def Precision(self) -> PrecisionOptions:
        """Options of rounding."""
        return self._precision

    @property
    def Jit(self) -> JitOptions:
        """Options of tracing, which PopTorch 3.4 keeps for old scripts."""
        return self._jit

    @property
    def Distributed(self) -> DistributedOptions:
        """Rank of this process among several."""
        return self._distributed

    @property
    def TensorLocations(self) -> TensorLocationOptions:
        """Locations of tensors."""
        return self._tensor_locations

    @property
    def _Popart(self) -> PopartOptions:
        return self._popart

    def from_json(self, string: str) -> Options:
        """Call setters by a JSON object of their names, as '{"Training.gradientAccumulation": 4}'.

        A list is a list of arguments; "OutputMode.All" is that choice.
        """
        for name, value in json.loads(string).items():
            setter: Any = self
            for name_part in name.split("."):
                setter = getattr(setter, name_part)
            setter(*(map(_choice, value) if isinstance(value, list) else [_choice(value)]))
        return self

    def loadFromFile(self, filepath: str) -> Options:
        """Call setters by the lines of a file, as `Training.gradientAccumulation(4)`."""
        with open(filepath) as lines:
            for number, line in enumerate(lines, 1):
                if line.split("#")[0].strip():
                    try:
                        _call(self, line.strip())
                    except Exception as error:
                        raise ConfigFileError(
                            f"{type(error).__name__} at line {number} of {filepath}: {error}"
                        ) from error
        return self

    def deviceIterations(self, device_iterations: int) -> Options:
        """Run so many batches on the device for each call (default 1)."""
        self.set(device_iterations=_positive("deviceIterations", device_iterations))
        return self

    def replicationFactor(self, replication_factor: int) -> Options:
        """Run the model on so many replicas, each on batches of its own (default 1)."""
        self.set(replication_factor=_positive("replicationFactor", replication_factor))
        return self

    def inputReplicaGrouping(
        self, input_group_size: int, input_group_type: enums.CommGroupType
    ) -> Options:
        """Give the same batch to so many replicas."""
        if input_group_type == enums.CommGroupType.All:
            raise ValueError("input_group_type cannot be All")
        if input_group_type == enums.CommGroupType.NoGrouping:
            input_group_size, input_group_type = 1, enums.CommGroupType.Consecutive
        if self.replication_factor < input_group_size:
            raise ValueError("input_group_size cannot be larger than replication_factor")
        if self.replication_factor % input_group_size:
            raise ValueError("input_group_size must be a factor of replication_factor")
        self.set(input_group_size=input_group_size, input_cgt=input_group_type)
        return self

    def broadcastBuffers(self, broadcast_buffers: bool = True) -> Options:
        """Refuse buffers that replicas would change apart (default), or let them drift."""
        self.set(broadcast_buffers=broadcast_buffers)
        return self

    def outputMode(
        self, output_mode: enums.OutputMode, output_return_period: int | None = None
    ) -> Options:
        """Choose which batches' outputs come back; `EveryN` takes a period."""
        if not isinstance(output_mode, enums.OutputMode):
            raise AssertionError(
                f"outputMode: expected a poptorch.OutputMode, got {type(output_mode)}"
            )
        if output_mode == enums.OutputMode.EveryN and not (output_return_period or 0) > 0:
            raise AssertionError(
                "EveryN anchor must have output_return_period set to valid positive integer"
            )
        self.set(output_mode=output_mode, output_return_period=output_return_period or 1)
        return self

    def defaultOutputMode(self) -> bool:
        """Whether `outputMode` is still open."""
        return bool(self.output_mode == enums.OutputMode.Default)

    def randomSeed(self, random_seed: int) -> Options:
        """Seed the device's random numbers, and torch's."""
        if not isinstance(random_seed, int):
            raise AssertionError(f"randomSeed: expected an integer, got {type(random_seed)}")
        torch.manual_seed(random_seed)
        self.create(random_seed=random_seed)
        return self

    def logCycleCount(self, log_cycle_count: bool) -> Options:
        """Count cycles, for `PoplarExecutor.cycleCount`."""
        self._popart.set("instrumentWithHardwareCycleCounter", log_cycle_count)
        return self

    def setExecutionStrategy(self, strategy: ExecutionStrategy) -> Options:
        """Hold how blocks are spread over IPUs."""
        if not isinstance(strategy, ExecutionStrategy):
            raise AssertionError(
                f"setExecutionStrategy: expected an execution strategy, got {type(strategy)}"
            )
        self._execution_strategy = strategy
        return self

    def setAvailableMemoryProportion(
        self, available_memory_proportion: dict[str, float]
    ) -> Options:
        """Hold how much memory products may take on each IPU, as {"IPU0": 0.5}."""
        proportions = {}
        for name, proportion in available_memory_proportion.items():
            if not (name.startswith("IPU") and name[3:].isdigit()):
                raise AssertionError(
                    f"setAvailableMemoryProportion: expected keys as 'IPU0', got {name!r}"
                )
            proportions[int(name[3:])] = proportion
        self.create(available_memory_proportion=proportions)
        return self

    def connectionType(self, connection_type: enums.ConnectionType) -> Options:
        """Choose when to attach; `Never` compiles only."""
        if not isinstance(connection_type, enums.ConnectionType):
            raise AssertionError(
                f"connectionType: expected a poptorch.ConnectionType, got {type(connection_type)}"
            )
        self.set(connection_type=connection_type)
        return self

    def useOfflineIpuTarget(self, ipu_version: int = 2) -> Options:
        """Compile only, for this version of the IPU."""
        self.create(ipu_version=ipu_version)
        return self.connectionType(enums.ConnectionType.Never)

    def enableExecutableCaching(self, path: str | None) -> Options:
        """Hold where executables are kept; the emulation compiles each custom op once a process."""
        self._popart.set("enableEngineCaching", path is not None)
        if path is not None:
            self._popart.set("cachePath", path)
        return self

    def enableProfiling(self, profile_dir: str | None = None) -> Options:
        """Write Poplar's reports of custom ops into this folder (default: the current one)."""
        options = dict(self._popart.options.get("engineOptions", {}))
        options.update({"autoReport.directory": profile_dir or ".", "autoReport.all": "true"})
        self._popart.setEngineOptions(options)
        return self

    def enableStableNorm(self, enabled: bool) -> Options:
        """Store whether norms are computed slower and more exactly, as torch does anyway."""
        self._popart.set("enableStableNorm", enabled)
        return self

    def enableSyntheticData(self, enabled: bool) -> Options:
        """Run on random inputs of the device's own; nothing is copied, and outputs are zeros."""
        self._popart.set("syntheticDataMode", 2 if enabled else 0)  # PopART's RandomNormal, Off
        return self

    def anchorTensor(
        self,
        short_name: str,
        long_name: str,
        output_mode: enums.OutputMode | None = None,
        output_return_period: int | None = 1,
    ) -> Options:
        """Keep a tensor by its name in the graph, for `PoplarExecutor.getAnchoredTensor`.

        `PoplarExecutor.getTensorNames` has the names; the mode is by default that of the outputs.
        """
        if output_mode == enums.OutputMode.EveryN and not (output_return_period or 0) > 0:
            raise AssertionError(
                "EveryN anchor must have output_return_period set to valid positive integer"
            )
        mode = enums.OutputMode.Default if output_mode is None else output_mode
        self._check_open()
        period = output_return_period if mode == enums.OutputMode.EveryN else None
        self.anchored_tensors[short_name] = Anchor(long_name, mode, period or 1)
        return self

    def showCompilationProgressBar(self, show: bool = True) -> Options:
        """Hold whether to show a progress bar; compilation is at once, none is shown."""
        self.set(show_compilation_progress_bar=show)
        return self

    def disableModuleNamescope(self) -> Options:
        """Name operators without the modules that they are in."""
        self.set(module_namescope=False)
        return self

    def maxRepeatLogs(self, max_lines: int | None) -> Options:
        """Hold how often a line of the log may repeat; None is without an end."""
        self.set(max_repeat_logs=2**64 - 1 if max_lines is None else max_lines)
        return self

    def sourceLocationExcludes(self, excludes: list[str]) -> Options:
        """Hold which of Python's frames are not worth naming; there is no graph to name them in."""
        self._source_location_excludes = list(excludes)
        return self

    def appendToLocationExcludes(self, *excludes: str) -> Options:
        """Hold more of what `sourceLocationExcludes` does."""
        return self.sourceLocationExcludes([*self._source_location_excludes, *excludes])

    def updatableNamedBuffers(self, buffers: list[str]) -> Options:
        """Choose the buffers that `copyNamedBuffersToDevice` copies."""
        self._popart.set("updatableNamedBuffers", buffers)
        return self

    def toDict(self) -> dict[str, Any]:
        """Return what a session is set to, in one dictionary.

        Raises
        ------
        AssertionError
            Where the output mode is still open.
        """
        if self.defaultOutputMode():
            raise AssertionError("An output mode must be picked before serialisation")
        return {
            **strategy_options(self._execution_strategy),
            **self._popart.options,
            **self._values,
            **self._training.toDict(),
            **self._distributed.toDict(),
            **self._tensor_locations.toDict(),
        }


class ConfigFileError(Error):
    """A line of a file of options that `Options.loadFromFile` cannot call."""


class Attribute:
    """A context whose operations have attributes, as `Attribute(__outline={"layer": "a"})`.

    They say how a device's program is put together, and change no number; the graph has them.

    Parameters
    ----------
    **attributes : dict of str to str
    """

    def __init__(self, **attributes: dict[str, str]) -> None:
        self._attributes = {
            f"{kind}.{key}": str(value)
            for kind, values in attributes.items()
            for key, value in values.items()
        }
        self._before: dict[str, str] = {}

    def __enter__(self) -> None:
        run = current()
        if run is not None and run.graph is not None:
            self._before = dict(run.graph.attributes)
            run.graph.attributes.update(self._attributes)

    def __exit__(self, *error: object) -> None:
        run = current()
        if run is not None and run.graph is not None:
            run.graph.attributes = self._before


def _positive(operation: str, value: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value < 1:
        raise Error(f"{operation}: expected at least 1, got {value}.")
    return value


def _call(options: Options, line: str) -> None:
    """Call the setter that a line writes out, as `Training.gradientAccumulation(4)`."""
    call = ast.parse(line, mode="eval").body
    if not isinstance(call, ast.Call) or call.keywords:
        raise ValueError(f"expected a setter and its arguments, got {line!r}")
    words = []
    node: ast.AST = call.func
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    setter: Any = options
    for name_part in [getattr(node, "id", ""), *reversed(words)]:
        setter = getattr(setter, name_part)
    setter(*map(_argument, call.args))


def _argument(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        return _made(node)
    if not isinstance(node, ast.Attribute):
        return ast.literal_eval(node)
    kind = str(getattr(node.value, "attr", None) or getattr(node.value, "id", ""))
    return getattr(getattr(enums, kind), node.attr)


def _made(call: ast.Call) -> Any:
    """Return what a call makes, as `poptorch.ShardedExecution("a", "b")`."""
    name = str(getattr(call.func, "attr", None) or getattr(call.func, "id", ""))
    kind = getattr(_execution, name, None)
    if not isinstance(kind, type) or call.keywords:
        raise ValueError(f"expected a class of poptorch and its arguments, got {name!r}")
    return kind(*map(_argument, call.args))


def _choice(value: Any) -> Any:
    """Return what "OutputMode.All" names, and anything else as it is."""
    if isinstance(value, str) and value.count(".") == 1:
        kind, name = value.split(".")
        return getattr(getattr(enums, kind, None), name, value)
    return value
