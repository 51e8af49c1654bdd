"""CUDA kernels: what runs here, and why not; the elementwise neurons over the whole time axis."""

from __future__ import annotations

import torch

from .availability import unavailable
from .batch_norm_grad import Statistics, batch_norm_lif, moments
from .temporal_scan import scan, unsupported

if hasattr(torch.library, "register_fake"):  # torch 2.4; an older one has no use for the operators
    from . import ops as ops

__all__ = ["Statistics", "batch_norm_lif", "moments", "scan", "unavailable", "unsupported"]
