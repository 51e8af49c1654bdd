"""CUDA kernels: what runs here, and why not; neurons and layers over all their steps; graphs."""

from __future__ import annotations

from .batch_norm.lif import batch_norm_lif
from .batch_norm.statistics import Statistics, moments, statistics
from .device.availability import unavailable
from .device.graph import CapturedStep
from .device.ops import traced
from .device.program import TYPES
from .layer.delayed import Spreading, delayed, delayed_unsupported
from .layer.layer import layer
from .layer.readout_loss import readout_loss, readout_loss_unsupported
from .layer.steps import recurrent_layer
from .optim.adam import Adam, AdamW
from .recurrent.recurrent import recurrent, recurrent_unsupported
from .scan import ops as _scan_ops  # noqa: F401  # which registers the operators
from .scan.scan import scan, unsupported
from .scan.spike_bits import pack_spikes, unpack_spikes

__all__ = [
    "TYPES",
    "Adam",
    "AdamW",
    "CapturedStep",
    "Spreading",
    "Statistics",
    "batch_norm_lif",
    "delayed",
    "delayed_unsupported",
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
    "traced",
    "unavailable",
    "unpack_spikes",
    "unsupported",
]
