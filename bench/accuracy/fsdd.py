"""Spoken digits: 700 inputs, 256 hidden neurons, 25 steps of 40 ms, 15 epochs.

Half of the neurons and steps of `popsnn train fsdd` and fewer epochs, so that 80 runs end: one
takes about half a minute of a core. `POPSNN_BENCH_FSDD` names the archive.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import study
from bench.data import ARCHIVE
from bench.rows import Row

TARGET = 0.9
OPTIONS = {
    "data": str(ARCHIVE),
    "steps": 25,
    "dt": 0.04,
    "jitter": 0.5,
    "offset": 2,
    "hidden": [256],
    "epochs": 15,
}


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    if not ARCHIVE.is_file():
        print(f"  no fsdd: expected its archive at {ARCHIVE}, got none")
        return iter(())
    return study.run("fsdd", {"feed-forward": False, "recurrent": True}, OPTIONS, TARGET)
