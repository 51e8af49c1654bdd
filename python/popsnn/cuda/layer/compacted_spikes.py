"""Compacted spikes from the flags that a layer's kernel leaves."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import launch
from ..device.program import TYPES, entry

WARP = 32  # kWarp
EXPAND_THREADS = 128  # kExpandThreads


class CompactedSpikesArguments(ctypes.Structure):
    """`popsnn::CompactedSpikesArguments` of `cuda/popsnn/layer/compacted_spikes.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("flags", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("ids", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("grad_values", ctypes.c_void_p),
        ("grad_spikes", ctypes.c_void_p),
        ("neurons", ctypes.c_int),
        ("padded", ctypes.c_int),
        ("capacity", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `compact_spikes` and `expand_gradients`, spikes of this type."""
    arguments = "CompactedSpikesArguments"
    spread = f"expand_gradients<{TYPES[dtype]}>"
    return "\n".join(
        [
            "#include <popsnn/layer/compacted_spikes.cuh>",
            entry("compact_spikes", arguments, "compact_spikes", str(WARP)),
            entry("expand_gradients", arguments, spread, str(EXPAND_THREADS)),
        ]
    )


def compact_spikes(
    spikes: Tensor, flags: Tensor, counts: Tensor, size: int, capacity: int
) -> tuple[Tensor, Tensor]:
    """Return ids int32 [T, B, S] and values float32 [T, B, S], differentiable in the spikes.

    Parameters
    ----------
    spikes : Tensor [T, B, P]
        Of N = `size` neurons, rows padded to a multiple of 8.
    flags : uint8 Tensor [T, B, P]
        As of `layer`, at most S = `capacity` of a row in the active set.
    counts : int32 Tensor [T, B, 2]
        Fired, and in the active set.
    """
    ids, values = _Lists.apply(spikes, flags, counts, size, capacity)
    return ids, values


class _Lists(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, spikes: Tensor, flags: Tensor, counts: Tensor, size: int, capacity: int
    ) -> tuple[Tensor, Tensor]:
        ctx.set_materialize_grads(False)  # zeros for the ids would take as long as the kernel
        steps, batch, padded = flags.shape
        ids = counts.new_empty((steps, batch, capacity))
        values = counts.new_empty((steps, batch, capacity), dtype=torch.float32)
        arguments = CompactedSpikesArguments(
            flags.data_ptr(), counts.data_ptr(), ids.data_ptr(), values.data_ptr(), 0, 0, size,
            padded, capacity,
        )  # fmt: skip
        kernels = launch.load(source(spikes.dtype), flags.device)
        kernels.launch("compact_spikes", steps * batch, WARP, 0, arguments)
        ctx.save_for_backward(counts, ids)
        ctx.shape, ctx.dtype = (steps, batch, padded), spikes.dtype
        ctx.mark_non_differentiable(ids)
        return ids, values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, _: None, grad: Tensor | None) -> tuple[Tensor | None, ...]:
        if grad is None:
            return None, None, None, None, None
        counts, ids = ctx.saved_tensors
        steps, batch, padded = ctx.shape
        grad = grad.contiguous()
        out = grad.new_empty(ctx.shape, dtype=ctx.dtype)
        arguments = CompactedSpikesArguments(
            0, counts.data_ptr(), ids.data_ptr(), 0, grad.data_ptr(), out.data_ptr(), 0, padded,
            ids.shape[2],
        )  # fmt: skip
        kernels = launch.load(source(ctx.dtype), grad.device)
        kernels.launch("expand_gradients", steps * batch, EXPAND_THREADS, 0, arguments)
        return out, None, None, None, None
