"""Spoken digits in 50 steps of 20 ms: fewer inputs a step, so that neurons fire less often.

A recurrent network with the gradient threshold, without a cap and with one of 5 %; otherwise as
`fsdd`.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.accuracy.fsdd import OPTIONS, TARGET
from bench.rows import Row

CHANGES = {"steps": 50, "dt": 0.02, "jitter": 1.0, "offset": 3}
CASES = study.Part(
    "fsdd",
    TARGET,
    {**OPTIONS, **CHANGES},
    networks=("recurrent",),
    caps=(None, 0.05),
    thresholds=(study.SECOND_THRESHOLD,),
)
PARTS = (CASES,)


def run() -> Iterator[Row]:
    """Yield the rows of both cases."""
    return study.run(PARTS)
