"""Starter: leaky integrate-and-fire with a synaptic current."""

from __future__ import annotations

from typing import Any

from torch import Tensor

import popsnn


class Starter(popsnn.Neuron):
    """Leaky integrate-and-fire with a synaptic current.

    i[t] = alpha i[t-1] + x[t]
    v[t] = beta r(v[t-1], s[t-1]) + i[t],  s[t] = v[t] >= threshold
    """

    states = ("i", "v", "s")
    parameters = {"alpha": 0.5, "beta": 0.9, "threshold": 1.0}  # noqa: RUF012
    bounds = {"alpha": (0, 1), "beta": (0, 1)}  # noqa: RUF012  # where they are learnt

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        """Return the states after a time step with the current x."""
        i = p.alpha * state.i + x
        v = p.beta * self.after_reset(state.v, state.s, p.threshold) + i
        return i, v, fire(v, p.threshold)
