"""Neurons whose codelet has an adjoint, written by hand as a tracer would print it."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from popsnn.functional.neuron import Fire, Parameters, States
from popsnn.nn import NeuronCycles, NeuronModel
from popsnn.spec import ModelSpec


class AttachedLIF(NeuronModel):
    states = ("v", "s")
    parameters = ("beta", "threshold")
    defaults = (0.9, 1.0)
    decays = ("beta",)
    codelet = "adjoint_neurons.hpp"
    struct = "popsnn::AttachedLif"
    cycles = NeuronCycles(step=4, fires=2, near=1, grad=14)

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        v, s = state
        beta, threshold = parameters
        v = beta * (v - threshold * s) + x
        return v, fire(v, threshold)

    def spec(self) -> ModelSpec:
        return replace(super().spec(), adjoint=True)


class Quadratic(NeuronModel):
    states = ("i", "v", "s")
    parameters = ("alpha", "beta", "kappa", "threshold")
    defaults = (0.5, 0.8, -0.02, 0.8)  # stable where the capacity takes a reset
    decays = ("alpha", "beta")
    codelet = "adjoint_neurons.hpp"
    struct = "popsnn::Quadratic"
    cycles = NeuronCycles(step=10, fires=3, near=1, grad=30)

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        i, v, s = state
        alpha, beta, kappa, threshold = parameters
        i = alpha * i + x * (1 - s)
        v = beta * v * (1 - s) + kappa * v * v + i * i
        return i, v, fire(v, threshold + i / 4)

    def spec(self) -> ModelSpec:
        spec = super().spec()
        return replace(spec, adjoint=True, states=spec.states + 1)  # and the current
