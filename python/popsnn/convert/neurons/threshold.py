"""Spikes of membranes above the threshold."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ...neurons import Fire

SMALLEST = torch.finfo(torch.float32).tiny


def fires_above(v: Tensor, threshold: Any, fire: Fire) -> Tensor:
    """Return the spikes of membranes `v` [B, ...] that lie above the threshold, and not at it.

    A difference of float32 numbers is 0 or at least the smallest normal one, but for thresholds
    near 0.
    """
    return fire(v - threshold, SMALLEST)
