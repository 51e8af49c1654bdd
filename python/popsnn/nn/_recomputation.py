"""Drop seeds of forward passes that the backward pass repeats, as torch.utils.checkpoint does.

A network that trains draws another drop seed in each forward pass. A recomputation has to find the
seed of the pass that it repeats, or it drops other spikes and the gradients are those of another
network. torch hands a recomputation nothing but the arguments and the state of the random
generators, and several checkpointed regions may wait for theirs, in any order. But the object that
torch keeps for a region is on the Python stack both times. The seeds are kept there, for as long as
the graph lives: the k-th call of a recomputation has the seed of the region's k-th call.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Callable, Iterator, NamedTuple
from weakref import ref

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx

from .._internal.hashing import CallSeed

_SEEDS = "_popsnn_seeds"  # the attribute of a region's object


class _Region(NamedTuple):
    """A region that code runs in; `repeated` where this is its recomputation."""

    owner: Any
    repeated: bool


class _Seeds:
    """The seeds of a region's forward pass in their order."""

    def __init__(self) -> None:
        self._seeds: list[tuple[ref[nn.Module], CallSeed]] = []
        self._task = -1  # the backward pass that repeats them
        self._next = 0

    def append(self, net: nn.Module, seed: CallSeed) -> None:
        self._seeds.append((ref(net), seed))

    def again(self, net: nn.Module, task: int) -> CallSeed | None:
        """Return the next seed of a recomputation in the backward pass `task`, None without one."""
        if task != self._task:  # a region is repeated once in a backward pass
            self._task, self._next = task, 0
        if task == -1 or self._next == len(self._seeds):
            return None
        owner, seed = self._seeds[self._next]
        self._next += 1
        return seed if owner() is net else None


def seed_of_call(net: nn.Module, seed: CallSeed, drops: bool) -> tuple[CallSeed, bool]:
    """Return the seed of a forward pass, and whether the pass is a repeated one.

    Parameters
    ----------
    net : Module
        The network that is called.
    seed : CallSeed
        What a first pass has.
    drops : bool
        Whether spikes may be dropped.

    Raises
    ------
    RuntimeError
        Where spikes may be dropped in a backward pass and the seed of the pass that this pass
        repeats is not known.
    """
    task = torch._C._current_graph_task_id()  # -1 outside of a backward pass
    opened: list[Any] = []  # inside of what is repeated
    this_seed: CallSeed | None = None
    repeated = task != -1
    for region in _regions():
        if region.repeated:
            seeds = getattr(region.owner, _SEEDS, None)
            this_seed = None if seeds is None else seeds.again(net, task)
            repeated = True
            break
        opened.append(region.owner)
    if repeated and this_seed is None and drops:
        raise RuntimeError(
            "SNN: forward: expected a first pass, or one that torch.utils.checkpoint repeats in a "
            "backward pass, got a repeated one whose drop seed is not known: pass a state with a "
            "seed"
        )
    if this_seed is None and opened:
        this_seed = seed._replace(calls=seed.calls.clone())  # the calls go on before it is repeated
    for owner in opened:
        if not hasattr(owner, _SEEDS):
            setattr(owner, _SEEDS, _Seeds())
        getattr(owner, _SEEDS).append(net, this_seed)
    return (seed if this_seed is None else this_seed), repeated


def version_of(tensor: Tensor) -> int:
    """Return how often a tensor has changed in place."""
    return 0 if tensor.is_inference() else tensor._version


def _regions() -> Iterator[_Region]:
    """Yield the regions that the caller runs in, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_name
        if name in _METHODS:
            owner = _context(frame)
            # Most functions that have a backward pass repeat nothing.
            if owner is not None and (name == "forward" or hasattr(owner, _SEEDS)):
                yield _Region(owner, name == "backward")
        elif name in _FUNCTIONS and frame.f_globals.get("__name__") == "torch.utils.checkpoint":
            owner = _FUNCTIONS[name](frame.f_locals)
            repeated = name in ("unpack_hook", "unpack")
            if owner is not None or repeated:
                yield _Region(owner, repeated)
        frame = frame.f_back


def _context(frame: FrameType) -> FunctionCtx | None:
    """Return the context of the autograd function whose method a frame runs, or None."""
    first = frame.f_code.co_varnames[:1]
    if not first or first == ("self",):
        return None
    context = frame.f_locals.get(first[0])
    return context if isinstance(context, FunctionCtx) else None


def _opened(local: dict[str, Any]) -> Any:
    """Return what `checkpoint(..., use_reentrant=False)` keeps for its region, or None."""
    frame = getattr(local.get("gen"), "gi_frame", None)
    return None if frame is None else frame.f_locals.get("new_frame")


# Functions whose frames lead to a region's object: methods of autograd functions, of which
# use_reentrant=True is one, and those of use_reentrant=False.
_METHODS = ("forward", "backward")
_FUNCTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "checkpoint": _opened,
    "unpack_hook": lambda local: local.get("frame"),
    # torch 2.0
    "_checkpoint_without_reentrant": lambda local: local.get("storage"),
    "unpack": lambda local: local.get("storage"),
}
