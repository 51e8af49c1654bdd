"""Layers with `max_activity="auto"`: their capacities before a pass, and the demands after it."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Sequence

import torch
from torch import Tensor, nn

from .._internal.auto_capacity import Pending, demand
from .._internal.hashing import CallSeed
from ._recomputation import seed_of_call
from .engine import PendingStats

if TYPE_CHECKING:
    from ._sparse_layer import SparseLayer

Layers = Mapping[int, "SparseLayer"]
"""Layers whose capacity follows what fires, by their number among those of the network."""

Report = Callable[[str], None]


class CapacityChange(UserWarning):
    """Says in one line which capacity `max_activity="auto"` has changed, and why.

    Parameters
    ----------
    line : str
    """

    def __init__(self, line: str) -> None:
        super().__init__(line)


_REPORT: ContextVar[Optional[Report]] = ContextVar("popsnn_capacity_report", default=None)
_PAUSED: ContextVar[bool] = ContextVar("popsnn_capacity_paused", default=False)


@contextmanager
def reported_capacities(report: Report) -> Iterator[None]:
    """Have `report` get the line of each change, in place of a warning."""
    token = _REPORT.set(report)
    try:
        yield
    finally:
        _REPORT.reset(token)


@contextmanager
def paused_capacities() -> Iterator[None]:
    """Let passes neither change capacities nor count, as those that go before a capture."""
    token = _PAUSED.set(True)
    try:
        yield
    finally:
        _PAUSED.reset(token)


def following(module: nn.Module) -> bool:
    """Return whether the next pass of a module counts, and may change capacities.

    Passes in training do that ask for gradients, the first time that they run.
    """
    return (
        module.training
        and torch.is_grad_enabled()
        and not _PAUSED.get()
        and torch._C._current_graph_task_id() == -1
    )


def capturing() -> bool:
    """Return whether a CUDA graph is being captured, in which no capacity changes."""
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()


def warn_kept(where: str, layers: Layers, what: str) -> None:
    """Warn that something keeps the present capacities."""
    if layers:
        capacities = ", ".join(str(layer.capacity) for layer in layers.values())
        warnings.warn(
            f"{where}: max_activity: expected a number {what}, which keeps the present capacity "
            f"({capacities} neurons), got 'auto'",
            stacklevel=2,
        )


def plan_capacities(
    where: Callable[[int], str],
    layers: Layers,
    unsupported: Callable[[], Optional[str]],
    shrinks: bool = True,
) -> bool:
    """Give the layers the capacities of the next training pass, and report what changes.

    Parameters
    ----------
    where : callable
        Returns how messages name the layer of a number.
    layers : Layers
    unsupported : callable
        Returns why the engine cannot run the layers with their capacities, or None where it can.
    shrinks : bool
        Whether capacities may become smaller.

    Returns
    -------
    bool
        Whether one of them is another.
    """
    changed = False
    for index, layer in layers.items():
        control = layer.capacity_control
        assert control is not None
        change = control.plan(shrinks)
        if change is None:
            continue
        vars(layer)["capacity"] = change.after
        line = f"capacity {change.before} -> {change.after} of {layer.out_features} neurons"
        refused = unsupported()
        if refused is None:
            changed = True
            _report(
                f"{where(index)}: {line} after {control.passes} training passes: {change.reason}"
            )
            continue
        control.fix()
        vars(layer)["capacity"] = control.capacity
        changed = changed or control.capacity != change.before
        _report(f"{where(index)}: capacity stays all {control.capacity} neurons: {refused}")
    return changed


def _report(line: str) -> None:
    group = processes()
    if group is not None and torch.distributed.get_rank(group) != 0:
        return  # the first process reports the same
    report = _REPORT.get()
    if report is not None:
        report(line)
    else:
        warnings.warn(line, CapacityChange, stacklevel=3)


def capacity_demands(layers: Layers, stats: Mapping[int, PendingStats]) -> list[Tensor]:
    """Return the demand of each layer in a pass, int64 [2 + 2 K], where its counts are."""
    result = []
    for index, layer in layers.items():
        control, counted = layer.capacity_control, stats[index]
        assert control is not None
        result.append(demand(counted.counts, counted.dropped, control.sizes))
    return result


def observe(layers: Layers, stats: Mapping[int, PendingStats]) -> None:
    """Let a training pass count, whose numbers may still be on a device."""
    with torch.no_grad():
        made = capacity_demands(layers, stats)
        group = processes()
        if group is not None:  # all processes get the same capacities
            whole = torch.cat(made)
            torch.distributed.all_reduce(whole, group=group)
            made = list(whole.split([len(each) for each in made]))
    for layer, each in zip(layers.values(), made):
        assert layer.capacity_control is not None
        layer.capacity_control.add(Pending(each))


def add_demands(layers: Layers, numbers: Sequence[float]) -> None:
    """Let a training pass count by what `capacity_demands` returned, one after the other."""
    left = [int(number) for number in numbers]
    for layer in layers.values():
        control = layer.capacity_control
        assert control is not None
        count = 2 + 2 * len(control.sizes)
        control.add(left[:count])
        left = left[count:]


def processes() -> Any:
    """Return the group of the DistributedDataParallel whose pass runs, or None."""
    parallel: Any = nn.parallel.DistributedDataParallel
    wrapper = getattr(parallel, "_active_ddp_module", None)
    if wrapper is None or wrapper.process_group.size() == 1:
        return None
    return wrapper.process_group


class Call:
    """A pass: its seed, whether it repeats an earlier one, and the counts that it leaves."""

    def __init__(self, seed: CallSeed, repeated: bool) -> None:
        self.seed, self.repeated = seed, repeated
        self.stats: Sequence[PendingStats] = ()


@contextmanager
def followed(
    module: nn.Module,
    layers: Layers,
    first: CallSeed,
    where: Callable[[int], str],
    *,
    begins: bool,
    drops: bool = False,
    unsupported: Callable[[], Optional[str]] = lambda: None,
) -> Iterator[Call]:
    """Run a pass with the capacities that it has, and let it count.

    Parameters
    ----------
    module : Module
        The network or the layer that is called.
    layers : Layers
    first : CallSeed
        Seed of a first pass.
    where, unsupported
        As in `plan_capacities`.
    begins : bool
        Whether sequences begin with this pass, so that capacities may become smaller.
    drops : bool
        As in `seed_of_call`.

    Raises
    ------
    RuntimeError
        Where a backward pass repeats a forward pass whose seed or capacities are not known, or
        whose thresholds homeostasis has moved since.
    """
    counts = bool(layers) and following(module)
    if counts and capturing():
        counts = False
        name = type(module).__name__
        warn_kept(name, layers, "where a CUDA graph is captured")
    if counts:
        plan_capacities(where, layers, unsupported, begins)
    first = first._replace(capacities=capacities_of(layers))
    seed, repeated = seed_of_call(module, first, drops)
    if layers and repeated and seed is first and module.training:
        raise RuntimeError(
            f"{type(module).__name__}: forward: expected a first pass, or one that "
            "torch.utils.checkpoint repeats, where max_activity is 'auto', got a repeated pass "
            "whose capacity is not known"
        )
    if seed.thresholds != first.thresholds:
        raise RuntimeError(
            f"{type(module).__name__}: backward: expected thresholds of the forward pass, which "
            "torch.utils.checkpoint repeats, got those that homeostasis has moved for other "
            "sequences: run the backward pass before their forward pass"
        )
    call = Call(seed, repeated)
    with with_capacities(layers, seed.capacities):
        yield call
    if counts and not repeated:
        observe(layers, dict(enumerate(call.stats)))


def capacities_of(layers: Layers) -> tuple[int, ...]:
    """Return the capacities that layers have now."""
    return tuple(layer.capacity for layer in layers.values())


@contextmanager
def with_capacities(layers: Layers, capacities: Sequence[int]) -> Iterator[None]:
    """Give layers other capacities for a pass: those of the pass that it repeats."""
    before = [layer.capacity for layer in layers.values()]
    try:
        for layer, capacity in zip(layers.values(), capacities):
            vars(layer)["capacity"] = capacity
        yield
    finally:
        for layer, capacity in zip(layers.values(), before):
            vars(layer)["capacity"] = capacity
