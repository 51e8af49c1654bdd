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
        self._above = 0
        self._total = 0

    def count(self, gradients: Iterable[torch.Tensor]) -> None:
        """Count the large values among gradients of the scaled loss."""
        for value in gradients:
            if value.dtype == torch.float16:  # not a number counts as large
                self._above += int((~(value.abs().float() <= _BIN_EDGE)).sum())
                self._total += value.numel()

    def update(self) -> None:
        """Choose the factor of the next step by what has been counted in this."""
        if self._total:
            grows = self._above <= _THRESHOLD * self._total
            self.factor = self.factor * (2.0 if grows else 0.5)
        self._above = self._total = 0
