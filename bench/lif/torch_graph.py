"""Plain torch as a CUDA graph, on the work of `elementwise`."""

from __future__ import annotations

from typing import Iterator

from bench.rows import Row

from . import elementwise
from .subjects import torch_graph


def run() -> Iterator[Row]:
    """Measure it at every T and type."""
    return elementwise.run(lambda: [torch_graph()])
