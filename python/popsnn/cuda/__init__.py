"""CUDA kernels: what runs here, and why not; neurons and layers over all their steps; graphs."""

from __future__ import annotations

from .adam import Adam, AdamW
from .availability import unavailable
from .batch_norm_grad import batch_norm_lif
from .batch_norm_statistics import Statistics, moments, statistics
from .graph import CapturedStep
from .layer import layer
from .ops import watched
from .program import TYPES
from .readout_loss import readout_loss, readout_loss_unsupported
from .recurrent import recurrent, recurrent_unsupported
from .recurrent_layer import recurrent_layer
from .spike_bits import pack_spikes, unpack_spikes
from .temporal_scan import scan, unsupported

__all__ = [
    "TYPES",
    "Adam",
    "AdamW",
    "CapturedStep",
    "Statistics",
    "batch_norm_lif",
    "layer",
    "moments",
    "pack_spikes",
    "readout_loss",
    "readout_loss_unsupported",
    "recurrent",
    "recurrent_layer",
    "recurrent_unsupported",
    "scan",
    "statistics",
    "unavailable",
    "unpack_spikes",
    "unsupported",
    "watched",
]
