"""Neurons that adapt: their spikes raise the threshold, or drive a current against the input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .neuron import Fire, Neuron, States


@dataclass(frozen=True, eq=False, repr=False)
class AdaptiveLIF(Neuron):
    """LIF with an adaptive threshold.

        a' = rho a + s,  v' = beta r(v, s) + x,  s' = v' >= threshold + kappa a'

    Source: Bellec et al., 2020, as in `ALIF`, with any reset. norse's `LSNNCell` is this neuron
    one step behind `LI`, with "zero" and a kappa of rho times its beta.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`; a reset subtracts the threshold without the adaptation.

    Notes
    -----
    States: the membrane `v`; the adaptation `a`, a decaying count of spikes, without a unit; the
    spikes `s`. Parameters: the decay factors `beta` of the membrane and `rho` of the adaptation,
    both in [0, 1]; `threshold`; `kappa`, by which a spike raises it.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "a", "s")
    parameters = {"beta": 0.9, "threshold": 1.0, "rho": 0.97, "kappa": 0.2}
    bounds = {"beta": (0.0, 1.0), "rho": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, a, s = state
        beta, threshold, rho, kappa = p
        a = rho * a + s
        v = self.decayed(beta, v, s, threshold, x)
        return v, a, fire(v, threshold + kappa * a)


@dataclass(frozen=True, eq=False, repr=False)
class ALIF(AdaptiveLIF):
    """Adaptive LIF of e-prop: `AdaptiveLIF` that subtracts the threshold after the decay.

        a' = rho a + s,  v' = beta v + x - threshold s,  s' = v' >= threshold + kappa a'

    Source: Bellec et al., 2020, "A solution to the learning dilemma for recurrent networks of
    spiking neurons", whose alpha is beta here and whose beta is kappa. The authors' code has a
    factor 1 - rho in front of s and 1 - beta in front of x, the paper has none.

    Parameters
    ----------
    reset, detach_reset
        As in `AdaptiveLIF`.

    Notes
    -----
    States `v`, `a`, `s` and parameters `beta`, `threshold`, `rho`, `kappa`: as in `AdaptiveLIF`.
    """

    reset: str = "subtract_after"
    parameters = {"beta": 0.95, "threshold": 1.0, "rho": 0.99, "kappa": 0.1}


@dataclass(frozen=True, eq=False, repr=False)
class LSNN(Neuron):
    """Adaptive neuron of LSNNs, whose spikes subtract the threshold that they passed.

        B = threshold + kappa a,  v' = beta v + (1 - beta) x - B s
        a' = rho a + (1 - rho) s,  s' = v' >= threshold + kappa a'

    Source: Bellec et al., 2018, "Long short-term memory and learning-to-learn in networks of
    spiking neurons", section "LSNN model", whose alpha is beta here, beta kappa, and b a. The
    authors' code subtracts B of the step after the spike.

    Parameters
    ----------
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    States: the membrane `v`; the adaptation `a` in [0, 1], a decaying mean of the spikes; the
    spikes `s`. Parameters: the decay factors `beta` of the membrane and `rho` of the adaptation,
    both in [0, 1]; `threshold`; `kappa`, by which a neuron that always fires raises it.
    """

    detach_reset: bool = True
    states = ("v", "a", "s")
    parameters = {"beta": 0.95, "threshold": 1.0, "rho": 0.99, "kappa": 1.8}
    bounds = {"beta": (0.0, 1.0), "rho": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        passed = p.threshold + p.kappa * state.a
        v = p.beta * state.v + (1 - p.beta) * x - passed * self.reset_spikes(state.s)
        a = p.rho * state.a + (1 - p.rho) * state.s
        return v, a, fire(v, p.threshold + p.kappa * a)


@dataclass(frozen=True, eq=False, repr=False)
class AdLIF(Neuron):
    """LIF with an adaptation current w, which the membrane and the spikes drive.

        w' = rho w + (1 - rho) (a r(v, s) + b s)
        v' = beta r(v, s) + (1 - beta) (x - w'),  s' = v' >= threshold

    with w in place of w' in the second line where it is not `symplectic`. The symplectic Euler
    method keeps the neuron stable wherever its continuous form is. Source: Baronig et al., 2025,
    "Advancing spatio-temporal processing through adaptation in spiking neural networks", and its
    authors' code, whose decays of u and w are beta and rho here; a and b contain its factor q. It
    counts the reset and the symplectic w to the step of the spike.

    Parameters
    ----------
    symplectic : bool
        Whether the membrane sees the adaptation of the same step, else that of the step before.
    reset : {"zero", "subtract", "none"}
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    States: the membrane `v`, the adaptation current `w` and the spikes `s`. Parameters: the decay
    factors `beta` of the membrane and `rho` of the adaptation, both in [0, 1]; `threshold`; what
    the membrane drives w by, `a`, without a unit; what a spike drives it by, `b`. The authors keep
    a in [0, q] and b in [0, 2 q], with a q of 60 or 120.
    """

    symplectic: bool = True
    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "w", "s")
    parameters = {"beta": 0.9, "threshold": 1.0, "rho": 0.98, "a": 1.0, "b": 5.0}
    bounds = {"beta": (0.0, 1.0), "rho": (0.0, 1.0)}
    resets = ("zero", "subtract", "none")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        r = self.after_reset(state.v, state.s, p.threshold)
        w = p.rho * state.w + (1 - p.rho) * (p.a * r + p.b * state.s)
        v = p.beta * r + (1 - p.beta) * (x - (w if self.symplectic else state.w))
        return v, w, fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class SiLIF(Neuron):
    """LIF with an adaptation current, parametrised by logarithms as state space models are.

        beta = exp(-exp(log_alpha + log_dt)),  rho = exp(-exp(log_beta + log_dt))
        w' = rho w + a v + b s,  v' = beta (v - threshold s) + (1 - beta) (x - w')
        s' = v' >= threshold

    Source: Fabre et al., 2025, "SiLIF: Structured State Space Model Dynamics and Parametrization
    for Spiking Neural Networks", and its authors' code, which learns all but the threshold, 1, and
    starts at random states.

    Parameters
    ----------
    detach_reset : bool
        As in `Neuron`; the authors' code does not detach.

    Notes
    -----
    States: the membrane `v`, the adaptation current `w` and the spikes `s`. Parameters:
    `log_alpha` and `log_beta`, the logarithms of the leak rates of v and w in 1/s; `log_dt`, the
    logarithm of the time step in s; what drives w, `a` in [0, 1] and `b` in [0, 2]; `threshold`.
    The decays are exact.
    """

    detach_reset: bool = False
    states = ("v", "w", "s")
    parameters = {
        "log_alpha": 3.9,  # log of 50 / s
        "log_beta": 1.6,  # log of 5 / s
        "log_dt": -5.5,  # log of 4 ms
        "a": 0.02,
        "b": 0.1,
        "threshold": 1.0,
    }
    bounds = {"a": (0.0, 1.0), "b": (0.0, 2.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        beta = torch.exp(-torch.exp(p.log_alpha + p.log_dt))
        rho = torch.exp(-torch.exp(p.log_beta + p.log_dt))
        w = rho * state.w + p.a * state.v + p.b * state.s
        left = state.v - p.threshold * self.reset_spikes(state.s)
        v = beta * left + (1 - beta) * (x - w)
        return v, w, fire(v, p.threshold)
