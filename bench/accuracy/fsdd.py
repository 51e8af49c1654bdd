"""Spoken digits: 700 inputs, 256 hidden neurons, 50 steps of 20 ms.

Half the neurons and epochs of `popsnn train fsdd`, so that 80 runs end: one takes about a minute of
a core. `POPSNN_BENCH_FSDD` names the archive.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.data import ARCHIVE
from bench.rows import Row

TARGET = 0.9
OPTIONS = {
    "data": str(ARCHIVE),
    "hidden": [256],
    "epochs": 20,
}


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    if not ARCHIVE.is_file():
        print(f"  no fsdd: expected its archive at {ARCHIVE}, got none")
        return iter(())
    return study.run("fsdd", {"feed-forward": False, "recurrent": True}, OPTIONS, TARGET)
