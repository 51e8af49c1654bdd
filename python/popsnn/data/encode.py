"""Encoders: numbers to compacted spikes.

Spikes are made one time step after the other, so that there is never a dense tensor of all steps.
Encoders have no gradient.
"""

from __future__ import annotations

import math
from typing import Iterable, Optional, Tuple

import torch
from torch import Tensor

from .._internal import checks
from ..spikes import SpikeTensor

__all__ = ["delta", "graded", "latency", "level_crossing", "rate"]


def rate(
    x: Tensor,
    steps: Optional[int] = None,
    *,
    capacity: Optional[int] = None,
    generator: Optional[torch.Generator] = None,
) -> SpikeTensor:
    """Return spikes that are drawn independently at each step: a Poisson train in discrete time.

    Parameters
    ----------
    x : float Tensor [B, ...], or [T, B, ...] without `steps`
        Probabilities of a spike at a step, in [0, 1]: a rate in Hz times the seconds of a step.
    steps : int, optional
        T, for probabilities that stay the same.
    capacity : int, optional
        S; default the longest list, which drops nothing.
    generator : torch.Generator, optional
        Of the device of `x`; default torch's own.

    Returns
    -------
    SpikeTensor (T, B, N)
        N neurons are the other dimensions of `x`, in row-major order.

    Raises
    ------
    TypeError, ValueError
        Where `x` is no float tensor of that shape with values in [0, 1].
    """
    rows = _rows("encode.rate", x, steps)
    _in_unit_interval("encode.rate", x)

    def fired(row: Tensor) -> Tensor:
        return torch.rand(row.shape, generator=generator, device=row.device) < row

    return _listed(map(fired, rows), rows.shape, capacity)


def latency(
    x: Tensor,
    steps: int,
    *,
    threshold: float = 0.01,
    tau: Optional[float] = None,
    capacity: Optional[int] = None,
) -> SpikeTensor:
    """Return one spike for each number, the earlier the larger the number is.

    Parameters
    ----------
    x : float Tensor [B, ...]
        Values in [0, 1].
    steps : int
        T.
    threshold : float
        Values up to it give no spike; in [0, 1).
    tau : float, optional
        Time constant in steps: the spike comes when the membrane of a leaky integrator with the
        constant input x reaches the threshold, t = tau ln(x / (x - threshold)), at the last step
        at the latest; then `threshold` is above 0. By default the time falls linearly with x, from
        the last step at 0 to step 0 at 1.
    capacity : int, optional
        S; default the longest list, which drops nothing.

    Returns
    -------
    SpikeTensor (T, B, N)

    Raises
    ------
    TypeError, ValueError
        Where `x` is no float tensor with values in [0, 1], or an option is out of range.
    """
    name = "encode.latency"
    rows = _rows(name, x, checks.size(name, "steps", steps))
    _in_unit_interval(name, x)
    if not 0 <= threshold < 1:
        raise ValueError(f"{name}: threshold: expected a number in [0, 1), got {threshold}")
    if tau is not None and not (tau > 0 and math.isfinite(tau) and threshold > 0):
        raise ValueError(
            f"{name}: tau: expected a positive number, and a threshold above 0, got tau {tau} and "
            f"threshold {threshold}"
        )
    values = rows[0].double()
    if tau is None:
        time = (1 - values) * (steps - 1)
    else:
        time = tau * torch.log(values / (values - threshold).clamp_min(1e-300))
    time = time.round().clamp_max(steps - 1)
    time = torch.where(values > threshold, time, torch.full_like(time, -1))
    return _listed((time == step for step in range(steps)), rows.shape, capacity)


def delta(
    x: Tensor, threshold: float = 0.1, *, off: bool = True, capacity: Optional[int] = None
) -> SpikeTensor:
    """Return a spike where a signal has changed by a threshold since the step before.

    Parameters
    ----------
    x : float Tensor [T, B, ...]
        The first step gives no spike.
    threshold : float
        In the units of `x`.
    off : bool
        Whether a second group of N neurons fires where the signal falls.
    capacity : int, optional
        S; default the longest list, which drops nothing.

    Returns
    -------
    SpikeTensor (T, B, N), or with `off` (T, B, 2 N)
        Neuron N + n stands for a fall of signal n.

    Raises
    ------
    TypeError, ValueError
        Where `x` is no finite float tensor of that shape, or the threshold is not positive.
    """
    rows = _signal("encode.delta", x, threshold)

    def changes() -> Iterable[Tuple[Tensor, Tensor]]:
        before = rows[0]
        for row in rows:
            change = row - before
            yield change >= threshold, change <= -threshold
            before = row

    return _signed(changes(), rows, off, capacity)


def level_crossing(
    x: Tensor, threshold: float = 0.1, *, off: bool = True, capacity: Optional[int] = None
) -> SpikeTensor:
    """Return a spike where a signal has gone a threshold away from its level.

    The level starts at the first value and follows the signal by whole thresholds, so that slow
    changes count as well: what an event camera does with brightness, and send-on-delta sampling
    with other signals. A step gives one spike, however many levels the signal crosses.

    Parameters
    ----------
    x : float Tensor [T, B, ...]
    threshold : float
        Distance of the levels in the units of `x`.
    off : bool
        Whether a second group of N neurons fires where the signal falls; without it the level falls
        with no spike.
    capacity : int, optional
        As of `delta`, and so are the result and the errors.
    """
    rows = _signal("encode.level_crossing", x, threshold).double()

    def crossings() -> Iterable[Tuple[Tensor, Tensor]]:
        level = torch.zeros_like(rows[0])  # in thresholds above the first value, whole numbers
        for row in rows:
            crossed = (((row - rows[0]) / threshold) - level).trunc()
            level = level + crossed
            yield crossed > 0, crossed < 0

    return _signed(crossings(), rows, off, capacity)


