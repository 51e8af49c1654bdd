"""Quiet networks of spoken digits: an activity penalty that rises, at most 2 % of the neurons fire.

As `fsdd` feed-forward, and as `fsdd_fine` recurrent, without a cap. The penalty rises as half a
cosine. Weight, target and epochs were chosen by 15 % of the training set, on another seed than
those of the study.
"""

from __future__ import annotations

from typing import Any, Iterator

from bench.accuracy import fsdd, fsdd_fine, study
from bench.rows import Row

COST = {"activity_weight": 50.0, "activity_target": 0.02, "activity_schedule": "cosine"}
CASES: Any = {"caps": (None,), "thresholds": (study.SECOND_THRESHOLD,)}
FINE = {**fsdd.OPTIONS, **fsdd_fine.CHANGES, **COST, "activity_epochs": 8}
PARTS = (study.Part("fsdd", fsdd.TARGET, FINE, networks=("recurrent",), **CASES),)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
