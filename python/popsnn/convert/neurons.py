"""Neurons of other libraries, step by step as they compute: the same operations in the same order.

So spikes are equal to the last bit where torch runs them, and a membrane that is exactly at the
threshold does what it does there: snnTorch and norse fire above the threshold, SpikingJelly at it
too. Membranes are those before a reset, which acts at the beginning of the next step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..neurons import Fire, Neuron, States

SMALLEST = torch.finfo(torch.float32).tiny


def fires_above(v: Tensor, threshold: Any, fire: Fire) -> Tensor:
    """Return the spikes of membranes `v` [B, ...] that lie above the threshold, and not at it."""
    return fire(v - threshold, SMALLEST)


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
        return p.beta * v + x  # type: ignore[no-any-return]

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
        return p.beta * v + x + state.s * p.V  # type: ignore[no-any-return]


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
        return p.alpha * state.i + x  # type: ignore[no-any-return]

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
        return p.alpha * state.i + x + state.s * p.V  # type: ignore[no-any-return]


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
            return state.v - s * p.threshold  # type: ignore[no-any-return]
        return s * p.v_reset + (1.0 - s) * state.v  # type: ignore[no-any-return]

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


@dataclass(frozen=True)
class Cell(Neuron):
    """Base of norse's neurons.

    Parameters: `c_mem`, `c_syn` and the like are the time step over the time constant.
    """

    detach_reset: bool = False

    def left(self, state: Any, p: Any) -> Tensor:
        """Return what the reset leaves of the membrane."""
        s = self.reset_spikes(state.s)
        return (1 - s) * state.v + s * p.v_reset  # type: ignore[no-any-return]


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
    """What norse's `ConstantCurrentLIFEncoder` runs."""

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
