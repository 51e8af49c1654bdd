"""Integrate-and-fire neurons without and with a decay, and the leaky integrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .._internal import checks
from .neuron import Fire, Neuron, States


@dataclass(frozen=True, eq=False, repr=False)
class IF(Neuron):
    """Integrate-and-fire: v' = r(v, s) + x, s' = v' >= threshold.

    Source: Lapicque, 1907, without the decay.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`.

    Notes
    -----
    States: the membrane `v` and the spikes `s`. Parameter: `threshold`.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "s")
    parameters = {"threshold": 1.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.decayed(1.0, state.v, state.s, p.threshold, x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class LIF(Neuron):
    """Leaky integrate-and-fire: v' = beta r(v, s) + x, s' = v' >= threshold.

    Source: Eshraghian et al., 2023, "Training Spiking Neural Networks Using Lessons From Deep
    Learning", without the weight in front of x.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`; the equation is of the resets before the decay. snnTorch's "subtract" is
        "subtract_after" here.

    Notes
    -----
    States: the membrane `v` and the spikes `s`. Parameters: the decay factor `beta` in [0, 1], and
    `threshold`. x is added whole, without a factor 1 - beta.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "s")
    parameters = {"beta": 0.9, "threshold": 1.0}
    bounds = {"beta": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, s = state
        beta, threshold = p
        v = self.decayed(beta, v, s, threshold, x)
        return v, fire(v, threshold)


@dataclass(frozen=True, eq=False, repr=False)
class PLIF(Neuron):
    """Parametric LIF: v' = sigmoid(w) r(v, s) + x, s' = v' >= threshold.

    Source: Fang et al., 2021, "Incorporating Learnable Membrane Time Constant to Enhance Learning
    of Spiking Neural Networks", whose 1 / tau is 1 - sigmoid(w) = sigmoid(-w). Its decay of the
    input, a factor 1 - sigmoid(w), is left to the user.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`.

    Notes
    -----
    States: the membrane `v` and the spikes `s`. Parameters: `w`, any number, of which sigmoid(w) is
    the decay factor; `threshold`.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "s")
    parameters = {"w": 0.0, "threshold": 1.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.decayed(torch.sigmoid(p.w), state.v, state.s, p.threshold, x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True, eq=False, repr=False)
class LI(Neuron):
    """Leaky integrator: v' = beta v + x; it does not spike, and its output is the membrane.

    Source: the readout neurons of Bellec et al., 2020, "A solution to the learning dilemma for
    recurrent networks of spiking neurons", whose kappa is beta here.

    Notes
    -----
    State: the membrane `v`. Parameter: the decay factor `beta` in [0, 1].
    """

    states = ("v",)
    parameters = {"beta": 0.9}
    bounds = {"beta": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        return (p.beta * state.v + x,)


@dataclass(frozen=True, eq=False, repr=False)
class RefractoryLIF(Neuron):
    """LIF with an absolute refractory period of steps without input and spikes.

        v' = 0 for `period` steps after a spike, else beta v + x,  s' = v' >= threshold

    Source: Gerstner and Kistler, 2002, "Spiking Neuron Models", section 4.1, with the membrane held
    at its reset.

    Parameters
    ----------
    period : int
        Steps after a spike in which the neuron is at rest, at least 1.

    Notes
    -----
    States: the membrane `v`; `c`, how many steps of rest are left, without a gradient; the spikes
    `s`. Parameters: the decay factor `beta` in [0, 1], and `threshold`.
    """

    period: int = 2
    states = ("v", "c", "s")
    parameters = {"beta": 0.9, "threshold": 1.0}
    bounds = {"beta": (0.0, 1.0)}

    def __post_init__(self) -> None:
        checks.integer(type(self).__name__, "period", self.period, 1)

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        c = torch.where(state.s > 0, float(self.period), state.c.detach())  # this step counts
        v = torch.where(c > 0, 0.0, p.beta * state.v + x)
        return v, torch.relu(c - 1), fire(v, p.threshold)
