from __future__ import annotations

import re
from typing import Any, Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from popsnn import SpikeTensor, functional, surrogate

RESETS = ["zero", "subtract", "none"]


def neuron(
    current: list[float], beta: float, threshold: float, reset: str
) -> tuple[list[float], ...]:
    """One neuron, written as the definition reads."""
    v = s = 0.0
    membrane, spikes = [], []
    for i in current:
        r = {"zero": v * (1 - s), "subtract": v - threshold * s, "none": v}[reset]
        v = beta * r + i
        s = float(v >= threshold)
        membrane.append(v)
        spikes.append(s)
    return membrane, spikes


@given(
    st.lists(st.floats(-2, 2), min_size=1, max_size=20),
    st.floats(0, 1),
    st.floats(0.1, 2),
    st.sampled_from(RESETS),
)
def test_lif_equals_the_slow_definition(
    current: list[float], beta: float, threshold: float, reset: str
) -> None:
    x = torch.tensor(current, dtype=torch.float64).view(-1, 1)
    out = functional.lif(x, beta=beta, threshold=threshold, reset=reset)
    membrane, spikes = neuron(current, beta, threshold, reset)
    assert out.membrane[:, 0].tolist() == membrane
    assert out.spikes[:, 0].tolist() == spikes


def test_a_membrane_at_the_threshold_fires() -> None:
    out = functional.lif(torch.tensor([[1.0]]), threshold=1.0)
    assert out.spikes.tolist() == [[1.0]]


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("delay", [0, 1])
def test_a_run_in_pieces_is_the_run(reset: str, delay: int) -> None:
    x = (torch.rand(9, 3, 12) < 0.4).double()
    weight, bias = torch.randn(8, 12).double(), torch.randn(8).double() * 0.1

    def run(part: Tensor, state: Any = None) -> functional.SparseLIFOutput:
        return functional.sparse_lif(
            SpikeTensor.from_dense(part), weight, bias, state,
            reset=reset, delay=delay, capacity=3, grad_threshold=0.5, seed=9,
        )  # fmt: skip

    whole, first = run(x), run(x[:4])
    second = run(x[4:], first.state)
    assert int(whole.spikes.dropped.sum()) > 0
    assert second.state.step == 9
    for name in ("ids", "counts", "dropped"):
        parts = torch.cat([getattr(first.spikes, name), getattr(second.spikes, name)])
        assert torch.equal(getattr(whole.spikes, name), parts)
    assert torch.equal(whole.membrane, torch.cat([first.membrane, second.membrane]))


def test_li_and_its_state() -> None:
    current = torch.randn(5, 2, 3).double()
    whole = functional.li(current, beta=0.8)
    expected = [sum(0.8 ** (t - k) * current[k] for k in range(t + 1)) for t in range(5)]
    torch.testing.assert_close(whole.membrane, torch.stack(expected))  # type: ignore[arg-type]
    first = functional.li(current[:2], beta=0.8)
    second = functional.li(current[2:], first.state, beta=0.8)
    assert torch.equal(second.membrane, whole.membrane[2:])


def test_delay_shifts_the_input() -> None:
    x = (torch.rand(6, 2, 5) < 0.5).double()
    weight = torch.randn(4, 5).double()
    late = torch.cat([torch.zeros_like(x[:1]), x[:-1]])
    delayed = functional.sparse_lif(SpikeTensor.from_dense(x), weight, delay=1)
    shifted = functional.sparse_lif(SpikeTensor.from_dense(late), weight)
    assert torch.equal(delayed.membrane, shifted.membrane)


def test_sparse_lif_is_linear_and_lif() -> None:
    x = (torch.rand(6, 2, 5) < 0.5).double()
    weight, bias = torch.randn(4, 5).double(), torch.randn(4).double()
    sparse = functional.sparse_lif(SpikeTensor.from_dense(x), weight, bias, gain=1.7, beta=0.6)
    dense = functional.lif(1.7 * torch.nn.functional.linear(x, weight, bias), beta=0.6)
    assert torch.equal(sparse.membrane, dense.membrane)
    assert torch.equal(sparse.spikes.to_dense(), dense.spikes)


