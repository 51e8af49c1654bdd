"""From sums over rows to statistics and gradients of a channel, one launch each."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from ..device import launch
from ..device.program import TYPES, entry
from . import channel_sums

THREADS = 64  # kStatisticsThreads


class ChannelStatisticsArguments(ctypes.Structure):
    """`popsnn::ChannelStatisticsArguments` of `cuda/popsnn/batch_norm/channel_statistics.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("sums", ctypes.c_void_p),
        ("x", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("bias", ctypes.c_void_p),
        ("running_mean", ctypes.c_void_p),
        ("running_var", ctypes.c_void_p),
        ("results", ctypes.c_void_p),
        ("count", ctypes.c_float),
        ("eps", ctypes.c_float),
        ("momentum", ctypes.c_float),
        ("partials", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("inner", ctypes.c_int),
    ]


class ChannelGradientsArguments(ctypes.Structure):
    """`popsnn::ChannelGradientsArguments` of `cuda/popsnn/batch_norm/channel_statistics.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("sums", ctypes.c_void_p),
        ("mean", ctypes.c_void_p),
        ("invstd", ctypes.c_void_p),
        ("scale", ctypes.c_void_p),
        ("results", ctypes.c_void_p),
        ("count", ctypes.c_float),
        ("partials", ctypes.c_int),
        ("channels", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype) -> str:
    """Return the kernels `channel_statistics`, of x of this type, and `channel_gradients`."""
    calls = {
        "channel_statistics": ("Statistics", f"channel_statistics<{TYPES[dtype]}>"),
        "channel_gradients": ("Gradients", "channel_gradients"),
    }
    entries = [
        entry(name, f"Channel{arguments}Arguments", call, "popsnn::kStatisticsThreads")
        for name, (arguments, call) in calls.items()
    ]
    return "\n".join(["#include <popsnn/batch_norm/channel_statistics.cuh>", *entries])


def fits(x: Tensor, channels: int, own: tuple[Tensor | None, ...], inner: int = 1) -> bool:
    """Whether the kernels take dense `x` [R, C, inner] and the layer's own tensors [C]."""
    return channel_sums.fits(x, channels, inner) and all(
        tensor is None or (tensor.dtype == torch.float32 and tensor.is_contiguous())
        for tensor in own
    )


def statistics(
    x: Tensor,  # [R, C, inner], dense
    weight: Tensor | None,  # [C]
    bias: Tensor | None,  # [C]
    running: tuple[Tensor, Tensor] | None,  # [C], [C], updated
    channels: int,
    momentum: float,
    eps: float,
    inner: int = 1,
) -> Tensor:
    """Return [4, C]: mean, 1 / deviation, scale and shift of the channels of `x`."""
    sums = channel_sums.squares(x, channels, inner)
    results = x.new_empty((4, channels), dtype=torch.float32)
    mean, var = (None, None) if running is None else running
    arguments = ChannelStatisticsArguments(
        sums.data_ptr(),
        x.data_ptr(),
        launch.pointer(weight),
        launch.pointer(bias),
        launch.pointer(mean),
        launch.pointer(var),
        results.data_ptr(),
        x.numel() // channels,
        eps,
        momentum,
        len(sums),
        channels,
        inner,
    )
    _launch("channel_statistics", x, channels, arguments)
    launch.written(*(running or ()))
    return results


def gradients(
    x: Tensor,  # any of the type of `statistics`
    sums: Tensor,  # [partials, 2, C], of the gradient of what was normalised, and times x - mean
    mean: Tensor,  # [C]
    invstd: Tensor,  # [C]
    scale: Tensor,  # [C]
    count: float,
) -> Tensor:
    """Return [4, C]: the gradients of bias and weight, and slope and offset of `line`."""
    channels = scale.numel()
    results = sums.new_empty((4, channels))
    arguments = ChannelGradientsArguments(
        sums.data_ptr(),
        mean.data_ptr(),
        invstd.data_ptr(),
        scale.data_ptr(),
        results.data_ptr(),
        count,
        len(sums),
        channels,
    )
    _launch("channel_gradients", x, channels, arguments)
    return results


def _launch(name: str, x: Tensor, channels: int, arguments: ctypes.Structure) -> None:
    launch.load(source(x.dtype), x.device).launch(
        name, -(-channels // THREADS), THREADS, 0, arguments
    )
