"""Spoken digits in 50 steps of 20 ms: fewer inputs a step, so that neurons fire less often.

A recurrent network with the second threshold, without a cap and with one of 5 %, three seeds;
otherwise as `fsdd`.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.accuracy.fsdd import OPTIONS, TARGET
from bench.data import ARCHIVE
from bench.rows import Row

CHANGES = {"steps": 50, "dt": 0.02, "jitter": 1.0, "offset": 3}


def run() -> Iterator[Row]:
    """Yield the rows of both cases."""
    if not ARCHIVE.is_file():
        print(f"  no fsdd: expected its archive at {ARCHIVE}, got none")
        return iter(())
    return study.run(
        "fsdd",
        {"recurrent": True},
        {**OPTIONS, **CHANGES},
        TARGET,
        caps=(None, 0.05),
        thresholds=(study.SECOND_THRESHOLD,),
        seeds=3,
    )
