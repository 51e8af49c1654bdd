"""Rows of spikes and weights with zeros behind them, in the type of the products."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import launch
from ..device.program import TYPES, entry

THREADS = 256  # kPadThreads
SPIKE_ROW_THREADS = 256  # kSpikeRowThreads
WARP = 32
NARROW, WIDE = 8, 16  # elements: 16 bytes of 16 bits, and the widest kernel's neurons of a thread
MOST_NARROW = 4096  # neurons, of which no thread has more than 8


class PaddedRowsArguments(ctypes.Structure):
    """`popsnn::PaddedRowsArguments` of `cuda/popsnn/layer/padded_rows.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("from", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("rows", ctypes.c_int),
        ("columns", ctypes.c_int),
        ("padded_rows", ctypes.c_int),
        ("padded_columns", ctypes.c_int),
    ]


class SpikeRowsArguments(ctypes.Structure):
    """`popsnn::SpikeRowsArguments` of `cuda/popsnn/events/spike_rows.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("spikes", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("rows", ctypes.c_longlong),
        ("columns", ctypes.c_int),
        ("padded", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `pad_rows`, and `spike_rows` for rows by alignment."""
    kind, spike_threads = TYPES[dtype], str(SPIKE_ROW_THREADS)
    return "\n".join(
        [
            "#include <popsnn/events/spike_rows.cuh>",
            "#include <popsnn/layer/padded_rows.cuh>",
            entry("pad_rows", "PaddedRowsArguments", f"pad_rows<{kind}>", str(THREADS)),
            *(
                entry(name, "SpikeRowsArguments", f"spike_rows<{kind}, {vector}>", spike_threads)
                for name, vector in (("spike_rows", 4), ("spike_rows_any", 1))
            ),
        ]
    )


def padded(size: int) -> int:
    """Return the elements of a row of `size` neurons."""
    step = NARROW if size <= MOST_NARROW else WIDE
    return -(-size // step) * step


def pad_rows(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Return x [..., M] in type `dtype` with zeros behind each row, [..., padded(M)]."""
    size = x.shape[-1]
    if padded(size) == size:
        return x.to(dtype).contiguous()
    wide = x.new_zeros((*x.shape[:-1], padded(size)), dtype=dtype)
    wide[..., :size] = x
    return wide


def unpadded(x: Tensor, size: int) -> Tensor:
    """Return x [T, B, P] without what lies behind the first `size` of each row, differentiable.

    The gradient of x, [T, B, P], has anything there; it may be one row of memory for all steps.
    """
    if x.shape[2] == size:
        return x
    out: Tensor = _Unpadded.apply(x, size)
    return out


class _Unpadded(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, size: int) -> Tensor:
        ctx.row = x.shape[2]
        return x[..., :size]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return _rows_as_they_are(grad, ctx.row), None


def _rows_as_they_are(x: Tensor, row: int) -> Tensor:
    """Return x [T, B, N] with rows of `row`: a view of the same memory where it has such rows."""
    steps, batch, size = x.shape
    over_time, over_samples, inside = x.stride()
    last = x.storage_offset() + (steps - 1) * over_time + (batch - 1) * over_samples + row
    fits = (
        inside == 1
        and over_samples == row
        and over_time in (0, batch * row)
        and last * x.element_size() <= x.untyped_storage().nbytes()
        and x.data_ptr() % 16 == 0
    )
    if fits:
        return x.as_strided((steps, batch, row), x.stride())
    wide = x.new_zeros((steps, batch, row))
    wide[..., :size] = x
    return wide


def pad_weight(weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return float32 weight [N, M] in type `dtype` with zeros around, [padded(N), padded(M)]."""
    rows, columns = weight.shape
    weight = weight.detach().contiguous()
    shape = (padded(rows), padded(columns))
    if weight.dtype == dtype and shape == (rows, columns):
        return weight
    wide = weight.new_empty(shape, dtype=dtype)
    arguments = PaddedRowsArguments(weight.data_ptr(), wide.data_ptr(), rows, columns, *shape)
    blocks = -(-wide.numel() // (4 * THREADS))
    launch.load(source(dtype), weight.device).launch("pad_rows", blocks, THREADS, 0, arguments)
    return wide


def spike_rows(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Return x [T, B, M] as rows [T, B, padded(M)] of 1 where it is not 0; not differentiable."""
    x = x.detach()
    if x.dtype != torch.float32:
        return pad_rows((x != 0).to(dtype), dtype)
    x = x.contiguous()
    steps, batch, size = x.shape
    rows = x.new_empty((steps, batch, padded(size)), dtype=dtype)
    if not rows.numel():
        return rows
    arguments = SpikeRowsArguments(x.data_ptr(), rows.data_ptr(), steps * batch, size, padded(size))
    whole = size % 4 == 0 and x.data_ptr() % 16 == 0
    name = "spike_rows" if whole else "spike_rows_any"
    blocks = -(-steps * batch * WARP // SPIKE_ROW_THREADS)
    launch.load(source(dtype), x.device).launch(name, blocks, SPIKE_ROW_THREADS, 0, arguments)
    return rows
