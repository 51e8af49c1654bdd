"""Sums and lines over the rows of a matrix [R, C], a channel a column."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from . import launch
from .program import TYPES, entry

THREADS = 128  # kSumThreads
THREADS_PER_MULTIPROCESSOR = 1024
LAST_PARTS = 32  # few enough for one thread to sum


class ChannelSumsArguments(ctypes.Structure):
    """`popsnn::ChannelSumsArguments` of `cuda/popsnn/channel_sums.cuh`."""

    _fields_ = [
        ("x", ctypes.c_void_p),
        ("other", ctypes.c_void_p),
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
        entry(name, f"Channel{arguments}Arguments", call, "popsnn::kSumThreads")
        for name, (arguments, call) in calls.items()
    ]
    return "\n".join(["#include <popsnn/channel_sums.cuh>", *entries])


def lanes_of(dtype: torch.dtype) -> int:
    """Return the channels of a thread: 16 bytes."""
    return 16 // dtype.itemsize


def fits(x: Tensor, channels: int) -> bool:
    """Whether the kernels take the memory of dense `x` as [R, channels]."""
    return (
        x.numel() > 0
        and channels % lanes_of(x.dtype) == 0
        and x.data_ptr() % 16 == 0
        and x.dtype in TYPES
    )


def squares(x: Tensor, channels: int) -> Tensor:
    """Return sums [parts, 2, C] over the rows of dense `x` [R, C]: of x - x[0], and its squares.

    There are at most `LAST_PARTS` parts; what is asked for is the sum of them.
    """
    return _sums("channel_squares", x, None, channels)


def pairs(x: Tensor, other: Tensor, channels: int) -> Tensor:
    """Return sums [parts, 2, C] over the rows of dense `x` and `other` [R, C], as `squares`."""
    return _sums("channel_pairs", x, other, channels)


def line(
    grad: Tensor,  # [R, C], dense
    x: Tensor,  # [R, C], dense
    scale: Tensor,  # [C]
    slope: Tensor,  # [C]
    offset: Tensor,  # [C]
) -> Tensor:
    """Return grad * scale + x * slope + offset, as `grad`."""
    to = torch.empty_like(grad)
    channels = scale.numel()
    rows = x.numel() // channels
    parts = _parts(x, rows, channels)
    arguments = ChannelLineArguments(
        grad.data_ptr(),
        x.data_ptr(),
        scale.data_ptr(),
        slope.data_ptr(),
        offset.data_ptr(),
        to.data_ptr(),
        rows,
        parts,
        channels,
    )
    _launch("channel_line", x, parts, channels, arguments)
    return to


def _sums(name: str, x: Tensor, other: Tensor | None, channels: int) -> Tensor:
    rows = x.numel() // channels
    parts = _parts(x, rows, channels)
    sums = _partial(name, x, other, rows, parts, channels)  # [parts, 2, C]
    while parts > LAST_PARTS:
        # One half of the parts beside the other, each part a row of 2 C columns.
        half = parts // 2
        fewer = min(half, max(LAST_PARTS // 2, -(-half // LAST_PARTS)))
        sums = _partial("channel_pairs", sums[:half], sums[half:], half, fewer, 2 * channels)
        parts = 2 * fewer
        sums = sums.view(parts, 2, channels)
    return sums


def _partial(
    name: str, x: Tensor, other: Tensor | None, rows: int, parts: int, channels: int
) -> Tensor:
    sums = x.new_empty((parts, 2, channels), dtype=torch.float32)
    arguments = ChannelSumsArguments(
        x.data_ptr(),
        0 if other is None else other.data_ptr(),
        sums.data_ptr(),
        rows,
        parts,
        channels,
    )
    _launch(name, x, parts, channels, arguments)
    return sums


def _parts(x: Tensor, rows: int, channels: int) -> int:
    """Return over how many threads the rows of a vector of channels are spread, an even number."""
    threads = THREADS_PER_MULTIPROCESSOR * launch.multiprocessors(x.device)
    parts = min(threads // (channels // lanes_of(x.dtype)), rows)
    return max(1, parts - parts % 2)


def _launch(name: str, x: Tensor, parts: int, channels: int, arguments: ctypes.Structure) -> None:
    threads = parts * (channels // lanes_of(x.dtype))
    launch.load(source(x.dtype), x.device).launch(
        name, -(-threads // THREADS), THREADS, 0, arguments
    )
