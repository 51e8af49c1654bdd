"""Elementwise LIF over time on one GPU: our kernels next to what people use today.

``python -m bench lif`` runs every part, ``python -m bench lif.elementwise`` one. All subjects
run in one process on the same tensors, and their spikes and gradients are compared with the
reference in float64 in that run. Peers that do not import are named and left out.
"""

from __future__ import annotations

from typing import Iterator

from bench import gpu
from bench.rows import Row

from . import elementwise, few_neurons, linear_lif, monolayer


def run() -> Iterator[Row]:
    """Yield the rows of all parts."""
    if not gpu.here():
        return
    for part in (elementwise, few_neurons, monolayer, linear_lif):
        yield from part.run()
