"""Sums and lines over the rows of a matrix, a channel a column, or `inner` columns side by side."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from ..device import launch, properties
from ..device.program import TYPES, entry

THREADS = 128  # kSumThreads
THREADS_PER_MULTIPROCESSOR = 1024
LAST_PARTIALS = 32  # few enough for one thread to sum


class ChannelSumsArguments(ctypes.Structure):
    """`popsnn::ChannelSumsArguments` of `cuda/popsnn/batch_norm/channel_sums.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("x", ctypes.c_void_p),
        ("other", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("rows", ctypes.c_longlong),
        ("partials", ctypes.c_longlong),
        ("columns", ctypes.c_int),
        ("inner", ctypes.c_int),
    ]


class ChannelLineArguments(ctypes.Structure):
    """`popsnn::ChannelLineArguments` of `cuda/popsnn/batch_norm/channel_sums.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("grad", ctypes.c_void_p),
        ("x", ctypes.c_void_p),
        ("scale", ctypes.c_void_p),
        ("slope", ctypes.c_void_p),
        ("offset", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("rows", ctypes.c_longlong),
        ("partials", ctypes.c_longlong),
        ("columns", ctypes.c_int),
        ("inner", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `<whose>_squares`, `<whose>_pairs` and `<whose>_line`.

    Those of a `channel` are for one column each, those of a `plane` for several.
    """
    vector = f"{TYPES[dtype]}, {vector_of(dtype)}"
    calls = {}
    for whose, planes in (("channel", "false"), ("plane", "true")):
        calls[f"{whose}_squares"] = ("Sums", f"channel_sums<{vector}, true, {planes}>")
        calls[f"{whose}_pairs"] = ("Sums", f"channel_sums<{vector}, false, {planes}>")
        calls[f"{whose}_line"] = ("Line", f"channel_line<{vector}, {planes}>")
    entries = [
        entry(name, f"Channel{arguments}Arguments", call, "popsnn::kSumThreads")
        for name, (arguments, call) in calls.items()
    ]
    return "\n".join(["#include <popsnn/batch_norm/channel_sums.cuh>", *entries])


def vector_of(dtype: torch.dtype) -> int:
    """Return the columns of a thread: 16 bytes."""
    return 16 // dtype.itemsize


def fits(x: Tensor, channels: int, inner: int = 1) -> bool:
    """Whether the kernels take the memory of dense `x` as [R, channels, inner]."""
    return (
        x.numel() > 0
        and (channels if inner == 1 else inner) % vector_of(x.dtype) == 0
        and x.data_ptr() % 16 == 0
        and x.dtype in TYPES
    )


def squares(x: Tensor, channels: int, inner: int = 1) -> Tensor:
    """Return sums [partials, 2, C] over dense `x` [R, C, inner]: of x - x[0, :, 0], and squares.

    There are at most `LAST_PARTIALS` partial sums, whose sum is the result.
    """
    return _sums("squares", x, None, channels, inner)


def pairs(x: Tensor, other: Tensor, channels: int, inner: int = 1) -> Tensor:
    """Return sums [partials, 2, C] over dense `x` and `other` [R, C, inner], as `squares`."""
    return _sums("pairs", x, other, channels, inner)


def line(
    grad: Tensor,  # [R, C, inner], dense
    x: Tensor,  # [R, C, inner], dense
    scale: Tensor,  # [C]
    slope: Tensor,  # [C]
    offset: Tensor,  # [C]
    inner: int = 1,
) -> Tensor:
    """Return grad * scale + x * slope + offset, as `grad`."""
    to = torch.empty_like(grad)
    columns = scale.numel() * inner
    rows = x.numel() // columns
    count = _partial_count(x, rows, columns)
    arguments = ChannelLineArguments(
        grad.data_ptr(),
        x.data_ptr(),
        scale.data_ptr(),
        slope.data_ptr(),
        offset.data_ptr(),
        to.data_ptr(),
        rows,
        count,
        columns,
        inner,
    )
    _launch("line", x, count, columns, inner, arguments)
    return to


def _sums(name: str, x: Tensor, other: Tensor | None, channels: int, inner: int) -> Tensor:
    columns = channels * inner
    rows = x.numel() // columns
    count = _partial_count(x, rows, columns)
    sums = _partial(name, x, other, rows, count, columns, inner)
    if inner > 1:  # [partials, 2, C * inner / vector]
        return sums.view(count, 2, channels, -1).sum((0, 3)).unsqueeze(0)
    while count > LAST_PARTIALS:
        # One half of the partial sums next to the other, each a row of 2 C columns.
        half = count // 2
        fewer = min(half, max(LAST_PARTIALS // 2, -(-half // LAST_PARTIALS)))
        sums = _partial("pairs", sums[:half], sums[half:], half, fewer, 2 * channels, 1)
        count = 2 * fewer
        sums = sums.view(count, 2, channels)
    return sums


def _partial(
    name: str, x: Tensor, other: Tensor | None, rows: int, partials: int, columns: int, inner: int
) -> Tensor:
    shared = 1 if inner == 1 else vector_of(x.dtype)
    sums = x.new_empty((partials, 2, columns // shared), dtype=torch.float32)
    arguments = ChannelSumsArguments(
        x.data_ptr(),
        0 if other is None else other.data_ptr(),
        sums.data_ptr(),
        rows,
        partials,
        columns,
        inner,
    )
    _launch(name, x, partials, columns, inner, arguments)
    return sums


def _partial_count(x: Tensor, rows: int, columns: int) -> int:
    """Return over how many threads the rows of a vector of columns are spread, an even number."""
    threads = THREADS_PER_MULTIPROCESSOR * properties.multiprocessors(x.device)
    count = min(threads // (columns // vector_of(x.dtype)), rows)
    return max(1, count - count % 2)


def _launch(
    name: str, x: Tensor, partials: int, columns: int, inner: int, arguments: ctypes.Structure
) -> None:
    threads = partials * (columns // vector_of(x.dtype))
    whose = "channel" if inner == 1 else "plane"
    launch.load(source(x.dtype), x.device).launch(
        f"{whose}_{name}", -(-threads // THREADS), THREADS, 0, arguments
    )
