"""Sums and lines over the rows of a matrix [R, C], a channel a column."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from . import launch
from .program import TYPES

THREADS = 128  # kSumThreads
THREADS_PER_MULTIPROCESSOR = 1024
LAST_PARTS = 32  # few enough for torch to sum


class ChannelSumsArguments(ctypes.Structure):
    """`popsnn::ChannelSumsArguments` of `cuda/popsnn/channel_sums.cuh`."""

    _fields_ = [
        ("x", ctypes.c_void_p),
        ("other", ctypes.c_void_p),
        ("shift", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("rows", ctypes.c_longlong),
        ("parts", ctypes.c_longlong),
        ("channels", ctypes.c_int),
    ]


class ChannelLineArguments(ctypes.Structure):
    """`popsnn::ChannelLineArguments` of `cuda/popsnn/channel_sums.cuh`."""

    _fields_ = [
        ("grad", ctypes.c_void_p),
        ("x", ctypes.c_void_p),
        ("scale", ctypes.c_void_p),
        ("slope", ctypes.c_void_p),
        ("offset", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("rows", ctypes.c_longlong),
        ("parts", ctypes.c_longlong),
        ("channels", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `channel_squares`, `channel_pairs` and `channel_line`."""
    kind, lanes = TYPES[dtype], lanes_of(dtype)
    calls = {
        "channel_squares": ("Sums", f"channel_sums<{kind}, {lanes}, true>"),
        "channel_pairs": ("Sums", f"channel_sums<{kind}, {lanes}, false>"),
        "channel_line": ("Line", f"channel_line<{kind}, {lanes}>"),
    }
    entries = [
        f"POPSNN_KERNEL(popsnn::kSumThreads) {name}"
        f"(POPSNN_ARGUMENT popsnn::Channel{arguments}Arguments a) {{ popsnn::{call}(a); }}"
        for name, (arguments, call) in calls.items()
    ]
    return "\n".join(["#include <popsnn/channel_sums.cuh>", *entries])


def lanes_of(dtype: torch.dtype) -> int:
    """Return the channels of a thread: 16 bytes."""
    return 16 // dtype.itemsize


def fits(x: Tensor) -> bool:
    """Whether the kernels take `x` [R, C]: whole vectors, aligned, any row at all."""
    return (
        x.is_contiguous()
        and x.numel() > 0
        and x.shape[1] % lanes_of(x.dtype) == 0
        and x.data_ptr() % 16 == 0
    )


def squares(x: Tensor, shift: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sums [C] of x - shift and of its squares, over the rows of `x` [R, C]."""
    return _sums("channel_squares", x, None, shift)


def pairs(x: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sums [C] over the rows of `x` [R, C] and over those of `other` [R, C]."""
    return _sums("channel_pairs", x, other, None)


def line(
    grad: Tensor,  # [R, C]
    x: Tensor,  # [R, C]
    scale: Tensor,  # [C]
    slope: Tensor,  # [C]
    offset: Tensor,  # [C]
) -> Tensor:
    """Return grad * scale + x * slope + offset, [R, C]."""
    to = torch.empty_like(grad)
    parts = _parts(x)
    arguments = ChannelLineArguments(
        *(one.data_ptr() for one in (grad, x, scale, slope, offset, to)),
        x.shape[0],
        parts,
        x.shape[1],
    )
    _launch("channel_line", x, parts, arguments)
    return to


def _sums(
    name: str, x: Tensor, other: Tensor | None, shift: Tensor | None
) -> tuple[Tensor, Tensor]:
    parts = _parts(x)
    sums = _partial(name, x, other, shift, parts)  # [parts, 2, C]
    while len(sums) > LAST_PARTS:
        pair = sums.view(len(sums), -1)  # [parts, 2 C], summed once, beside itself
        fewer = LAST_PARTS if len(sums) <= LAST_PARTS**2 else -(-len(sums) // LAST_PARTS)
        sums = _partial("channel_pairs", pair, pair, None, fewer)[:, 0].view(fewer, 2, -1)
        sums = sums.contiguous()
    total = sums.sum(0)
    return total[0], total[1]


def _partial(
    name: str, x: Tensor, other: Tensor | None, shift: Tensor | None, parts: int
) -> Tensor:
    sums = x.new_empty((parts, 2, x.shape[1]), dtype=torch.float32)
    arguments = ChannelSumsArguments(
        x.data_ptr(),
        0 if other is None else other.data_ptr(),
        0 if shift is None else shift.data_ptr(),
        sums.data_ptr(),
        x.shape[0],
        parts,
        x.shape[1],
    )
    _launch(name, x, parts, arguments)
    return sums


def _parts(x: Tensor) -> int:
    """Return over how many threads the rows of a vector of channels are spread."""
    threads = THREADS_PER_MULTIPROCESSOR * launch.multiprocessors(x.device)
    vectors = x.shape[1] // lanes_of(x.dtype)
    return max(1, min(threads // vectors, x.shape[0]))


def _launch(name: str, x: Tensor, parts: int, arguments: ctypes.Structure) -> None:
    threads = parts * (x.shape[1] // lanes_of(x.dtype))
    launch.load(source(x.dtype), x.device).launch(
        name, -(-threads // THREADS), THREADS, 0, arguments, x.device
    )
