"""Neurons of snnTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ...neurons import Fire, Neuron, States
from .threshold import fires_above


@dataclass(frozen=True)
class Leaky(Neuron):
    """snnTorch's `Leaky`, and `RLeaky` without its weights, whose "zero" is "zero_after".

    Parameters
    ----------
    reset : {"subtract", "zero", "zero_after", "none"}
    delay : bool
        snnTorch's `reset_delay`; without it the membrane is that after the reset.
    """

    reset: str = "subtract"
    delay: bool = True
    states = ("v", "s")
    parameters = {"beta": 0.9, "threshold": 1.0}
    bounds = {"beta": (0.0, 1.0)}
    resets = ("subtract", "zero", "zero_after", "none")

    def charged(self, x: Tensor, v: Tensor, state: Any, p: Any) -> Tensor:
        """Return the membrane after decay and input, from what a reset left of it, `v`."""
        return p.beta * v + x

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        if self.delay:
            before = state.s.detach()
        else:
            before = torch.where(state.v - p.threshold > 0, 1.0, 0.0)
        v = (1 - before) * state.v if self.reset == "zero" else state.v
        v = self.charged(x, v, state, p)
        if self.reset == "subtract":
            v = v - before * p.threshold
        elif self.reset == "zero_after":
            v = v - before * v
        s = fires_above(v, p.threshold, fire)
        if not self.delay and self.reset != "none":
            v = v - (s - before) * (p.threshold if self.reset == "subtract" else v)
        return v, s


@dataclass(frozen=True)
class LeakyToItself(Leaky):
    """snnTorch's `RLeaky` with one weight `V` a neuron, from its spikes to itself."""

    parameters = {"beta": 0.9, "threshold": 1.0, "V": 1.0}

    def charged(self, x: Tensor, v: Tensor, state: Any, p: Any) -> Tensor:
        return p.beta * v + x + state.s * p.V


@dataclass(frozen=True)
class Synaptic(Neuron):
    """snnTorch's `Synaptic`, and `RSynaptic` without its weights.

    Parameters
    ----------
    reset : {"subtract", "zero", "none"}
    delay : bool
        As in `Leaky`.
    """

    reset: str = "subtract"
    delay: bool = True
    states = ("v", "i", "s")
    parameters = {"alpha": 0.8, "beta": 0.9, "threshold": 1.0}
    bounds = {"alpha": (0.0, 1.0), "beta": (0.0, 1.0)}
    resets = ("subtract", "zero", "none")

    def driven(self, x: Tensor, state: Any, p: Any) -> Tensor:
        """Return the synaptic current after decay and input."""
        return p.alpha * state.i + x

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        if self.delay:
            before = state.s.detach()
        else:
            before = torch.where(state.v - p.threshold > 0, 1.0, 0.0)
        i = self.driven(x, state, p)
        v = p.beta * state.v + i
        if self.reset == "subtract":
            v = v - before * p.threshold
        elif self.reset == "zero":
            v = v - v * before
        s = fires_above(v, p.threshold, fire)
        if not self.delay and self.reset != "none":
            v = v - (s - before) * (p.threshold if self.reset == "subtract" else v)
        return v, i, s


@dataclass(frozen=True)
class SynapticToItself(Synaptic):
    """snnTorch's `RSynaptic` with one weight `V` a neuron, from its spikes to itself."""

    parameters = {"alpha": 0.8, "beta": 0.9, "threshold": 1.0, "V": 1.0}

    def driven(self, x: Tensor, state: Any, p: Any) -> Tensor:
        return p.alpha * state.i + x + state.s * p.V


@dataclass(frozen=True)
class Alpha(Neuron):
    """snnTorch's `Alpha`; `reset` is "subtract", "zero" or "none"."""

    reset: str = "subtract"
    states = ("v", "e", "i", "s")
    parameters = {"alpha": 0.9, "beta": 0.8, "threshold": 1.0}
    bounds = {"alpha": (0.0, 1.0), "beta": (0.0, 1.0)}
    resets = ("subtract", "zero", "none")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        before = state.s.detach()
        e = p.alpha * state.e + x
        i = p.beta * state.i - x
        tau = torch.log(p.alpha) / (torch.log(p.beta) - torch.log(p.alpha)) + 1
        v = tau * (e + i)
        if self.reset == "subtract":
            e, i, v = e - p.threshold * before, i - i * before, v - -state.i * before
        elif self.reset == "zero":
            e, i, v = e - e * before, i - i * before, v - v * before
        return v, e, i, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class Lapicque(Neuron):
    """snnTorch's `Lapicque`, of a resistance R and a time constant; `reset` as in `Alpha`.

    Parameters: `R`; `rate`, 1 / (R C); `time_step`; `decay`, 1 - time_step / (R C); `threshold`.
    """

    reset: str = "subtract"
    states = ("v", "s")
    parameters = {"R": 1.0, "rate": 0.1, "time_step": 1.0, "decay": 0.9, "threshold": 1.0}
    resets = ("subtract", "zero", "none")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        before = state.s.detach()
        v = x * p.R * p.rate * p.time_step + p.decay * state.v
        if self.reset == "subtract":
            v = v - before * p.threshold
        elif self.reset == "zero":
            v = v - before * v
        return v, fires_above(v, p.threshold, fire)
