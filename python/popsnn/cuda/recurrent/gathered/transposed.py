"""Weights by source: those of a neuron to all others as neighbours in memory."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES, entry

TILE = 64  # kTransposedTile
THREADS = 256  # kTransposedThreads
SHARED_BYTES = 4 * TILE * (TILE + 1)


class TransposedArguments(ctypes.Structure):
    """`popsnn::TransposedArguments` of `cuda/popsnn/recurrent/gathered/transposed.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("from", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("neurons", ctypes.c_int),
        ("pitch", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(weight: torch.dtype, dtype: torch.dtype, pairs: bool) -> str:
    """Return the kernel `transposed`, of `pairs` of elements where both types have 16 bits."""
    call = f"transposed<{TYPES[weight]}, {TYPES[dtype]}>" if not pairs else "transposed_pairs"
    return "\n".join(
        [
            "#include <popsnn/recurrent/gathered/transposed.cuh>",
            entry("transposed", "TransposedArguments", call, "popsnn::kTransposedThreads"),
        ]
    )


def transposed(weight: Tensor, dtype: torch.dtype, pitch: int) -> Tensor:
    """Return weights [N, N] as [from, pitch] of another type, zeros beyond N."""
    neurons = weight.shape[0]
    weight = weight.contiguous()
    out = weight.new_empty((neurons, pitch), dtype=dtype)
    arguments = TransposedArguments(weight.data_ptr(), out.data_ptr(), neurons, pitch)
    blocks = -(-neurons // TILE) * -(-pitch // TILE)
    narrow = weight.dtype == dtype and weight.element_size() == 2
    pairs = narrow and neurons % 2 == 0 and weight.data_ptr() % 4 == 0
    kernels = module.load(source(weight.dtype, dtype, pairs), weight.device)
    kernels.launch("transposed", blocks, THREADS, SHARED_BYTES, arguments)
    return out
