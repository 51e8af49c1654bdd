"""Neurons of norse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ...neurons import Fire, Neuron, States
from .threshold import fires_above


@dataclass(frozen=True)
class Cell(Neuron):
    """Base of norse's neurons.

    Parameters: `c_mem`, `c_syn` and the like are the time step over the time constant.
    """

    detach_reset: bool = False

    def left(self, state: Any, p: Any) -> Tensor:
        """Return what the reset leaves of the membrane."""
        s = self.reset_spikes(state.s)
        return (1 - s) * state.v + s * p.v_reset


@dataclass(frozen=True)
class LIFCell(Cell):
    """norse's `LIF` and `LIFCell`; `LIFRecurrent` detaches the reset."""

    states = ("v", "i", "s")
    parameters = {"c_mem": 0.1, "c_syn": 0.2, "v_leak": 0.0, "threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, i = self.left(state, p), state.i + x
        v = v + p.c_mem * (p.v_leak - v + i)
        return v, i + -p.c_syn * i, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class LIFExCell(Cell):
    """norse's `LIFEx` and `LIFExCell`."""

    states = ("v", "i", "s")
    parameters = {
        "c_mem": 0.1, "c_syn": 0.2, "v_leak": 0.0, "threshold": 1.0, "v_reset": 0.0, "delta": 0.5,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, i = self.left(state, p), state.i + x
        upswing = p.delta * torch.exp((v - p.threshold) / p.delta)
        v = v + p.c_mem * (p.v_leak - v + upswing + i)
        return v, i + -p.c_syn * i, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class LIFAdExCell(Cell):
    """norse's `LIFAdEx` and `LIFAdExCell`; the state a is before the jump of a spike."""

    states = ("v", "i", "a", "s")
    parameters = {
        "c_mem": 0.1, "c_syn": 0.2, "c_ada": 0.002, "v_leak": 0.0, "threshold": 1.0,
        "v_reset": 0.0, "delta": 0.5, "current": 4.0, "jump": 0.02,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, i, a = self.left(state, p), state.i + x, state.a + state.s * p.jump
        upswing = p.delta * torch.exp((v - p.threshold) / p.delta)
        change = p.c_mem * (p.v_leak - v + upswing + i - a)
        a = a + p.c_ada * (p.current * (v - p.v_leak) - a)
        v = v + change
        return v, i + -p.c_syn * i, a, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class LSNNCell(Cell):
    """norse's `LSNN` and `LSNNCell`; the state b is before the jump of a spike."""

    states = ("v", "i", "b", "s")
    parameters = {
        "c_mem": 0.1, "c_syn": 0.2, "c_adapt": 0.00125, "v_leak": 0.0, "threshold": 1.0,
        "v_reset": 0.0, "jump": 1.8,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.left(state, p)
        b = state.b + self.reset_spikes(state.s) * p.jump
        v = v + p.c_mem * (p.v_leak - v + state.i)
        b = b + p.c_adapt * (p.threshold - b)
        i = state.i + -p.c_syn * state.i + x
        return v, i, b, fires_above(v, b, fire)


@dataclass(frozen=True)
class LIFBoxCell(Cell):
    """norse's `LIFBoxCell`; `subtract` is its `reset_subtract`."""

    subtract: bool = False
    states = ("v", "s")
    parameters = {"c_mem": 0.1, "v_leak": 0.0, "threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        s = self.reset_spikes(state.s)
        v = (1 - s) * state.v + s * (state.v - p.threshold if self.subtract else p.v_reset)
        v = v + p.c_mem * (x + p.v_leak - v)
        return v, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class IAFCell(Cell):
    """norse's `IAF` and `IAFCell`."""

    states = ("v", "s")
    parameters = {"threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.left(state, p) + x
        return v, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class IzhikevichCell(Cell):
    """norse's `Izhikevich` and `IzhikevichCell`; the state u is before the jump of a spike."""

    states = ("v", "u", "s")
    parameters = {
        "rate": 0.25, "a": 0.02, "b": 0.2, "v_reset": -65.0, "jump": 6.0, "square": 0.04,
        "slope": 5.0, "bias": 140.0, "threshold": 30.0,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        s = state.s
        v, u = self.left(state, p), (1 - s) * state.u + s * (state.u + p.jump)
        change = p.rate * (p.square * v * v + p.slope * v + p.bias - u + x)
        u = u + p.rate * p.a * (p.b * v - u)
        v = v + change
        return v, u, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class CurrentEncoder(Cell):
    """The neuron of norse's `ConstantCurrentLIFEncoder`."""

    states = ("v", "s")
    parameters = {"c_mem": 0.1, "v_leak": 0.0, "threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = state.v - state.s * (state.v - p.v_reset)
        v = v + p.c_mem * (p.v_leak - v + x)
        return v, fires_above(v, p.threshold, fire)


@dataclass(frozen=True)
class LICell(Neuron):
    """norse's `LI` and `LICell`, whose output is the membrane."""

    states = ("v", "i")
    parameters = {"c_mem": 0.1, "c_syn": 0.2, "v_leak": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        i = state.i + x
        return state.v + p.c_mem * (p.v_leak - state.v + i), i + -p.c_syn * i


@dataclass(frozen=True)
class LIBoxCell(Neuron):
    """norse's `LIBoxCell`, whose output is the membrane."""

    states = ("v",)
    parameters = {"c_mem": 0.1, "v_leak": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        return (state.v + p.c_mem * (p.v_leak - state.v + x),)
