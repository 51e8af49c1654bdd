"""Helpers of several neurons."""

from __future__ import annotations

from typing import Sequence

import torch
from torch import Tensor

from .._check import PerNeuron


def after_reset(v: Tensor, s: Tensor, threshold: PerNeuron, reset: str) -> Tensor:
    """Return what the reset leaves of the membrane `v` [B, ...] after the spikes `s` [B, ...]."""
    if reset == "zero":
        return v * (1 - s)
    if reset == "subtract":
        return v - threshold * s
    return v


def apart(states: Sequence[Tensor], given: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Return states to hand out, copied where one of them comes twice or is one of those `given`.

    Who changes one in place then changes no other.
    """
    seen = {id(one) for one in given}
    found = []
    for one in states:
        found.append(one.clone() if id(one) in seen else one)
        seen.add(id(one))
    return tuple(found)


def stack(steps: list[Tensor], like: Tensor) -> Tensor:
    """Stack T tensors [B, ...]; where T is 0, return zeros like `like` [0, B, ...]."""
    return torch.stack(steps) if steps else torch.zeros_like(like)
