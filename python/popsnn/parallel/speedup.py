"""Gain of several ranks along time: a model of the pipeline."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .._internal import checks


@dataclass(frozen=True)
class Pipeline:
    """Time of a training step whose steps are split over n ranks.

        T(n > 1) = update + (compute - update) / n + (n - 1) (scan / n + hop) + layers hop + sums

    Every layer's neurons wait for the previous rank's, but while a rank waits for layer 1 its
    predecessor is already at layer 2: the wait is paid once, not once a layer. A rank starts
    later than its predecessor by what that spends in one layer's neurons, and by the message. In
    every layer a rank asks for a message when it needs it, and waits for its latency though it is
    there. Where `scan` is small, this is T(n) = Ts / n + n Tc, whose least n is sqrt(Ts / Tc). What
    every rank does in full does not get shorter: the update, and the sums of the gradients. It
    leaves out that what runs at the same time takes the same multiprocessors.

    Parameters
    ----------
    compute : float
        Time of the step on one rank, in any unit.
    scan : float
        Of it, the time of one layer's neurons, forward and backward.
    hop : float
        Time from the end of one rank's neurons to the start of the next rank's, there and back.
    update : float
        Of `compute`, the time of what every rank does in full: casts of weights and of their
        gradients, and the optimizer's step unless it is that of a `ShardedOptimizer`.
    sums : float
        Time to sum all gradients over the ranks, and to hand out weights, as far as it does not
        hide behind the backward pass.
    layers : int
        How many layers of neurons there are.

    Raises
    ------
    TypeError, ValueError
        Where a time is no number, or negative.
    """

    compute: float
    scan: float
    hop: float
    update: float = 0.0
    sums: float = 0.0
    layers: int = 0

    def __post_init__(self) -> None:
        checks.integer("Pipeline", "layers", self.layers, 0)
        for name in ("compute", "scan", "hop", "update", "sums"):
            if checks.finite("Pipeline", name, getattr(self, name)) < 0:
                raise ValueError(
                    f"Pipeline: {name}: expected a time of at least 0, got {getattr(self, name)}"
                )

    def time(self, ranks: int) -> float:
        """Return T(ranks)."""
        ranks = checks.integer("Pipeline", "ranks", ranks, 1)
        if ranks == 1:
            return self.compute
        shared = (self.compute - self.update) / ranks + (ranks - 1) * (self.scan / ranks + self.hop)
        return self.update + shared + self.layers * self.hop + self.sums

    def speedup(self, ranks: int) -> float:
        """Return T(1) / T(ranks)."""
        return self.compute / self.time(ranks)

    @property
    def best(self) -> float:
        """The n of the least T(n), sqrt((compute - update - scan) / hop); infinite if hop is 0."""
        gain = max(self.compute - self.update - self.scan, 0.0)
        return max(1.0, math.sqrt(gain / self.hop)) if self.hop else math.inf
