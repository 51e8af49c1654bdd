"""Recurrent layers of any neuron as they are defined."""

from __future__ import annotations

import pytest
import torch
from tests.python.functional.recurrent_inputs import inputs

from popsnn import functional
from popsnn.functional import neuron


def test_any_neuron_may_be_recurrent() -> None:
    current, weight = inputs(7, 2, 4)
    parameters = {"beta": 0.8, "threshold": 1.0}
    own = functional.Custom(
        states=("v", "s"),
        parameters=("beta", "threshold"),
        function=lambda x, state, p, fire: (
            v := p[0] * state[0] * (1 - state[1].detach()) + x,
            fire(v, p[1]),
        ),
    )
    out = functional.recurrent_scan("own", own, current, weight, None, parameters)
    expected = functional.recurrent_lif(current, weight, **parameters)
    assert torch.equal(out.spikes, expected.spikes)
    assert torch.equal(out.membrane, expected.membrane)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (neuron.LI(), r"own: neuron: expected one that spikes, got LI\(\)"),
        (
            functional.Custom(("v", "s"), ("beta",), lambda x, state, p, fire: (x, x)),
            "own: backend 'cuda' cannot run this: Custom has no CUDA lines",
        ),
    ],
    ids=["silent", "without_lines"],
)
def test_a_neuron_that_does_not_do_gets_a_sentence(model: neuron.Neuron, message: str) -> None:
    current, weight = torch.zeros(2, 1, 3), torch.zeros(3, 3)
    with pytest.raises((ValueError, RuntimeError), match=message):
        functional.recurrent_scan(
            "own", model, current, weight, None, {"beta": 0.9}, backend="cuda"
        )
