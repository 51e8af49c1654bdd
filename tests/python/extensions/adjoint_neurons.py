"""Neurons whose codelets are made from their steps."""

from __future__ import annotations

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
