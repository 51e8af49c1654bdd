"""Blocks of a model and how they would be spread over IPUs; the emulation runs them in order."""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import enums
from ._errors import Error


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
        self._ipu: int | None = None

    @property
    def blocks(self) -> tuple[str, ...]:
        """Names of the blocks."""
        return self._blocks

    def ipu(self, ipu: int) -> Stage:
        """Choose the IPU."""
        if not isinstance(ipu, int):
            raise AssertionError(f"Stage.ipu: expected an integer, got {type(ipu)}")
        self._ipu = ipu
        return self


class Phase:
    """Stages that run at the same time.

    Parameters
    ----------
    *stages : Stage or str
    """

    def __init__(self, *stages: Stage | str) -> None:
        self.stages = [stage if isinstance(stage, Stage) else Stage(stage) for stage in stages]

    def stage(self, idx: int) -> Stage:
        """Return a stage."""
        return self.stages[idx]

    def ipus(self, *ipus: int) -> Phase:
        """Choose an IPU for each stage."""
        for stage, ipu in zip(self.stages, ipus):
            stage.ipu(ipu)
        return self


class ExecutionStrategy:
    """Base: stages by their blocks.

    Parameters
    ----------
    *stages : Stage, Phase, str or sequence of these, or one AutoStage
    """

    def __init__(self, *stages: Any) -> None:
        self._stages: dict[str, Stage] = {}
        self._phases: list[Phase] = []
        if len(stages) == 1 and isinstance(stages[0], enums.AutoStage):
            return
        self._phases = [_phase(value) for value in stages]
        for stage in (stage for phase in self._phases for stage in phase.stages):
            for block in stage.blocks:
                if block in self._stages:
                    raise AssertionError(f"{block} associated with more than one stage")
                self._stages[block] = stage

    def stage(self, block_id: str) -> Stage:
        """Return the stage of a block."""
        if block_id not in self._stages:
            raise AssertionError(f"Unknown block {block_id}")
        return self._stages[block_id]

    def phase(self, phase: int) -> Phase:
        """Return what was given as phase, or as stage, of that number."""
        return self._phases[phase]


class PipelinedExecution(ExecutionStrategy):
    """Stages work on different micro-batches at the same time."""


class ShardedExecution(PipelinedExecution):
    """Stages work one after another."""


class SerialPhasedExecution(ExecutionStrategy):
    """Phases run one after another on the same IPUs."""

    def setTensorsLiveness(self, liveness: enums.Liveness) -> SerialPhasedExecution:
        """Hold where tensors are between phases."""
        self.liveness = liveness
        return self

    def useSeparateBackwardPhase(self, use: bool = True) -> SerialPhasedExecution:
        """Hold whether the backward pass has phases of its own."""
        self.separate_backward = use
        return self


class ParallelPhasedExecution(SerialPhasedExecution):
    """Phases alternate between two groups of IPUs."""

    def sendTensorsOffChipAfterFwd(self, off_chip: bool = True) -> ParallelPhasedExecution:
        """Hold whether activations leave the chip."""
        self.off_chip = off_chip
        return self


def _phase(phase: Any) -> Phase:
    if isinstance(phase, Phase):
        return phase
    if isinstance(phase, (list, tuple)) and all(isinstance(name, str) for name in phase):
        return Phase(Stage(*phase))
    return Phase(*phase) if isinstance(phase, (list, tuple)) else Phase(phase)


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
        """Name blocks without a name by their order; here names decide nothing."""

    @staticmethod
    def start(user_id: str | None = None, ipu_id: int | None = None) -> None:
        """Begin a block that ends where the next begins; here one device runs all blocks."""

    def __enter__(self) -> None:
        Block.start(self._user_id, self._ipu_id)

    def __exit__(self, *error: object) -> None:
        return None


class _BlockHook:
    def __init__(self, user_id: str | None, ipu_id: int | None) -> None:
        self.user_id = user_id
        self.ipu_id = ipu_id

    def __call__(self, module: torch.nn.Module, inputs: Any) -> None:
        Block.start(self.user_id, self.ipu_id)

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
            return BlockFunction(user_id, ipu_id)(layer_to_call)
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
    """A context whose operators' names would begin with this name; here they have none.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise AssertionError("Parameter to NameScope must be a string")
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


def removeBlocks(module: torch.nn.Module) -> None:
    """Take back what `BeginBlock` has done to a module and those in it."""
    for inner in module.modules():
        hooks = inner._forward_pre_hooks
        for key in [key for key, hook in hooks.items() if isinstance(hook, _BlockHook)]:
            del hooks[key]
