"""Automatic loss scaling: a factor that follows how large gradients are."""

from __future__ import annotations

from typing import Any

from torch import Tensor


class LossScale:
    """Halves its factor where too many gradients are large, and doubles it otherwise.

    Parameters
    ----------
    settings : AutomaticLossScalingSettings
        `binEdgeLocation` is a fraction of the largest half, `thresholdUpperCountProportion` the
        fraction of elements above it that is too many, `updatePeriod` the number of updates
        between changes.
    """

    LARGEST = 65504.0

    def __init__(self, settings: Any) -> None:
        self.settings = settings
        self.factor = 1.0
        self._batches = 0
        self._large = self._all = 0

    def note(self, gradients: list[dict[str, Tensor]]) -> None:
        """Take in the gradients of an update; the factor changes for the next one."""
        if not self.settings.enabled:
            return
        edge = self.settings.binEdgeLocation * self.LARGEST
        for sums in gradients:
            for value in sums.values():
                self._large += int((value.abs() > edge).sum())
                self._all += value.numel()
        self._batches += 1
        if self._batches % self.settings.updatePeriod == 0:
            share = self._large / max(self._all, 1)
            self.factor *= 0.5 if share > self.settings.thresholdUpperCountProportion else 2.0
            self._large = self._all = 0
