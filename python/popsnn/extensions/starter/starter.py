"""Starter: leaky integrate-and-fire with a synaptic current."""

from __future__ import annotations

from torch import Tensor

from popsnn.functional.neuron import Fire, Parameters, States
from popsnn.nn import NeuronCycles, NeuronModel


class Starter(NeuronModel):
    """Leaky integrate-and-fire with a synaptic current.

    i[t] = alpha i[t-1] + current[t]
    v[t] = beta r(v[t-1], s[t-1]) + i[t],  s[t] = v[t] >= threshold
    """

    states = ("i", "v", "s")
    parameters = ("alpha", "beta", "threshold")
    defaults = (0.5, 0.9, 1.0)
    decays = ("alpha", "beta")
    codelet = "starter.hpp"
    struct = "Starter"
    # Bundles for a neuron, one an operation; `popsnn profile` and the planner count with them.
    # step: the current 2; the reset's choice 2, subtraction, select; the membrane 2.
    # fires, near: a comparison. grad: carry 1; what the spike takes 2; to_spike 3; v - threshold,
    # product and select 3; the parameters' 8; the membrane's 3; the current's 2.
    cycles = NeuronCycles(step=8, fires=1, near=1, grad=22)

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        """Return the states [B, N] after the step whose current is x [B, N]."""
        i, v, s = state
        alpha, beta, threshold = parameters
        i = alpha * i + x
        v = beta * self.after_reset(v, s, threshold) + i
        return i, v, fire(v, threshold)
