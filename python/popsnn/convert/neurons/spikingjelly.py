"""Neurons of SpikingJelly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ...neurons import Fire, Neuron, States


@dataclass(frozen=True)
class Node(Neuron):
    """Base of SpikingJelly's neurons.

    Parameters
    ----------
    reset : {"zero", "subtract"}
        "zero" sets the membrane to `v_reset`, as a number for `v_reset` does there; None subtracts.
    detach_reset : bool
    """

    reset: str = "zero"
    detach_reset: bool = False
    resets = ("zero", "subtract")

    def left(self, state: Any, p: Any) -> Tensor:
        """Return what the reset leaves of the membrane."""
        s = self.reset_spikes(state.s)
        if self.reset == "subtract":
            return state.v - s * p.threshold
        return s * p.v_reset + (1.0 - s) * state.v

    def target(self, p: Any) -> Any:
        """Return what the membrane decays to."""
        return 0.0 if self.reset == "subtract" else p.v_reset


@dataclass(frozen=True)
class IFNode(Node):
    """SpikingJelly's `IFNode`."""

    states = ("v", "s")
    parameters = {"threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.left(state, p) + x
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class LIFNode(Node):
    """SpikingJelly's `LIFNode`."""

    decay_input: bool = True
    states = ("v", "s")
    parameters = {"tau": 2.0, "threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.left(state, p)
        distance = v - self.target(p)
        v = v + (x - distance) / p.tau if self.decay_input else v - distance / p.tau + x
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class ParametricLIFNode(Node):
    """SpikingJelly's `ParametricLIFNode`."""

    decay_input: bool = True
    states = ("v", "s")
    parameters = {"w": 0.0, "threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, rate = self.left(state, p), torch.sigmoid(p.w)
        distance = v - self.target(p)
        v = v + (x - distance) * rate if self.decay_input else v - distance * rate + x
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class KLIFNode(Node):
    """SpikingJelly's `KLIFNode`; with `scale_reset` the state v is the membrane over k."""

    decay_input: bool = True
    scale_reset: bool = False
    states = ("v", "s")
    parameters = {"k": 1.0, "tau": 2.0, "threshold": 1.0, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        s = self.reset_spikes(state.s)
        level = p.threshold / p.k if self.scale_reset else p.threshold
        v = state.v - s * level if self.reset == "subtract" else s * p.v_reset + (1.0 - s) * state.v
        distance = v - self.target(p)
        v = v + (x - distance) / p.tau if self.decay_input else v - distance / p.tau + x
        v = torch.relu(p.k * v)
        return v / p.k if self.scale_reset else v, fire(v, p.threshold)


@dataclass(frozen=True)
class CUBALIFNode(Node):
    """SpikingJelly's `CUBALIFNode`."""

    states = ("v", "c", "s")
    parameters = {"c_decay": 0.5, "v_decay": 0.75, "threshold": 0.5, "v_reset": 0.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        c = state.c * p.c_decay + x
        v = self.left(state, p) * p.v_decay + c
        return v, c, fire(v, p.threshold)


@dataclass(frozen=True)
class QIFNode(Node):
    """SpikingJelly's `QIFNode`."""

    states = ("v", "s")
    parameters = {
        "tau": 2.0, "v_c": 0.8, "a0": 1.0, "v_rest": 0.0, "threshold": 1.0, "v_reset": -0.1,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.left(state, p)
        v = v + (x + p.a0 * (v - p.v_rest) * (v - p.v_c)) / p.tau
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class EIFNode(Node):
    """SpikingJelly's `EIFNode`."""

    states = ("v", "s")
    parameters = {
        "tau": 2.0, "delta_T": 1.0, "theta_rh": 0.8, "v_rest": 0.0, "threshold": 1.0,
        "v_reset": -0.1,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.left(state, p)
        upswing = p.delta_T * torch.exp((v - p.theta_rh) / p.delta_T)
        v = v + (x + p.v_rest - v + upswing) / p.tau
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class IzhikevichNode(Node):
    """SpikingJelly's `IzhikevichNode`; the state w is before the jump of a spike."""

    states = ("v", "w", "s")
    parameters = {
        "tau": 2.0, "v_c": 0.8, "a0": 1.0, "v_rest": -0.1, "tau_w": 2.0, "a": 0.0, "b": 0.0,
        "threshold": 1.0, "v_reset": 0.0,
    }  # fmt: skip

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, w = self.left(state, p), state.w + p.b * state.s
        v = v + (x + p.a0 * (v - p.v_rest) * (v - p.v_c) - w) / p.tau
        w = w + (p.a * (v - p.v_rest) - w) / p.tau_w
        return v, w, fire(v, p.threshold)
