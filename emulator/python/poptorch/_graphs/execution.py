"""Blocks of a model and how they would be spread over IPUs; the emulation runs them in order."""

from __future__ import annotations

from typing import Any, Callable

import torch

from .. import enums
from .._context import current
from .._errors import Error


class Stage:
    """Blocks that run on one IPU.

    Parameters
    ----------
    *block_ids : str
    """

    def __init__(self, *block_ids: str) -> None:
        if not all(isinstance(block, str) for block in block_ids):
            raise AssertionError(f"Block IDs are supposed to be strings but got {block_ids}")
        self._blocks = block_ids
        self.number = -1
        self.chosen_ipu: int | None = None

    @property
    def blocks(self) -> tuple[str, ...]:
        """Names of the blocks."""
        return self._blocks

    def ipu(self, ipu: int) -> Stage:
        """Choose the IPU."""
        if not isinstance(ipu, int):
            raise AssertionError(f"Stage.ipu: expected an integer, got {type(ipu)}")
        self.chosen_ipu = ipu
        return self


class Phase:
    """Stages that run at the same time.

    Parameters
    ----------
    *stages : Stage or str
        Names of blocks are those of one stage.
    """

    def __init__(self, *stages: Any) -> None:
        if all(isinstance(stage, Stage) for stage in stages):
            self.stages = list(stages)
        elif all(isinstance(stage, str) for stage in stages):
            self.stages = [Stage(*stages)]
        else:
            raise AssertionError(
                "All arguments must either be block IDs (strings) or Stages: "
                f"{[type(stage) for stage in stages]}"
            )

    def stage(self, idx: int) -> Stage:
        """Return a stage."""
        return self.stages[idx]

    def ipus(self, *ipus: int) -> Phase:
        """Choose an IPU for each stage."""
        if len(ipus) != len(self.stages):
            raise AssertionError(
                f"Phase contains {len(self.stages)} stages but you provided {len(ipus)} ipus"
            )
        for stage, ipu in zip(self.stages, ipus):
            stage.ipu(ipu)
        return self


class ExecutionStrategy:
    """Base: stages by their blocks.

    Attributes
    ----------
    mode : str
        As PopTorch's log names it.
    stages : dict of str to Stage
        Empty where blocks make stages by themselves, by `auto_stage`.
    """

    mode = "Pipelined"
    serial = True
    separate_backward = False

    def __init__(self) -> None:
        self.stages: dict[str, Stage] = {}
        self.auto_stage = enums.AutoStage.SameAsIpu

    def _add(self, stage: Stage, number: int) -> None:
        stage.number = number
        for block in stage.blocks:
            if block in self.stages:
                raise AssertionError(f"{block} associated with more than one stage")
            self.stages[block] = stage

    def stage(self, block_id: str) -> Stage:
        """Return the stage of a block."""
        if block_id not in self.stages:
            raise AssertionError(f"Unknown block {block_id}")
        return self.stages[block_id]


class PipelinedExecution(ExecutionStrategy):
    """Stages work on different micro-batches at the same time.

    Parameters
    ----------
    *stages : Stage, str or sequence of str, or one AutoStage
    """

    def __init__(self, *stages: Any) -> None:
        super().__init__()
        if len(stages) == 1 and isinstance(stages[0], enums.AutoStage):
            self.auto_stage = stages[0]
            return
        for number, value in enumerate(stages):
            names = (value,) if isinstance(value, str) else value
            self._add(value if isinstance(value, Stage) else Stage(*names), number)


class ShardedExecution(PipelinedExecution):
    """Stages work one after another."""

    mode = "Sharded"


class _PhasedExecution(ExecutionStrategy):
    """Phases run one after another, and what they compute may leave the chip between.

    Parameters
    ----------
    *phases : Phase, Stage or str, or sequence of these
    """

    mode = "Phased"

    def __init__(self, *phases: Any) -> None:
        super().__init__()
        if not phases:
            raise AssertionError(
                "There is currently no AutoStage for PhasedExecution, please explicitly specify "
                "the phases"
            )
        self.liveness = enums.Liveness.AlwaysLive
        self._phases: list[Phase] = []
        for number, value in enumerate(phases):
            parts = value if isinstance(value, (list, tuple)) else [value]
            phase = value if isinstance(value, Phase) else Phase(*parts)
            self._phases.append(phase)
            for stage in phase.stages:
                self._add(stage, number)

    def phase(self, phase: int) -> Phase:
        """Return a phase."""
        if not isinstance(phase, int) or phase < 0:
            raise AssertionError("Phases are identified by positive integers")
        return self._phases[phase]

    def useSeparateBackwardPhase(self, use: bool = True) -> Any:
        """Hold whether the backward pass begins with a phase of its own."""
        self.separate_backward = use
        return self


