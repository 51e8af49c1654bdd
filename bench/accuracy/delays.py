"""Learnt delays in place of weights: spoken digits by a quarter of the neurons.

The feed-forward network of `fsdd`, dense, with 256 hidden neurons and with 64, and with 64 whose
inputs have learnt delays of up to 6 steps, 0.24 s: 700 numbers more, and a quarter of the weights.
Maximum and width of the delays were chosen by a tenth of the training set, on other seeds than
these. On the torch engine and the cuda engine; the width of the triangle moves, which no graph can
hold.
"""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from bench.accuracy import fsdd, study
from bench.rows import Row

ENGINES: Mapping[str, Mapping[str, Any]] = {
    "torch": {"backend": "torch"},
    "cuda": {"backend": "cuda"},
}
QUARTER = {"hidden": [64]}
DELAYS = {"delay": 6, "delay_width": 3.0}
PARTS = tuple(
    study.Part(
        "fsdd",
        fsdd.TARGET,
        {**fsdd.OPTIONS, **changes},
        networks=("feed-forward",),
        caps=(None,),
        thresholds=(None,),
    )
    for changes in ({}, QUARTER, {**QUARTER, **DELAYS})
)


def run() -> Iterator[Row]:
    """Yield the rows of all cases."""
    return study.run(PARTS, ENGINES)
