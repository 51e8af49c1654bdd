"""What the neurons share."""

from __future__ import annotations

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


def stack(steps: list[Tensor], like: Tensor) -> Tensor:
    """Stack T tensors [B, ...]; where T is 0, return zeros like `like` [0, B, ...]."""
    return torch.stack(steps) if steps else torch.zeros_like(like)
