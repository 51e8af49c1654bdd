"""Automatic loss scaling: a factor of the loss that follows how large gradients of halves are."""

from __future__ import annotations

from typing import Iterable

import torch

FACTOR = "lossScaleUpdateFactor"
_BIN_EDGE = 0.125 * torch.finfo(torch.float16).max  # PopART's binEdgeLocation
_THRESHOLD = 1e-7  # and its thresholdUpperCountProportion


class LossScaler:
    """Doubles the loss scale while gradients are small, and halves it where some are not.

    Statistics are over the gradients of half weights; PopART takes those of activations too.
    """

    def __init__(self) -> None:
        self.factor = torch.ones(())
        self.used = torch.ones(())

    def update(self, gradients: Iterable[torch.Tensor]) -> None:
        """Count the gradients of the scaled loss of one step, and choose the next factor."""
        halves = [value for value in gradients if value.dtype == torch.float16]
        self.used = self.factor
        if not halves:
            return
        above = sum(int((~(value.abs().float() <= _BIN_EDGE)).sum()) for value in halves)
        total = sum(value.numel() for value in halves)
        grows = above <= _THRESHOLD * total
        self.factor = self.factor * (2.0 if grows else 0.5)
