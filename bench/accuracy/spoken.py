"""All parts of spoken digits in one run, so that they use the same cores and, on a GPU, batches."""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import (
    fsdd,
    fsdd_fine,
    fsdd_finest,
    fsdd_own_time,
    fsdd_quiet,
    fsdd_shipped,
    study,
)
from bench.rows import Row

PARTS = (
    *fsdd.PARTS, *fsdd_quiet.PARTS, *fsdd_own_time.PARTS, *fsdd_shipped.PARTS, *fsdd_fine.PARTS,
    *fsdd_finest.PARTS,
)  # fmt: skip


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
