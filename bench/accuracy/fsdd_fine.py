"""Spoken digits in shorter steps: fewer inputs in each, so that neurons fire less often.

A recurrent network with the second threshold, in 50 and in 100 steps, without a cap and with one
of 5 %; otherwise as `fsdd`.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.accuracy.fsdd import OPTIONS, TARGET
from bench.rows import Row

CHANGES = (
    {"steps": 50, "dt": 0.02, "jitter": 1.0, "offset": 3},
    {"steps": 100, "dt": 0.01, "jitter": 2.0, "offset": 6},
)
PARTS = tuple(
    study.Part(
        "fsdd",
        TARGET,
        {**OPTIONS, **changes},
        networks=("recurrent",),
        caps=(None, 0.05),
        thresholds=(study.SECOND_THRESHOLD,),
    )
    for changes in CHANGES
)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
