"""Statistics of a process's own x for batch normalisation, and the memory layout of x."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ..device.ops import traced
from . import channel_statistics, channel_sums


class Statistics(NamedTuple):
    """Factors that normalise x, [C] each: x * scale + shift.

    `count` says of how many values they are; None where they are constant.
    """

    mean: Tensor
    invstd: Tensor
    scale: Tensor
    shift: Tensor
    count: Any  # Tensor [1], float or None


def statistics(
    x: Tensor,  # [T, B, C, ...], contiguous or channels-last
    weight: Tensor | None,  # [C]
    bias: Tensor | None,  # [C]
    running: tuple[Tensor, Tensor] | None,  # [C], [C], updated
    momentum: float,
    eps: float,
) -> Statistics | None:
    """Return the statistics of this process's x, by kernels alone; None where they cannot."""
    channels = x.shape[2]
    inner = inner_of(x)
    own = (weight, bias, *(running or ()))
    if traced(x) or not channel_statistics.fits(x, channels, own, inner):
        return None
    moments = channel_statistics.statistics(
        x, weight, bias, running, channels, momentum, eps, inner
    )
    mean, invstd, scale, shift = moments.unbind()
    return Statistics(mean, invstd, scale, shift, x.numel() / channels)


def moments(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return count [1], mean [C] and sum of squared distances [C] of `x` [T, B, C, ...]."""
    channels = x.shape[2]
    count = x.new_full((1,), x.numel() / channels, dtype=torch.float32)
    inner = inner_of(x)
    grid = grid_of(x, channels, inner)
    first = grid[0, :, 0].float()  # near enough to the mean for squares not to cancel
    if not traced(x) and channel_sums.fits(x, channels, inner):
        total, square = channel_sums.squares(x, channels, inner).sum(0)
    elif not traced(x) and x.is_cuda:
        mean, invstd = torch.batch_norm_stats(grid, 0.0)
        return count, mean, invstd.pow(-2) * count
    else:  # not var_mean: Triton 3.6 fails on what Inductor makes of it where channels lie last
        distance = grid.float() - first.unsqueeze(-1)
        total, square = distance.sum((0, 2)), distance.square().sum((0, 2))
    away = total / count
    return count, first + away, (square - total * away).clamp_min(0)


def inner_of(x: Tensor) -> int:
    """Return how many neighbours in the memory of `x` [T, B, C, ...] have the same channel."""
    return math.prod(x.shape[3:]) if x.is_contiguous() else 1


def grid_of(x: Tensor, channels: int, inner: int) -> Tensor:
    """Return x, contiguous or channels-last, as it lies in memory: [F, C, inner]."""
    flat = x if x.is_contiguous() else x.permute(0, 1, 3, 4, 2)
    return flat.view(-1, channels, inner)


def ungrid(grid: Tensor, x: Tensor) -> Tensor:
    """Return [F, C, inner] in the shape and memory order of x."""
    if x.is_contiguous():
        return grid.view(x.shape)
    t, b, c, h, w = x.shape
    return grid.view(t, b, h, w, c).permute(0, 1, 4, 2, 3)
