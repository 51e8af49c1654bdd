"""ALIF as the earlier `NeuronModel` takes it, whose codelet is written by hand."""

from __future__ import annotations

import pytest
from torch import Tensor

from popsnn.functional.neuron import Fire, Parameters, States
from popsnn.nn import NeuronCycles, NeuronModel

with pytest.warns(DeprecationWarning, match="^ALIF: expected a subclass of popsnn.Neuron, not of"):

    class ALIF(NeuronModel):
        states = ("v", "a", "s")
        parameters = ("beta", "threshold", "rho", "kappa")
        defaults = (0.9, 1.0, 0.97, 0.2)
        decays = ("beta", "rho")
        codelet = "alif.hpp"
        struct = "popsnn::Alif"
        # step: the adaptation's f32mul, select and f32add 3; the reset's choice 2, f32sub, select,
        # f32mul, f32add. fires: f32mul, f32add, f32cmp. near: f32cmp.
        # grad: the threshold 2; carry 1; what the spike takes 2; to_spike 4; v - threshold, f32mul
        # and select 3; the parameters' 10; the membrane's gradient 3, the adaptation's 3.
        cycles = NeuronCycles(step=9, fires=3, near=1, grad=28)

        def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
            v, a, s = state
            beta, threshold, rho, kappa = parameters
            a = rho * a + s
            v = beta * self.after_reset(v, s, threshold) + x
            return v, a, fire(v, threshold + kappa * a)
