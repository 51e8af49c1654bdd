"""Automatic capacities: `max_activity="auto"`, in most cases with a small activity penalty.

The six tasks of 256 neurons (digits, spoken digits in the first second and in each recording's own
time, feed-forward and recurrent) and the network of `popsnn train fsdd`, five seeds each. Gradient
threshold, weight and target were chosen by a tenth of the training sets (digits: a fifth), on other
seeds than those of the study. They compare with dense networks: no capacity, no gradient threshold.

Recurrent networks in each recording's own time have a lower gradient threshold. With 0.1 and the
same penalty, the tenth is recognised half a point worse than without one, on 14 seeds.

The network of `popsnn train fsdd` has no penalty and a threshold of 0.01: of the six settings that
`bench.accuracy.choose` compared by 14 seeds, it alone has an interval above dense networks, one of
six; none has an interval below.

- `capacity` is the capacity of the hidden layer at the end, as a fraction of its neurons.

`python -m bench accuracy --only popsnn-cuda --case max_activity=auto` trains these cases alone, and
`--case max_activity=null --case grad_threshold=null` dense networks.
"""

from __future__ import annotations

from typing import Any, Iterator

from bench.accuracy import digits, fsdd, fsdd_own_time, study
from bench.data import ARCHIVE
from bench.rows import Row

COST = {"activity_weight": 5.0, "activity_target": 0.08}
DIGITS_COST = {**COST, "activity_weight": 2.0}
RECURRENT_COST = {**COST, "activity_weight": 8.0}  # of spoken digits in the first second
THRESHOLD = 0.1
LOW_THRESHOLD = 0.03  # of recurrent networks in each recording's own time
LOWEST_THRESHOLD = 0.01  # of the network of `popsnn train fsdd`
CASES: Any = {"caps": ("auto",), "thresholds": (THRESHOLD,)}
OWN_TIME = {**fsdd.OPTIONS, **fsdd_own_time.CHANGES, **COST}
PARTS = (
    study.Part("digits", 0.95, {**digits.OPTIONS, **DIGITS_COST}, **CASES),
    study.Part("fsdd", fsdd.TARGET, {**fsdd.OPTIONS, **COST}, networks=("feed-forward",), **CASES),
    study.Part(
        "fsdd", fsdd.TARGET, {**fsdd.OPTIONS, **RECURRENT_COST}, networks=("recurrent",), **CASES
    ),
    study.Part("fsdd", fsdd.TARGET, OWN_TIME, networks=("feed-forward",), **CASES),
    study.Part(
        "fsdd",
        fsdd.TARGET,
        OWN_TIME,
        networks=("recurrent",),
        caps=("auto",),
        thresholds=(LOW_THRESHOLD,),
    ),
    study.Part(
        "fsdd",
        0.97,
        {"data": str(ARCHIVE)},
        networks=("recurrent",),
        caps=("auto",),
        thresholds=(LOWEST_THRESHOLD,),
    ),
)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
