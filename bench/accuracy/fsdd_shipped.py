"""Spoken digits by the network of `popsnn train fsdd`; three seeds, and five of dense.

Dense, with a cap of 5 %, and with its own of 15 %.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.data import ARCHIVE
from bench.rows import Row


def part(cap: float | None, threshold: float | None, seeds: int = 3) -> study.Part:
    """Return the shipped configuration with this cap and gradient threshold."""
    return study.Part(
        "fsdd",
        0.97,
        {"data": str(ARCHIVE)},
        networks=("recurrent",),
        caps=(cap,),
        thresholds=(threshold,),
        seeds=seeds,
    )


PARTS = (
    part(None, None, study.SEEDS),
    part(0.05, study.SECOND_THRESHOLD),
    part(0.15, study.SECOND_THRESHOLD),
)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
