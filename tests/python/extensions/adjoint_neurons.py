"""Neurons whose codelets are made from their steps."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import torch
from torch import Tensor

from popsnn import Neuron
from popsnn.functional.neuron import Fire, States


class AttachedLIF(Neuron):
    """The gradient passes the spike inside of the reset."""

    states = ("v", "s")
    parameters: ClassVar = {"beta": 0.9, "threshold": 1.0}
    bounds: ClassVar = {"beta": (0, 1)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = p.beta * (state.v - p.threshold * state.s) + x
        return v, fire(v, p.threshold)


class Quadratic(Neuron):
    """Backward needs the current, which becomes a state."""

    states = ("i", "v", "s")
    # Stable where the capacity takes a reset.
    parameters: ClassVar = {"alpha": 0.5, "beta": 0.8, "kappa": -0.02, "threshold": 0.8}
    bounds: ClassVar = {"alpha": (0, 1), "beta": (0, 1)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        i = p.alpha * state.i + x * (1 - state.s) + 0.05 * torch.sigmoid(x)
        v = p.beta * state.v * (1 - state.s) + p.kappa * state.v * state.v + i * i
        return i, v, fire(v, p.threshold + i / 4)


class NoParameters(Neuron):
    states = ("v", "s")
    parameters = ()

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        v = 0.8 * state.v * (1 - state.s) + x
        return v, fire(v, 0.7)


class Bounded(Neuron):
    """Each kind of bounds, and a parameter without any."""

    states = ("v", "s")
    parameters: ClassVar = {"tau": 4.0, "threshold": 0.5, "floor": -0.2, "scale": 1.0}
    bounds: ClassVar = {"tau": (1.5, 50.0), "threshold": (0.1, math.inf), "floor": (-1.0, -0.1)}

    def step(self, x: Tensor, state: Any, p: Any, fire: Fire) -> States:
        kept = state.v * torch.exp(-1 / p.tau) * (1 - state.s)
        v = torch.maximum(kept + p.scale * x, p.floor * torch.ones_like(x))
        return v, fire(v, p.threshold)
