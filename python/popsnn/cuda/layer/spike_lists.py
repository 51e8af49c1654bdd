"""Lists of spike ids out of what a layer's kernel marked."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from ..device import launch
from ..device.program import TYPES, entry

WARP = 32  # kWarp
SPREAD_THREADS = 128  # kSpreadThreads


class SpikeListsArguments(ctypes.Structure):
    """`popsnn::SpikeListsArguments` of `cuda/popsnn/layer/spike_lists.cuh`."""

    _fields_ = [
        ("marks", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("ids", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("grad_values", ctypes.c_void_p),
        ("grad_spikes", ctypes.c_void_p),
        ("neurons", ctypes.c_int),
        ("padded", ctypes.c_int),
        ("places", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `spike_lists` and `spread_lists`, spikes of this type."""
    arguments = "SpikeListsArguments"
    spread = f"spread_lists<{TYPES[dtype]}>"
    return "\n".join(
        [
            "#include <popsnn/layer/spike_lists.cuh>",
            entry("spike_lists", arguments, "spike_lists", str(WARP)),
            entry("spread_lists", arguments, spread, str(SPREAD_THREADS)),
        ]
    )


def spike_lists(
    spikes: Tensor, marks: Tensor, counts: Tensor, size: int, places: int
) -> tuple[Tensor, Tensor]:
    """Return ids int32 [T, B, S] and values float32 [T, B, S], differentiable in the spikes.

    Parameters
    ----------
    spikes : Tensor [T, B, P]
        Of N = `size` neurons, rows padded to a multiple of 8.
    marks : uint8 Tensor [T, B, P]
        As of `layer`, at most S = `places` of a row listed.
    counts : int32 Tensor [T, B, 2]
        Fired, and listed.
    """
    ids, values = _Lists.apply(spikes, marks, counts, size, places)
    return ids, values


class _Lists(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, spikes: Tensor, marks: Tensor, counts: Tensor, size: int, places: int
    ) -> tuple[Tensor, Tensor]:
        steps, batch, padded = marks.shape
        ids = counts.new_empty((steps, batch, places))
        values = counts.new_empty((steps, batch, places), dtype=torch.float32)
        arguments = SpikeListsArguments(
            marks.data_ptr(), counts.data_ptr(), ids.data_ptr(), values.data_ptr(), 0, 0, size,
            padded, places,
        )  # fmt: skip
        kernels = launch.load(source(spikes.dtype), marks.device)
        kernels.launch("spike_lists", steps * batch, WARP, 0, arguments)
        ctx.save_for_backward(counts, ids)
        ctx.shape, ctx.dtype = (steps, batch, padded), spikes.dtype
        ctx.mark_non_differentiable(ids)
        return ids, values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, _: Tensor, grad: Tensor) -> tuple[Tensor | None, ...]:
        counts, ids = ctx.saved_tensors
        steps, batch, padded = ctx.shape
        grad = grad.contiguous()
        out = grad.new_empty(ctx.shape, dtype=ctx.dtype)
        arguments = SpikeListsArguments(
            0, counts.data_ptr(), ids.data_ptr(), 0, grad.data_ptr(), out.data_ptr(), 0, padded,
            ids.shape[2],
        )  # fmt: skip
        kernels = launch.load(source(ctx.dtype), grad.device)
        kernels.launch("spread_lists", steps * batch, SPREAD_THREADS, 0, arguments)
        return out, None, None, None, None
