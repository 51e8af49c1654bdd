"""The run of the emulated device at the moment."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Iterator

import torch


@dataclass
class Run:
    """One pass of forward() on the device.

    Attributes
    ----------
    training : bool
    device : Any
        What custom ops run on; None is one whole modelled IPU.
    losses : list of Tensor
        What the model has marked as a loss, in order.
    cycles : int
        Modelled cycles of the custom ops so far.
    graph : Graph, optional
        Takes down what the model does; only in the first pass, which stands for compilation.
    strided_groups : bool
        Whether a group of a group norm has channels that are the number of groups apart.
    """

    training: bool
    device: Any = None
    losses: list[torch.Tensor] = field(default_factory=list)
    cycles: int = 0
    graph: Any = None
    strided_groups: bool = False


_runs: list[Run] = []


def current() -> Run | None:
    """Return what runs on the device, or None outside of it."""
    return _runs[-1] if _runs else None


@contextmanager
def on_device(run: Run) -> Iterator[Run]:
    """Run what is inside on the device."""
    _runs.append(run)
    try:
        yield run
    finally:
        _runs.pop()


def isRunningOnIpu() -> bool:
    """Whether this is called from a model that runs on the (emulated) IPU."""
    return bool(_runs)


@contextmanager
def unchecked() -> Iterator[None]:
    """Let torch's distributions not check their arguments, which would read values."""
    kind = torch.distributions.Distribution
    before = kind._validate_args
    kind.set_default_validate_args(False)
    try:
        yield
    finally:
        kind.set_default_validate_args(before)
