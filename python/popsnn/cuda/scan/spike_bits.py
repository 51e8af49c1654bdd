"""Spikes to bits and back on the kernels."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from ..device import launch
from ..device.program import TYPES, entry

THREADS = 256  # kBitThreads


class SpikeBitsArguments(ctypes.Structure):
    """`popsnn::SpikeBitsArguments` of `cuda/popsnn/scan/spike_bits.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("spikes", ctypes.c_void_p),
        ("bits", ctypes.c_void_p),
        ("steps", ctypes.c_longlong),
        ("neurons", ctypes.c_longlong),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `pack_spikes` and `unpack_spikes`, and those with `_any` for any N."""
    lines = ["#include <popsnn/scan/spike_bits.cuh>"]
    for name in ("pack_spikes", "unpack_spikes"):
        for suffix, whole in (("", "true"), ("_any", "false")):
            call = f"{name}<{TYPES[dtype]}, {whole}>"
            lines.append(entry(name + suffix, "SpikeBitsArguments", call, "popsnn::kBitThreads"))
    return "\n".join(lines)


def pack_spikes(spikes: Tensor) -> Tensor:
    """Return the bits uint8 [T, ceil(N / 8)] of contiguous `spikes` [T, N]."""
    steps, neurons = spikes.shape
    bits = spikes.new_empty((steps, -(-neurons // 8)), dtype=torch.uint8)
    _launch("pack_spikes", spikes, bits)
    return bits


def unpack_spikes(bits: Tensor, neurons: int, dtype: torch.dtype) -> Tensor:
    """Return the spikes [T, neurons] of contiguous `bits` uint8 [T, ceil(neurons / 8)]."""
    spikes = bits.new_empty((bits.shape[0], neurons), dtype=dtype)
    _launch("unpack_spikes", spikes, bits)
    return spikes


def _launch(name: str, spikes: Tensor, bits: Tensor) -> None:
    if not bits.numel():
        return
    arguments = SpikeBitsArguments(spikes.data_ptr(), bits.data_ptr(), *spikes.shape)
    whole = spikes.shape[1] % 8 == 0 and spikes.data_ptr() % 16 == 0
    launch.load(source(spikes.dtype), spikes.device).launch(
        name if whole else f"{name}_any",
        -(-bits.numel() // THREADS),
        THREADS,
        0,
        arguments,
    )
