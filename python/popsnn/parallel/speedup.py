"""How much several ranks along time can gain: a model of the pipeline."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .. import _check


@dataclass(frozen=True)
class Pipeline:
    """Time of a training step whose steps are split over n ranks.

        T(n) = compute / n + (n - 1) (scan / n + hop)

    Every layer's neurons wait for the previous rank's, but while a rank waits for layer 1 its
    predecessor is already at layer 2: the wait is paid once, not once a layer. A rank starts
    later than its predecessor by what that spends in one layer's neurons, and by the message.
    Where `scan` is small, this is T(n) = Ts / n + n Tc, whose least n is sqrt(Ts / Tc).

    Parameters
    ----------
    compute : float
        Time of the step on one rank, in any unit.
    scan : float
        Of it, the time of one layer's neurons, forward and backward.
    hop : float
        Time from the end of one rank's neurons to the start of the next one's, there and back.

    Raises
    ------
    TypeError, ValueError
        Where a time is no number, or negative.
    """

    compute: float
    scan: float
    hop: float

    def __post_init__(self) -> None:
        for name in ("compute", "scan", "hop"):
            if _check.finite("Pipeline", name, getattr(self, name)) < 0:
                raise ValueError(
                    f"Pipeline: {name}: expected a time of at least 0, got {getattr(self, name)}"
                )

    def time(self, ranks: int) -> float:
        """Return T(ranks)."""
        ranks = _check.integer("Pipeline", "ranks", ranks, 1)
        return self.compute / ranks + (ranks - 1) * (self.scan / ranks + self.hop)

    def speedup(self, ranks: int) -> float:
        """Return T(1) / T(ranks)."""
        return self.compute / self.time(ranks)

    @property
    def best(self) -> float:
        """The n of the least T(n), sqrt((compute - scan) / hop); infinite without a hop."""
        gain = max(self.compute - self.scan, 0.0)
        return max(1.0, math.sqrt(gain / self.hop)) if self.hop else math.inf
