"""The neurons alone, over their input current: linear maps are the caller's."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from .. import _check
from .._check import PerNeuron
from ..surrogate import Surrogate, resolve, spike
from ._parts import after_reset, stack


class LIFState(NamedTuple):
    """State after a step: membrane `v` and spikes `s`, both [B, ...]."""

    v: Tensor
    s: Tensor


class LIFOutput(NamedTuple):
    """`spikes` and `membrane` [T, B, ...], and the `state` to go on from."""

    spikes: Tensor
    membrane: Tensor
    state: LIFState


class LIOutput(NamedTuple):
    """`membrane` [T, B, ...], and the `state` [B, ...] to go on from."""

    membrane: Tensor
    state: Tensor


def lif(
    current: Tensor,
    state: LIFState | None = None,
    *,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    reset: str = "zero",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    smooth: bool = False,
) -> LIFOutput:
    """Run leaky integrate-and-fire neurons over their input current.

    Parameters
    ----------
    current : float Tensor [T, B, ...]
    state : LIFState, optional
        Default: at rest, no spikes.
    beta, threshold : float or Tensor
        The leak and the threshold; tensors must broadcast to [B, ...].
    reset : {"zero", "subtract", "none"}
        Takes effect one step after the spike.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a silent neuron whose membrane lies below; default: it passes all.
    smooth : bool
        Put the surrogate's primitive in place of the spike, as comparisons with finite
        differences need it.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, ...] or an option is out of range.
    """
    current = _currents("functional.lif", current)
    _check.reset("functional.lif", reset)
    surrogate = resolve(surrogate)
    rest = torch.zeros(current.shape[1:], dtype=current.dtype, device=current.device)
    v, s = (rest, rest) if state is None else state
    spikes: list[Tensor] = []
    membrane: list[Tensor] = []
    for step_current in current:
        v = beta * after_reset(v, s.detach() if detach_reset else s, threshold, reset)
        v = v + step_current
        fired = v >= threshold
        listed = None if grad_threshold is None else fired | (v >= grad_threshold)
        s = spike(v - threshold, fired, listed, surrogate=surrogate, smooth=smooth)
        spikes.append(s)
        membrane.append(v)
    return LIFOutput(stack(spikes, current), stack(membrane, current), LIFState(v, s))


def li(current: Tensor, state: Tensor | None = None, *, beta: PerNeuron = 0.9) -> LIOutput:
    """Run leaky integrators: v[t] = beta v[t-1] + current[t].

    Parameters
    ----------
    current : float Tensor [T, B, ...]
    state : Tensor [B, ...], optional
        Default: at rest.
    beta : float or Tensor
        Must broadcast to [B, ...].
    """
    current = _currents("functional.li", current)
    rest = torch.zeros(current.shape[1:], dtype=current.dtype, device=current.device)
    v = rest if state is None else state
    membrane: list[Tensor] = []
    for step_current in current:
        v = beta * v + step_current
        membrane.append(v)
    return LIOutput(stack(membrane, current), v)


def _currents(name: str, current: Tensor) -> Tensor:
    if not isinstance(current, Tensor) or not current.is_floating_point():
        got = current.dtype if isinstance(current, Tensor) else type(current).__name__
        raise TypeError(f"{name}: current: expected a float tensor, got {got}")
    if current.dim() < 2:
        raise ValueError(f"{name}: current: expected shape [T, B, ...], got {tuple(current.shape)}")
    return current