def graded(x: Tensor, levels: int, *, capacity: Optional[int] = None) -> SpikeTensor:
    """Return signed events of several sizes as spikes of one size in several channels.

    An event of size k gives k spikes: one in each of the first k of `levels` channels of its sign.
    A linear layer whose weights are the same over the channels of a sign takes k times as much.

    Parameters
    ----------
    x : integer Tensor [T, B, ...]
        Sizes in -levels..levels; 0 is no event. Without negative sizes there are no channels for
        them.
    levels : int
        L, the largest size.
    capacity : int, optional
        S; default the longest list, which drops nothing.

    Returns
    -------
    SpikeTensor (T, B, L N), or with negative sizes (T, B, 2 L N)
        Neuron k N + n has the level k + 1 of signal n, and (L + k) N + n that of negative sizes.

    Raises
    ------
    TypeError, ValueError
        Where `x` is no integer tensor of that shape, or a size is out of range.
    """
    name = "encode.graded"
    levels = checks.size(name, "levels", levels)
    if not isinstance(x, Tensor) or x.is_floating_point() or x.is_complex():
        got = x.dtype if isinstance(x, Tensor) else type(x).__name__
        raise TypeError(f"{name}: x: expected an integer tensor, got {got}")
    # A level, and the negative of a size, may be out of the range of a narrow type.
    rows = _flat(name, x, "[T, B, ...]", 3).to(torch.int64)
    low, high = int(rows.min()), int(rows.max())
    if max(-low, high) > levels:
        raise ValueError(f"{name}: x: expected sizes in -{levels}..{levels}, got {low}..{high}")
    signed = low < 0

    def channels(row: Tensor) -> Tensor:
        sizes = [row, -row] if signed else [row]
        return torch.cat([size > level for size in sizes for level in range(levels)], -1)

    return _listed(map(channels, rows), _channelled(rows, levels * (1 + signed)), capacity)


def _listed(
    fired: Iterable[Tensor],  # of each step, bool [B, N]
    shape: torch.Size,  # (T, B, N)
    capacity: Optional[int],
) -> SpikeTensor:
    found = []
    device = torch.device("cpu")
    for step, row in enumerate(fired):
        device = row.device
        sample, neuron = row.nonzero(as_tuple=True)
        found.append(torch.stack([torch.full_like(sample, step), sample, neuron]).cpu())
    events = tuple(torch.cat(found, 1).numpy())
    steps, batch, size = shape
    return SpikeTensor.from_events(events, (steps, batch, size), capacity).to(device)


def _rows(name: str, x: Tensor, steps: Optional[int]) -> Tensor:
    """Return float values [T, B, N]; the same at each step where `steps` is given."""
    _float(name, x)
    if steps is None:
        return _flat(name, x, "[T, B, ...]", 3)
    rows = _flat(name, x[None] if x.dim() else x, "[B, ...]", 3)
    return rows.expand(checks.size(name, "steps", steps), -1, -1)


def _signal(name: str, x: Tensor, threshold: float) -> Tensor:
    """Return a finite signal [T, B, N]."""
    _float(name, x)
    rows = _flat(name, x, "[T, B, ...]", 3)
    if not bool(torch.isfinite(rows).all()):
        raise ValueError(f"{name}: x: expected finite values, got others")
    if not (threshold > 0 and math.isfinite(threshold)):
        raise ValueError(f"{name}: threshold: expected a positive number, got {threshold}")
    return rows


def _float(name: str, x: Tensor) -> None:
    if not isinstance(x, Tensor) or not x.is_floating_point():
        got = x.dtype if isinstance(x, Tensor) else type(x).__name__
        raise TypeError(f"{name}: x: expected a float tensor, got {got}")


def _flat(name: str, x: Tensor, shape: str, dims: int) -> Tensor:
    if x.dim() < dims or not x.numel():
        got = tuple(x.shape if shape[1] == "T" else x.shape[1:])
        raise ValueError(f"{name}: x: expected shape {shape} with elements, got {got}")
    return x.detach().flatten(2)


def _in_unit_interval(name: str, x: Tensor) -> None:
    low, high = (float(each) for each in x.detach().aminmax())
    if not 0 <= low <= high <= 1:
        raise ValueError(f"{name}: x: expected values in [0, 1], got {low:g}..{high:g}")


def _signed(
    changes: Iterable[Tuple[Tensor, Tensor]],  # of each step what rises and what falls, [B, N]
    rows: Tensor,  # [T, B, N]
    off: bool,
    capacity: Optional[int],
) -> SpikeTensor:
    fired = (torch.cat([rises, falls], -1) if off else rises for rises, falls in changes)
    return _listed(fired, _channelled(rows, 1 + off), capacity)


def _channelled(rows: Tensor, channels: int) -> torch.Size:
    steps, batch, size = rows.shape
    return torch.Size([steps, batch, channels * size])
