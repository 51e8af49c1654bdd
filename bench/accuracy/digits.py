"""Handwritten digits: 64 inputs, 256 hidden neurons, 8 steps."""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.rows import Row

PARTS = (study.Part("digits", 0.95),)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
