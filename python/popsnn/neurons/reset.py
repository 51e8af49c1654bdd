"""Resets: what a spike does to the membrane of the next time step."""

from __future__ import annotations

from torch import Tensor

from .._internal.checks import PerNeuron


def after_reset(v: Tensor, s: Tensor, threshold: PerNeuron, reset: str) -> Tensor:
    """Return what a reset before the decay leaves of `v` [B, ...] after the spikes `s` [B, ...]."""
    if reset == "zero":
        return v * (1 - s)
    if reset == "subtract":
        return v - threshold * s
    return v


def decayed(
    beta: PerNeuron, v: Tensor, s: Tensor, threshold: PerNeuron, drive: Tensor, reset: str
) -> Tensor:
    """Return the membrane after a decay by `beta`, the input `drive` and any reset, [B, ...]."""
    if reset == "subtract_after":
        return beta * v + drive - threshold * s
    if reset == "zero_after":
        return (beta * v + drive) * (1 - s)
    return beta * after_reset(v, s, threshold, reset) + drive