SURROGATES = [
    surrogate.SuperSpike(slope=3.0),
    surrogate.Sigmoid(),
    surrogate.ATan(),
    surrogate.Custom(torch.tanh, lambda x: 1 - torch.tanh(x) ** 2),
]


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("one", SURROGATES, ids=lambda one: one.name)
def test_backward_is_the_derivative_of_the_smoothed_network(
    reset: str, one: surrogate.Surrogate
) -> None:
    # With H in place of the spike and nothing cut, the network is a smooth function, and its
    # finite differences must be what autograd makes of the surrogate.
    torch.manual_seed(1)
    x = (torch.rand(5, 2, 4) < 0.5).double()
    options: Any = {"reset": reset, "surrogate": one, "detach_reset": False, "smooth": True}

    def network(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, w3: Tensor, beta: Tensor) -> Tensor:
        # SpikeTensor.from_masks rather than from_dense: finite differences leave 0 and 1.
        every = torch.ones_like(x, dtype=torch.bool)
        none = torch.zeros(5, 2, 2, dtype=torch.int32)
        spikes = SpikeTensor.from_masks(x, every, ~every, none, 4)
        hidden = functional.sparse_lif(spikes, w1, b1, beta=beta, gain=1.3, **options).spikes
        hidden = functional.sparse_lif(hidden, w2, delay=1, threshold=0.8, **options).spikes
        return functional.sparse_li(hidden, w3).membrane

    shapes = [(6, 4), (6,), (5, 6), (3, 5)]
    weights = [torch.randn(*shape, dtype=torch.float64) for shape in shapes]
    inputs = [x, *weights, torch.full((6,), 0.7, dtype=torch.float64)]
    assert torch.autograd.gradcheck(network, [tensor.requires_grad_() for tensor in inputs])


@given(st.sampled_from(RESETS), st.booleans(), st.integers(0, 1000))
@settings(max_examples=30)
def test_gradient_of_the_hard_network_by_hand(reset: str, detach: bool, seed: int) -> None:
    """The recursion of the backward pass, written out for one layer of independent neurons."""
    torch.manual_seed(seed)
    steps, beta, threshold, grad_threshold = 7, 0.8, 0.9, 0.2
    one = surrogate.SuperSpike()
    current = torch.randn(steps, 2, 3, dtype=torch.float64).requires_grad_()
    out = functional.lif(
        current, beta=beta, threshold=threshold, reset=reset,
        detach_reset=detach, grad_threshold=grad_threshold,
    )  # fmt: skip
    weight = torch.randn_like(out.spikes)
    (out.spikes * weight).sum().backward()

    v, s = out.membrane.detach(), out.spikes.detach()
    listed = (v >= grad_threshold).double()
    later = torch.zeros_like(v[0])  # gradient of v[t+1]
    for t in reversed(range(steps)):
        through_s = weight[t].clone()
        if not detach:
            dr_ds = {
                "zero": -v[t],
                "subtract": -threshold * torch.ones_like(v[t]),
                "none": 0 * v[t],
            }
            through_s = through_s + later * beta * dr_ds[reset]
        dr_dv = 1 - s[t] if reset == "zero" else torch.ones_like(s[t])
        later = through_s * one.derivative(v[t] - threshold) * listed[t] + later * beta * dr_dv
        assert current.grad is not None
        torch.testing.assert_close(current.grad[t], later)


x = SpikeTensor.from_dense(torch.zeros(2, 3, 4))
weight = torch.zeros(5, 4)
MISTAKES = [
    (
        lambda: functional.lif(torch.zeros(2, 3, dtype=torch.int64)),
        TypeError,
        "current: expected a float tensor, got torch.int64",
    ),
    (
        lambda: functional.lif(torch.zeros(2)),
        ValueError,
        "current: expected shape [T, B, ...], got (2,)",
    ),
    (
        lambda: functional.lif(torch.zeros(2, 3), reset="hard"),
        ValueError,
        "reset: expected one of zero, subtract, none, got 'hard'",
    ),
    (
        lambda: functional.sparse_lif(x, weight.T),
        ValueError,
        "weight: expected shape [N, 4] for x of 4 neurons, got (4, 5)",
    ),
    (lambda: functional.sparse_lif(x, weight, delay=2), ValueError, "delay: expected 0..1, got 2"),
    (
        lambda: functional.sparse_lif(x, weight, capacity=6),
        ValueError,
        "capacity: expected 1..5, got 6",
    ),
    (
        lambda: functional.sparse_lif(x, weight, grad_threshold=1.1),
        ValueError,
        "grad_threshold: expected at most the threshold 1, got 1.1",
    ),
    (lambda: functional.sparse_li(x, weight[0]), ValueError, "weight: expected shape [N, 4]"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_mistakes_get_one_sentence(
    call: Callable[[], Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=re.escape(sentence)) as caught:
        call()
    assert str(caught.value).startswith("functional.")


@pytest.mark.parametrize("steps", [0, 1])
def test_short_and_empty_inputs(steps: int) -> None:
    empty = SpikeTensor.from_dense(torch.zeros(steps, 0, 4))
    out = functional.sparse_lif(empty, weight)
    assert out.spikes.shape == (steps, 0, 5)
    assert functional.sparse_li(empty, weight).membrane.shape == (steps, 0, 5)
    assert functional.lif(torch.zeros(steps, 0, 2, 2)).spikes.shape == (steps, 0, 2, 2)
