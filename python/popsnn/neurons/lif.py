"""Integrate-and-fire neurons without and with a decay, and the leaky integrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .._internal import checks
from .neuron import Fire, Neuron, States


@dataclass(frozen=True)
class IF(Neuron):
    """Integrate-and-fire: v' = r(v, s) + x, s' = v' >= threshold (Lapicque, 1907, without decay).

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "s")
    parameters = {"threshold": 1.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.decayed(1.0, state.v, state.s, p.threshold, x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class LIF(Neuron):
    """Leaky integrate-and-fire: v' = beta r(v, s) + x, s' = v' >= threshold.

    Source: Eshraghian et al., 2023, "Training Spiking Neural Networks Using Lessons From Deep
    Learning", without the weight in front of x.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`; the equation is of the resets before the decay.
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


@dataclass(frozen=True)
class PLIF(Neuron):
    """Parametric LIF: v' = sigmoid(w) r(v, s) + x, s' = v' >= threshold.

    Source: Fang et al., 2021, "Incorporating Learnable Membrane Time Constant to Enhance Learning
    of Spiking Neural Networks": w is learnt, without bounds. Its decay of the input, a factor
    1 - sigmoid(w), is left to the user.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "s")
    parameters = {"w": 0.0, "threshold": 1.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = self.decayed(torch.sigmoid(p.w), state.v, state.s, p.threshold, x)
        return v, fire(v, p.threshold)


@dataclass(frozen=True)
class LI(Neuron):
    """Leaky integrator: v' = beta v + x; it does not spike, and its output is the membrane."""

    states = ("v",)
    parameters = {"beta": 0.9}
    bounds = {"beta": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        return (p.beta * state.v + x,)


@dataclass(frozen=True)
class RefractoryLIF(Neuron):
    """LIF with an absolute refractory period of steps without input and spikes.

        v' = 0 for `period` steps after a spike, else beta v + x,  s' = v' >= threshold

    c counts the steps of rest that are left. Source: Gerstner and Kistler, 2002, "Spiking Neuron
    Models", section 4.1, with the membrane held at its reset.

    Parameters
    ----------
    period : int
        Steps after a spike in which the neuron is at rest, at least 1.
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
