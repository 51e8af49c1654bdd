"""Compacted spikes from the flags that a layer's kernel leaves."""

from __future__ import annotations

import ctypes
from typing import Any

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import launch
from ..device.program import entry
from ..events.expand_spikes import expanded

WARP = 32  # kWarp


class CompactedSpikesArguments(ctypes.Structure):
    """`popsnn::CompactedSpikesArguments` of `cuda/popsnn/layer/compacted_spikes.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("flags", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("ids", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("neurons", ctypes.c_int),
        ("padded", ctypes.c_int),
        ("capacity", ctypes.c_int),
    ]


SOURCE = "\n".join(
    [
        "#include <popsnn/layer/compacted_spikes.cuh>",
        entry("compact_spikes", "CompactedSpikesArguments", "compact_spikes", str(WARP)),
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
            flags.data_ptr(), counts.data_ptr(), ids.data_ptr(), values.data_ptr(), size, padded,
            capacity,
        )  # fmt: skip
        kernels = launch.load(SOURCE, flags.device)
        kernels.launch("compact_spikes", steps * batch, WARP, 0, arguments)
        ctx.save_for_backward(counts, ids)
        ctx.padded, ctx.dtype = padded, spikes.dtype
        ctx.mark_non_differentiable(ids)
        return ids, values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, _: None, grad: Tensor | None) -> tuple[Tensor | None, ...]:
        if grad is None:
            return None, None, None, None, None
        counts, ids = ctx.saved_tensors
        out = expanded(ids, counts, grad, ctx.padded, ctx.dtype)
        return out, None, None, None, None
