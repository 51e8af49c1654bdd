"""Handwritten digits: 64 inputs, 256 hidden neurons, 8 steps."""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.rows import Row

OPTIONS = {"workers": 0}  # whose start would take longer than its batches
PARTS = (study.Part("digits", 0.95, OPTIONS),)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
