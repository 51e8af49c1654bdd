"""Recurrent layers of any neuron as they are defined."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.python.functional.recurrent_inputs import inputs
from torch import Tensor

from popsnn import functional
from popsnn.functional import neuron


class Own(neuron.Neuron):
    states = ("v", "s")
    parameters = ("beta", "threshold")

    def step(self, x: Tensor, state: Any, p: Any, fire: neuron.Fire) -> neuron.States:
        v = p.beta * state.v * (1 - state.s.detach()) + x
        return v, fire(v, p.threshold)


class WithoutLines(Own):
    @property
    def cuda_source(self) -> str | None:
        return None


def test_any_neuron_may_be_recurrent() -> None:
    current, weight = inputs(7, 2, 4)
    parameters = {"beta": 0.8, "threshold": 1.0}
    out = functional.recurrent_scan("own", Own(), current, weight, None, parameters)
    expected = functional.recurrent_lif(current, weight, **parameters)
    assert torch.equal(out.spikes, expected.spikes)
    assert torch.equal(out.membrane, expected.membrane)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (neuron.LI(), r"own: neuron: expected one that spikes, got LI\(\)"),
        (
            WithoutLines(),
            "own: backend 'cuda' cannot run this: WithoutLines has no CUDA lines",
        ),
    ],
    ids=["silent", "without_lines"],
)
def test_a_neuron_that_does_not_do_gets_a_sentence(model: neuron.Neuron, message: str) -> None:
    current, weight = torch.zeros(2, 1, 3), torch.zeros(3, 3)
    with pytest.raises((ValueError, RuntimeError), match=message):
        functional.recurrent_scan(
            "own", model, current, weight, None, {"beta": 0.9, "threshold": 1.0}, backend="cuda"
        )
