"""CUDA kernels: what runs here, and why not; the elementwise neurons over the whole time axis."""

from __future__ import annotations

from .availability import unavailable
from .batch_norm_grad import Statistics, batch_norm_lif, moments, statistics
from .ops import watched
from .program import TYPES
from .spike_bits import pack_spikes, unpack_spikes
from .temporal_scan import scan, unsupported

__all__ = [
    "TYPES",
    "Statistics",
    "batch_norm_lif",
    "moments",
    "pack_spikes",
    "scan",
    "statistics",
    "unavailable",
    "unpack_spikes",
    "unsupported",
    "watched",
]
