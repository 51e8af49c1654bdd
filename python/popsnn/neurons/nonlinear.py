"""Neurons with a nonlinear membrane, in continuous time, integrated by Euler's method.

Times are in ms where `dt` is. Membranes are relative to rest, where all states are 0, but for
`Izhikevich`, whose constants are those of the paper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .._internal import checks
from .neuron import Fire, Neuron, States


@dataclass(frozen=True, eq=False, repr=False)
class _Continuous(Neuron):
    """Base of neurons with a time step, whose spikes set the membrane to `v_reset`."""

    dt: float = 1.0
    detach_reset: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        name = type(self).__name__
        if not checks.finite(name, "dt", self.dt) > 0:
            raise ValueError(f"{name}: dt: expected a positive number, got {self.dt}")

    def after_spike(self, v: Tensor, s: Tensor, v_reset: Any) -> Tensor:
        """Return `v_reset` in place of the membranes `v` that fired, all [B, ...]."""
        s = self.reset_spikes(s)
        return v * (1 - s) + v_reset * s


@dataclass(frozen=True, eq=False, repr=False)
class QIF(_Continuous):
    """Quadratic integrate-and-fire: tau dv/dt = steepness v (v - v_critical) + x.

    Without input the membrane falls to 0 from below `v_critical`, and rises from above to
    `threshold`. Source: Latham et al., 2000, "Intrinsic Dynamics in Neuronal Networks. I.";
    Gerstner et al., 2014, "Neuronal Dynamics", section 5.3, relative to u_rest. SpikingJelly's
    `QIFNode` starts at `v_reset`; a `state` with that membrane makes the two equal.

    Parameters
    ----------
    dt : float
        Time step, in the unit of `tau`.
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    Euler's method: v' = r + dt / tau (steepness r (r - v_critical) + x). States: the membrane `v`
    and the spikes `s`. Parameters: the time constant `tau`, at least 1; `steepness`, per unit of
    the membrane; `v_critical`; `threshold`, above it; `v_reset`, below it.
    """

    states = ("v", "s")
    parameters = {
        "tau": 10.0,
        "steepness": 1.0,
        "v_critical": 1.0,
        "threshold": 2.0,
        "v_reset": 0.0,
    }
    bounds = {"tau": (1.0, math.inf)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        r = self.after_spike(state.v, state.s, p.v_reset)
        v = r + self.dt / p.tau * (p.steepness * r * (r - p.v_critical) + x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class EIF(_Continuous):
    """Exponential integrate-and-fire: tau dv/dt = -v + delta exp((v - v_rheobase) / delta) + x.

    Source: Fourcaud-Trocme et al., 2003, "How Spike Generation Mechanisms Determine the Neuronal
    Response to Fluctuating Inputs"; Gerstner et al., 2014, "Neuronal Dynamics", equation 5.6,
    relative to u_rest. SpikingJelly's `EIFNode` starts at `v_reset`; a `state` with that membrane
    makes the two equal.

    Parameters
    ----------
    dt : float
        Time step, in the unit of `tau`.
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    Euler's method: v' = r + dt / tau (delta exp((r - v_rheobase) / delta) - r + x). States: the
    membrane `v` and the spikes `s`. Parameters: the time constant `tau`, at least 1; the sharpness
    `delta` > 0 of the upswing; `v_rheobase`, where it begins; `threshold`, above it; `v_reset`.
    """

    states = ("v", "s")
    parameters = {
        "tau": 10.0,
        "delta": 0.2,
        "v_rheobase": 1.0,
        "threshold": 1.5,
        "v_reset": 0.0,
    }
    bounds = {"tau": (1.0, math.inf)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        r = self.after_spike(state.v, state.s, p.v_reset)
        upswing = p.delta * torch.exp((r - p.v_rheobase) / p.delta)
        v = r + self.dt / p.tau * (upswing - r + x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class AdEx(_Continuous):
    """Adaptive exponential integrate-and-fire: `EIF` with an adaptation current w.

        tau dv/dt = -v + delta exp((v - v_rheobase) / delta) - w + x,  tau_w dw/dt = a v - w

    and w rises by b at a spike. Source: Brette and Gerstner, 2005, "Adaptive Exponential
    Integrate-and-Fire Model as an Effective Description of Neuronal Activity", relative to rest,
    with currents divided by the conductance. norse's `LIFAdExCell` is this neuron behind `LI`.

    Parameters
    ----------
    dt : float
        Time step, in the unit of `tau` and `tau_w`.
    detach_reset : bool
        As in `Neuron`; w rises by a spike that has its gradient.

    Notes
    -----
    Euler's method, both slopes at r and w + b s. States: the membrane `v`, the adaptation current
    `w` and the spikes `s`. Parameters: those of `EIF`, which are `tau`, `delta`, `v_rheobase`,
    `threshold` and `v_reset`; the time constant `tau_w` of w, at least 1; what the membrane drives
    w by, `a`, without a unit; what a spike adds, `b`.
    """

    states = ("v", "w", "s")
    parameters = {
        "tau": 10.0,
        "delta": 0.2,
        "v_rheobase": 1.0,
        "threshold": 1.5,
        "v_reset": 0.0,
        "tau_w": 100.0,
        "a": 0.1,
        "b": 0.1,
    }
    bounds = {"tau": (1.0, math.inf), "tau_w": (1.0, math.inf)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        r = self.after_spike(state.v, state.s, p.v_reset)
        w = state.w + p.b * state.s
        upswing = p.delta * torch.exp((r - p.v_rheobase) / p.delta)
        v = r + self.dt / p.tau * (upswing - r - w + x)
        return v, w + self.dt / p.tau_w * (p.a * r - w), fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class Izhikevich(_Continuous):
    """Neuron of two variables in mV and ms: V = rest + v and U = b rest + u.

        dV/dt = 0.04 V^2 + 5 V + 140 - U + x,  dU/dt = a (b V - U),  s = V >= threshold

    and a spike sets V to c and adds d to U. The states v and u are relative to a rest of -70 mV,
    where they are 0; `rest` is a fixed point where b is 0.2. Source: Izhikevich, 2003, "Simple
    Model of Spiking Neurons", whose regular spiking are the defaults. Its program takes two half
    steps of V and then U of the new V; norse's cells take both slopes at the old V, as here.

    Parameters
    ----------
    dt : float
        Time step, ms.
    detach_reset : bool
        As in `Neuron`; U rises by a spike that has its gradient.
    rest : float
        mV.

    Notes
    -----
    Euler's method, both slopes at V and U after the spike. States: `v`, mV; `u`, mV/ms; the spikes
    `s`. Parameters: `a`, 1/ms; `b`, 1/ms; `c`, mV; `d`, mV/ms; `threshold`, mV. x is in mV/ms.
    """

    dt: float = 0.5
    rest: float = -70.0
    states = ("v", "u", "s")
    parameters = {"a": 0.02, "b": 0.2, "c": -65.0, "d": 8.0, "threshold": 30.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        rest = self.rest
        r = self.after_spike(state.v, state.s, p.c - rest)
        u = state.u + p.d * state.s
        # (0.04 V + 5) V + 140 - U at V = rest + r; what is left at rest itself is one number.
        at_rest = (0.04 * rest + 5 - p.b) * rest + 140
        v = r + self.dt * ((0.04 * r + 0.08 * rest + 5) * r + at_rest - u + x)
        return v, u + self.dt * p.a * (p.b * r - u), fire(v, p.threshold - rest)
