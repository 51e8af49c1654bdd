"""Neurons that resonate: a complex membrane which turns and decays.

"v" is the part of the membrane that is compared with the threshold, "u" the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .neuron import Fire, Neuron, States


@dataclass(frozen=True, eq=False, repr=False)
class ResonateAndFire(Neuron):
    """Resonate-and-fire: dz/dt = (b + i omega) z + x with z = u + i v, s = v >= threshold.

        z' = exp((b + i omega) dt) r(z, s) + dt x

    A spike sets z to i threshold. Source: Izhikevich, 2001, "Resonate-and-fire neurons", where the
    threshold is 1, with the exact solution over a time step in which x enters last.

    Parameters
    ----------
    dt : float
        Time step, over the unit of b and omega.
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    States: `v`, the imaginary part of z and its voltage; `u`, the real part and its current; the
    spikes `s`. Parameters: the damping `b` <= 0, per time; the angular frequency `omega`, radians
    per time; `threshold`. x is per time.
    """

    dt: float = 1.0
    detach_reset: bool = True
    states = ("v", "u", "s")
    parameters = {"b": -0.1, "omega": 0.3, "threshold": 1.0}
    bounds = {"b": (-math.inf, 0.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        s = self.reset_spikes(state.s)
        u, v = state.u * (1 - s), state.v * (1 - s) + p.threshold * s
        decay = torch.exp(p.b * self.dt)
        sine, cosine = torch.sin(p.omega * self.dt), torch.cos(p.omega * self.dt)
        turned = decay * (cosine * u - sine * v) + self.dt * x
        v = decay * (sine * u + cosine * v)
        return v, turned, fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class BRF(Neuron):
    """Balanced resonate-and-fire: a resonator that no parameters let diverge.

        q' = gamma q + s,  c = (sqrt(1 - (dt omega)^2) - 1) / dt - b - q'
        v' = v + dt (c v - omega u + x),  u' = u + dt (omega v + c u)
        s' = v' >= threshold + q'

    The membrane is v + i u. Nothing resets it: q raises threshold and damping after a spike.
    Source: Higuchi et al., 2024, "Balanced Resonate-and-Fire Neurons", and its authors' code, whose
    b offset is b here, and gamma 0.9. The root is of 1e-6 at least.

    Parameters
    ----------
    dt : float
        Time step, over the unit of b and omega.

    Notes
    -----
    Euler's method. States: `v`, the real part of the membrane; `u`, the imaginary part; `q`, a
    decaying count of spikes; the spikes `s`. Parameters: the damping `b` >= 0, per time; the
    angular frequency `omega` in [0, 1 / dt), radians per time; the decay factor `gamma` of q in
    [0, 1]; `threshold`. x is per time.
    """

    dt: float = 0.01
    states = ("v", "u", "q", "s")
    parameters = {"b": 1.0, "omega": 10.0, "gamma": 0.9, "threshold": 1.0}
    bounds = {"b": (0.0, math.inf), "omega": (0.0, math.inf), "gamma": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, u, dt = state.v, state.u, self.dt
        q = p.gamma * state.q + state.s
        angle = dt * p.omega
        root = torch.sqrt(torch.clamp(1 - angle * angle, min=1e-6))
        c = (root - 1) / dt - p.b - q
        after = v + dt * (c * v - p.omega * u + x)
        return after, u + dt * (p.omega * v + c * u), q, fire(after, p.threshold + q)


@dataclass(frozen=True, eq=False, repr=False)
class CSiLIF(Neuron):
    """Neuron with a complex membrane, parametrised as the diagonal of a state space model.

        z' = exp((-exp(log_alpha) + i omega) exp(log_dt)) (z - reset_by s) + b x,  z = v + i u
        s' = 2 v' >= threshold

    Source: Fabre et al., 2025, "SiLIF: Structured State Space Model Dynamics and Parametrization
    for Spiking Neural Networks", the C-SiLIF, and its authors' code, which learns log_alpha, omega,
    log_dt and b, and starts at random states.

    Parameters
    ----------
    detach_reset : bool
        As in `Neuron`; the authors' code does not detach.

    Notes
    -----
    States: `v`, the real part of the membrane; `u`, the imaginary part; the spikes `s`. Parameters:
    `log_alpha`, the logarithm of the leak rate, per time; `omega`, radians per time; `log_dt`, the
    logarithm of the time step; `b`, the factor of the input, in [0, 1) at first; `reset_by`, what a
    spike subtracts, and `threshold`, of twice the real part. The decay is exact.
    """

    detach_reset: bool = False
    states = ("v", "u", "s")
    parameters = {
        "log_alpha": -0.7,  # log of 1 / 2
        "omega": math.pi,
        "log_dt": -3.0,
        "b": 0.5,
        "reset_by": 0.5,
        "threshold": 1.0,
    }

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        dt = torch.exp(p.log_dt)
        decay = torch.exp(-torch.exp(p.log_alpha) * dt)
        real, imaginary = decay * torch.cos(p.omega * dt), decay * torch.sin(p.omega * dt)
        left = state.v - p.reset_by * self.reset_spikes(state.s)
        v = real * left - imaginary * state.u + p.b * x
        u = imaginary * left + real * state.u
        return v, u, fire(2 * v, p.threshold)
