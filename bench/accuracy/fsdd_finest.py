"""Spoken digits in 100 steps of 10 ms; otherwise as `fsdd_fine`."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from bench.accuracy import fsdd_fine, study
from bench.accuracy.fsdd import OPTIONS
from bench.rows import Row

CHANGES = {"steps": 100, "dt": 0.01, "jitter": 2.0, "offset": 6}
PARTS = (replace(fsdd_fine.CASES, options={**OPTIONS, **CHANGES}),)


def run() -> Iterator[Row]:
    """Yield the rows of both cases."""
    return study.run(PARTS)
