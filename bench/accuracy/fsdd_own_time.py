"""Spoken digits whose own time each is cut into the 25 steps, in place of the first second.

So no step is silent, and no step has as many spikes as where somebody speaks in 40 ms: lists that
whose capacity is 5 % of the neurons fit more spikes. Otherwise as `fsdd`; without a cap, with
one of 5 %, and with that and a cost of activity, which was chosen by a tenth of the training set on
another seed than those of the study.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.accuracy.fsdd import OPTIONS, TARGET
from bench.rows import Row

CHANGES = {"dt": None}
COST = {"activity_weight": 20.0, "activity_target": 0.03}
PARTS = (
    study.Part("fsdd", TARGET, {**OPTIONS, **CHANGES}, caps=(None, 0.05), thresholds=(None,)),
    study.Part("fsdd", TARGET, {**OPTIONS, **CHANGES, **COST}, caps=(0.05,), thresholds=(None,)),
)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
