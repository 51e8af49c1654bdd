"""Numbers of float32 as sums of terms of bfloat16, which tensor cores multiply."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from . import launch
from .products import PLANES
from .program import entry

THREADS = 256  # kPlanesThreads


class PlanesArguments(ctypes.Structure):
    """`popsnn::PlanesArguments` of `cuda/popsnn/device/planes.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("from", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("count", ctypes.c_longlong),
        ("planes", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source() -> str:
    """Return the kernel `split_planes`."""
    kernel = entry("split_planes", "PlanesArguments", "split_planes", str(THREADS))
    return f"#include <popsnn/device/planes.cuh>\n{kernel}"


def split_planes(x: Tensor, count: int = PLANES) -> Tensor:
    """Return terms of bfloat16, [count, ...]: the sum of three is x, that of two has 16 bits.

    Parameters
    ----------
    x : float32 Tensor
        Of a multiple of 4 elements; copied where they are not contiguous from 16 bytes on.
    """
    (x,) = launch.aligned([x.contiguous()])
    planes = x.new_empty((count, *x.shape), dtype=torch.bfloat16)
    blocks = -(-x.numel() // (4 * THREADS))
    arguments = PlanesArguments(x.data_ptr(), planes.data_ptr(), x.numel(), count)
    if blocks:
        kernels = launch.load(source(), x.device)
        kernels.launch("split_planes", blocks, THREADS, 0, arguments)
    return planes