class SerialPhasedExecution(_PhasedExecution):
    """Phases run one after another on the same IPUs."""

    def setTensorsLiveness(self, liveness: enums.Liveness) -> SerialPhasedExecution:
        """Hold where tensors are between phases."""
        if not isinstance(liveness, enums.Liveness):
            raise AssertionError(
                f"setTensorsLiveness: expected a poptorch.Liveness, got {type(liveness)}"
            )
        self.liveness = liveness
        return self


class ParallelPhasedExecution(_PhasedExecution):
    """Phases alternate between two groups of IPUs."""

    serial = False

    def sendTensorsOffChipAfterFwd(self, off_chip: bool = True) -> ParallelPhasedExecution:
        """Hold whether activations leave the chip."""
        live = enums.Liveness.OffChipAfterFwd if off_chip else enums.Liveness.AlwaysLive
        self.liveness = live
        return self


class Block(torch.nn.Module):
    """A context in which layers belong to one block.

    Parameters
    ----------
    user_id : str, optional
        Name of the block.
    ipu_id : int, optional
        The IPU that it would run on.
    """

    def __init__(self, user_id: str | None = None, ipu_id: int | None = None) -> None:
        super().__init__()
        self._user_id = user_id
        self._ipu_id = ipu_id

    @staticmethod
    def useAutoId() -> None:
        """Name blocks without a name by their order."""
        stages = _stages()
        if stages is not None:
            stages.reset_names()

    @staticmethod
    def start(user_id: str | None = None, ipu_id: int | None = None) -> None:
        """Begin a block that ends where the next begins; here one device runs all blocks."""
        stages = _stages()
        if stages is not None:
            stages.begin(user_id, ipu_id)

    def __enter__(self) -> None:
        Block.start(self._user_id, self._ipu_id)

    def __exit__(self, *error: object) -> None:
        stages = _stages()
        if stages is not None:
            stages.end()


def _stages() -> Any:
    """Return what follows the blocks of this run; only the first of a model is followed."""
    run = current()
    return None if run is None or run.graph is None else run.graph.stages


def _begin_for(owner: object, user_id: str | None, ipu_id: int | None) -> None:
    stages = _stages()
    if stages is not None:
        stages.begin(stages.name_of(owner, user_id), ipu_id)


class _BlockCall(torch.nn.Module):
    """A function that begins a block where it is called."""

    def __init__(self, function: Callable[..., Any], user_id: Any, ipu_id: int | None) -> None:
        super().__init__()
        self._function, self._user_id, self._ipu_id = function, user_id, ipu_id

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        _begin_for(self, self._user_id, self._ipu_id)
        return self._function(*args, **kwargs)


class _BlockHook:
    def __init__(self, user_id: str | None, ipu_id: int | None) -> None:
        self.user_id = user_id
        self.ipu_id = ipu_id

    def __call__(self, module: torch.nn.Module, inputs: Any) -> None:
        _begin_for(self, self.user_id, self.ipu_id)

    def __repr__(self) -> str:
        return f"BeginBlock(user_id={self.user_id}, ipu_id={self.ipu_id})"


def BeginBlock(layer_to_call: Any, user_id: str | None = None, ipu_id: int | None = None) -> Any:
    """Begin a block where this layer is called, and return the layer.

    Raises
    ------
    Error
        Where the layer begins one already, or is neither a module nor callable.
    """
    if not isinstance(layer_to_call, torch.nn.Module):
        if callable(layer_to_call):
            return _BlockCall(layer_to_call, user_id, ipu_id)
        raise Error("module is not an instance of torch.nn.Module or function.")
    if any(isinstance(hook, _BlockHook) for hook in layer_to_call._forward_pre_hooks.values()):
        raise Error("module has already been assigned to a block.")
    layer_to_call.register_forward_pre_hook(_BlockHook(user_id, ipu_id))
    return layer_to_call


def BlockFunction(
    user_id: str | None = None, ipu_id: int | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator by which a function is a block."""

    def decorator(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with Block(user_id, ipu_id):
                return function(*args, **kwargs)

        return wrapper

    return decorator


class NameScope:
    """A context whose operators' names begin with this name.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise AssertionError("Parameter to NameScope must be a string")
        self.name = name

    def __enter__(self) -> None:
        run = current()
        if run is not None and run.graph is not None:
            run.graph.scopes.append(self.name)

    def __exit__(self, *error: object) -> None:
        run = current()
        if run is not None and run.graph is not None:
            run.graph.scopes.pop()


def removeBlocks(module: torch.nn.Module) -> None:
    """Take back what `BeginBlock` has done to a module and those in it."""
    for inner in module.modules():
        hooks = inner._forward_pre_hooks
        for key in [key for key, hook in hooks.items() if isinstance(hook, _BlockHook)]:
            del hooks[key]
