"""Recurrent neurons of an adaptive threshold as they are defined."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python.functional.recurrent_inputs import RESETS, inputs

from popsnn import SpikeTensor, functional
from popsnn.functional import neuron

NAMES = ("beta", "threshold", "rho", "kappa")


def learnt(neurons: int, seed: int = 0) -> dict[str, Any]:
    """Return parameters [N] that take gradients."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.rand(4, neurons, generator=generator, dtype=torch.float64)
    return {name: value.requires_grad_() for name, value in zip(NAMES, values + 0.1)}


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach", [True, False])
def test_without_weights_it_is_the_elementwise_neuron(reset: str, detach: bool) -> None:
    current, weight = inputs(9, 2, 5)
    options = {**learnt(5), "reset": reset, "detach_reset": detach, "grad_threshold": 0.3}
    out = functional.recurrent_adaptive_lif(current, torch.zeros_like(weight), **options)
    expected = functional.adaptive_lif(current, **options)
    for state, other in zip(
        (out.spikes, out.membrane, *out.state), (*expected[:2], *expected.state)
    ):
        assert torch.equal(state, other)
    leaves = [current, *(options[name] for name in NAMES)]
    grads = [
        torch.autograd.grad((output.spikes + output.membrane).sum() + output.state.a.sum(), leaves)
        for output in (out, expected)
    ]
    for grad, other in zip(*grads):
        assert torch.allclose(grad, other)


@settings(max_examples=15, deadline=None)
@given(
    steps=st.integers(1, 8),
    batch=st.integers(1, 3),
    neurons=st.integers(1, 9),
    reset=st.sampled_from(RESETS),
    detach=st.booleans(),
    seed=st.integers(0, 99),
)
def test_it_is_the_sparse_layer(
    steps: int, batch: int, neurons: int, reset: str, detach: bool, seed: int
) -> None:
    current, weight = inputs(steps, batch, neurons, seed)
    x = (current.detach() > 0.5).double()
    parameters = learnt(neurons, seed)
    leaves = [weight, *parameters.values()]
    expected = functional.sparse_neurons(
        SpikeTensor.from_dense(x),
        torch.eye(neurons, dtype=torch.float64),
        neuron=neuron.AdaptiveLIF(reset, detach),
        parameters=tuple(parameters.values()),
        recurrent_weight=weight,
        grad_threshold=0.2,
    )
    out = functional.recurrent_adaptive_lif(
        x, weight, reset=reset, detach_reset=detach, grad_threshold=0.2, **parameters
    )
    assert torch.allclose(out.membrane, expected.membrane)
    assert torch.allclose(out.state.a, expected.state.more[0])
    grads = [
        torch.autograd.grad(output.membrane.square().sum(), leaves, allow_unused=True)
        for output in (out, expected)
    ]
    for leaf, grad, other in zip(leaves, *grads):
        zeros = torch.zeros_like(leaf)
        assert torch.allclose(zeros if grad is None else grad, zeros if other is None else other)


def test_the_threshold_rises_with_spikes() -> None:
    out = functional.recurrent_adaptive_lif(
        torch.full((6, 1, 1), 1.2), torch.zeros(1, 1), beta=0.0, kappa=0.5, reset="zero"
    )
    assert out.spikes.flatten().tolist() == [1, 0, 0, 0, 0, 0]
    assert float(out.state.a) == pytest.approx(0.97**4)


def test_pieces_are_the_whole() -> None:
    current, weight = inputs(10, 3, 6)
    whole = functional.recurrent_adaptive_lif(current, weight)
    first = functional.recurrent_adaptive_lif(current[:4], weight)
    second = functional.recurrent_adaptive_lif(current[4:], weight, first.state)
    assert torch.equal(torch.cat([first.spikes, second.spikes]), whole.spikes)
    for state, other in zip(second.state, whole.state):
        assert torch.equal(state, other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"reset": "soft"},
            "reset: expected one of zero, subtract, none, subtract_after, zero_after, got 'soft'",
        ),
        ({"rho": torch.zeros(2, 3)}, r"rho: expected a float or a tensor of shape \(3,\)"),
        (
            {"state": functional.LIFState(*torch.zeros(2, 2, 3))},
            r"state: expected 3 tensors \(v, a, s\), got 2",
        ),
    ],
)
def test_bad_input_gets_a_sentence(change: dict[str, Any], message: str) -> None:
    inputs = {"current": torch.zeros(4, 2, 3), "recurrent_weight": torch.zeros(3, 3), **change}
    with pytest.raises(ValueError, match=f"functional.recurrent_adaptive_lif: {message}"):
        functional.recurrent_adaptive_lif(**inputs)
