"""Helpers of several neurons."""

from __future__ import annotations

from typing import Sequence

import torch
from torch import Tensor

from .._internal.checks import PerNeuron


def after_reset(v: Tensor, s: Tensor, threshold: PerNeuron, reset: str) -> Tensor:
    """Return what the reset leaves of the membrane `v` [B, ...] after the spikes `s` [B, ...]."""
    if reset == "zero":
        return v * (1 - s)
    if reset == "subtract":
        return v - threshold * s
    return v


def distinct(states: Sequence[Tensor], inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Return the states, with a copy of each that occurs twice or among `inputs`.

    An in-place change of one result then changes no other tensor.
    """
    seen = {id(tensor) for tensor in inputs}
    result = []
    for state in states:
        result.append(state.clone() if id(state) in seen else state)
        seen.add(id(state))
    return tuple(result)


def stack(steps: list[Tensor], like: Tensor) -> Tensor:
    """Stack T tensors [B, ...]; where T is 0, return zeros like `like` [0, B, ...]."""
    return torch.stack(steps) if steps else torch.zeros_like(like)
