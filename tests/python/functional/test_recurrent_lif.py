"""The recurrent layer as it is defined."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python.functional.recurrent_inputs import RESETS, inputs

from popsnn import SpikeTensor, functional


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach", [True, False])
def test_without_weights_it_is_lif(reset: str, detach: bool) -> None:
    current, weight = inputs(9, 2, 5)
    options: dict[str, Any] = {
        "beta": 0.8,
        "reset": reset,
        "detach_reset": detach,
        "grad_threshold": 0.5,
    }
    out = functional.recurrent_lif(current, torch.zeros_like(weight), **options)
    expected = functional.lif(current, **options)
    assert torch.equal(out.spikes, expected.spikes)
    assert torch.equal(out.membrane, expected.membrane)
    grads = [
        torch.autograd.grad((output.spikes + output.membrane).sum(), current)[0]
        for output in (out, expected)
    ]
    assert torch.equal(*grads)


@settings(max_examples=20, deadline=None)
@given(
    steps=st.integers(1, 8),
    batch=st.integers(1, 3),
    neurons=st.integers(1, 9),
    reset=st.sampled_from(RESETS),
    seed=st.integers(0, 99),
)
def test_it_is_the_sparse_layer(
    steps: int, batch: int, neurons: int, reset: str, seed: int
) -> None:
    current, weight = inputs(steps, batch, neurons, seed)
    x = (current.detach() > 0.5).double()
    feed = torch.eye(neurons, dtype=torch.float64)
    expected = functional.sparse_lif(
        SpikeTensor.from_dense(x), feed, recurrent_weight=weight, reset=reset
    )
    out = functional.recurrent_lif(x, weight, reset=reset)
    assert torch.allclose(out.membrane, expected.membrane)
    grads = [
        torch.autograd.grad(output.membrane.square().sum(), weight, allow_unused=True)[0]
        for output in (out, expected)
    ]
    assert torch.allclose(*(torch.zeros_like(weight) if g is None else g for g in grads))


def test_pieces_are_the_whole() -> None:
    current, weight = inputs(10, 3, 6)
    whole = functional.recurrent_lif(current, weight)
    first = functional.recurrent_lif(current[:4], weight)
    second = functional.recurrent_lif(current[4:], weight, first.state)
    assert torch.equal(torch.cat([first.spikes, second.spikes]), whole.spikes)
    assert torch.equal(second.state.v, whole.state.v)
    grads = [
        torch.autograd.grad(total, (current, weight))
        for total in (whole.spikes.sum(), first.spikes.sum() + second.spikes.sum())
    ]
    for grad, other in zip(*grads):
        assert torch.allclose(grad, other)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_rounded_weights_pass_their_gradient(dtype: torch.dtype) -> None:
    current, weight = inputs(6, 2, 4)
    rounded = weight.detach().to(dtype).double().requires_grad_()
    out = functional.recurrent_lif(current, weight, weight_dtype=dtype)
    expected = functional.recurrent_lif(current, rounded)
    assert torch.equal(out.membrane, expected.membrane)
    (grad,) = torch.autograd.grad(out.membrane.sum(), weight)
    assert torch.equal(grad, torch.autograd.grad(expected.membrane.sum(), rounded)[0])


def test_what_is_not_asked_for_is_none() -> None:
    current, weight = inputs(2, 1, 3)
    out = functional.recurrent_lif(current, weight, membrane=False, return_state=False)
    assert out.membrane is None
    assert out.state is None
    assert functional.recurrent_lif(current[:0], weight).spikes.shape == (0, 1, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"current": torch.zeros(2, 3)}, r"current: expected shape \[T, B, N\], got \(2, 3\)"),
        ({"current": torch.zeros(1, 1, 3, dtype=torch.int32)}, "expected a float tensor"),
        ({"recurrent_weight": torch.zeros(3, 2)}, r"recurrent_weight: expected shape \(3, 3\)"),
        ({"recurrent_weight": 1.0}, "recurrent_weight: expected a float tensor, got float"),
        ({"beta": torch.zeros(2, 3)}, r"beta: expected a float or a tensor of shape \(3,\)"),
        (
            {"reset": "soft"},
            "reset: expected one of zero, subtract, none, subtract_after, zero_after, got 'soft'",
        ),
        ({"backend": "ipu"}, "backend: expected one of auto, torch, cuda, got 'ipu'"),
        (
            {"state": functional.LIFState(*torch.zeros(2, 3, 3))},
            r"state v: expected shape \(2, 3\)",
        ),
    ],
)
def test_bad_input_gets_a_sentence(change: dict[str, Any], message: str) -> None:
    inputs = {"current": torch.zeros(4, 2, 3), "recurrent_weight": torch.zeros(3, 3), **change}
    with pytest.raises((TypeError, ValueError), match=f"functional.recurrent_lif: .*{message}"):
        functional.recurrent_lif(**inputs)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "the current is on cpu, not on a CUDA device"),
        (
            {"weight_dtype": torch.float64},
            "the recurrent weights are taken as torch.float64, not float32, bfloat16 or float16",
        ),
    ],
)
def test_a_named_backend_says_why_not(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(RuntimeError, match=f"backend 'cuda' cannot run this: .*{reason}"):
        functional.recurrent_lif(torch.zeros(2, 1, 3), torch.zeros(3, 3), backend="cuda", **options)
