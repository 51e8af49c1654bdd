"""Spoken digits: 700 inputs, 256 hidden neurons, 25 steps of 40 ms, 15 epochs.

Half of the neurons and steps of `popsnn train fsdd` and fewer epochs, so that 80 runs end on two
cores: one takes about 20 s of a core. `POPSNN_BENCH_FSDD` names the archive.
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
PARTS = (study.Part("fsdd", TARGET, OPTIONS),)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS)
