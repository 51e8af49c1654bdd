"""Neurons that a synaptic current drives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .neuron import Fire, Neuron, States


@dataclass(frozen=True, eq=False, repr=False)
class SynapticLIF(Neuron):
    """Current-based LIF: i' = alpha i + x, v' = beta r(v, s) + i', s' = v' >= threshold.

    Source: Neftci, Mostafa and Zenke, 2019, "Surrogate Gradient Learning in Spiking Neural
    Networks", whose membrane takes the current one step later; snnTorch's `Synaptic` and norse's
    `LIFCell` take it in the same step, as here.

    Parameters
    ----------
    reset, detach_reset
        As in `Neuron`. snnTorch's "subtract" and "zero" are "subtract_after" and "zero_after" here.

    Notes
    -----
    States: the membrane `v`, the synaptic current `i` and the spikes `s`. Parameters: the decay
    factors `beta` of the membrane and `alpha` of the current, both in [0, 1], and `threshold`.
    """

    reset: str = "zero"
    detach_reset: bool = True
    states = ("v", "i", "s")
    parameters = {"beta": 0.9, "threshold": 1.0, "alpha": 0.8}
    bounds = {"beta": (0.0, 1.0), "alpha": (0.0, 1.0)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v, i, s = state
        beta, threshold, alpha = p
        i = alpha * i + x
        v = self.decayed(beta, v, s, threshold, i)
        return v, i, fire(v, threshold)


@dataclass(frozen=True, eq=False, repr=False)
class Alpha(Neuron):
    """A membrane that follows its input as an alpha function, the difference of two currents.

        e' = alpha e + x,  i' = beta i - x,  v' = tau (e' + i'),  s' = v' >= threshold
        tau = log(alpha) / (log(beta) - log(alpha)) + 1

    Source: snnTorch's `Alpha` (Eshraghian et al., 2023). "zero_after" sets v', e' and i' to 0, as
    snnTorch's "zero"; "zero" sets e and i to 0 before the step.

    Parameters
    ----------
    reset : {"zero_after", "zero", "none"}
    detach_reset : bool
        As in `Neuron`.

    Notes
    -----
    States: the membrane `v`, the excitatory current `e`, the inhibitory current `i` and the spikes
    `s`. Parameters: the decay factors `alpha` and `beta` of the currents, 0 < beta < alpha < 1, and
    `threshold`.
    """

    reset: str = "zero_after"
    detach_reset: bool = True
    states = ("v", "e", "i", "s")
    parameters = {"alpha": 0.9, "beta": 0.8, "threshold": 1.0}
    bounds = {"alpha": (0.0, 1.0), "beta": (0.0, 1.0)}
    resets = ("zero_after", "zero", "none")

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        e = self.decayed(p.alpha, state.e, state.s, 0.0, x)
        i = self.decayed(p.beta, state.i, state.s, 0.0, -x)
        tau = torch.log(p.alpha) / (torch.log(p.beta) - torch.log(p.alpha)) + 1
        v = tau * (e + i)
        return v, e, i, fire(v, p.threshold)
