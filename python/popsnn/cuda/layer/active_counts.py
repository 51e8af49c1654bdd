"""Counts of the neurons that fired and that are active, of a layer without a capacity."""

from __future__ import annotations

import ctypes
import math
from functools import lru_cache

import torch
from torch import Tensor

from ..device import launch
from ..device.program import TYPES, entry

THREADS = 256  # kActiveCountsThreads
WARP = 32
MOST_VECTOR = 4  # neurons, whose membranes are 16 bytes


class ActiveCountsArguments(ctypes.Structure):
    """`popsnn::ActiveCountsArguments` of `cuda/popsnn/layer/active_counts.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("spikes", ctypes.c_void_p),
        ("membrane", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("rows", ctypes.c_longlong),
        ("neurons", ctypes.c_int),
        ("grad_threshold", ctypes.c_float),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, vector: int) -> str:
    """Return the kernel `active_counts`, whose lanes read so many neurons at once."""
    call = f"active_counts<{TYPES[dtype]}, {vector}>"
    kernel = entry("active_counts", "ActiveCountsArguments", call, str(THREADS))
    return f"#include <popsnn/layer/active_counts.cuh>\n{kernel}"


def active_counts(spikes: Tensor, membrane: Tensor, grad_threshold: float) -> Tensor:
    """Return what fired and what is active at each step, int32 [T, B, 2].

    Parameters
    ----------
    spikes : Tensor [T, B, N]
    membrane : float32 Tensor [T, B, N]
    grad_threshold : float
        Neurons whose membrane is not below are active too.
    """
    spikes, membrane = spikes.contiguous(), membrane.contiguous()
    steps, batch, neurons = spikes.shape
    counts = spikes.new_empty((steps, batch, 2), dtype=torch.int32)
    aligned = not (spikes.data_ptr() % 16 or membrane.data_ptr() % 16)
    vector = MOST_VECTOR if aligned and neurons % MOST_VECTOR == 0 else 1
    limited = grad_threshold > -math.inf
    arguments = ActiveCountsArguments(
        spikes.data_ptr(), membrane.data_ptr() if limited else None, counts.data_ptr(),
        steps * batch, neurons, grad_threshold,
    )  # fmt: skip
    if counts.numel():
        blocks = -(-steps * batch // (THREADS // WARP))
        kernels = launch.load(source(spikes.dtype, vector), spikes.device)
        kernels.launch("active_counts", blocks, THREADS, 0, arguments)
    return counts
