"""Spoken digits as `popsnn train fsdd` trains them, three seeds."""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.data import ARCHIVE
from bench.rows import Row

PARTS = (
    study.Part(
        "fsdd",
        0.97,
        {"data": str(ARCHIVE)},
        networks=("recurrent",),
        caps=(0.15,),
        thresholds=(study.SECOND_THRESHOLD,),
        seeds=3,
    ),
)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
