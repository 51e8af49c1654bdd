from __future__ import annotations

import re
from typing import Any, Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import linear

from popsnn import SpikeTensor, functional, surrogate
from popsnn.functional import SparseState

RESETS = ["zero", "subtract", "none", "subtract_after", "zero_after"]


@st.composite
def layers(draw: st.DrawFn) -> dict[str, Any]:
    """Draw one layer, its input, the state that it begins with, and how it is called."""
    steps, batch = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    inputs, neurons = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    seed = draw(st.integers(0, 2**20))
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    def spikes(*shape: int) -> Tensor:
        return (torch.rand(*shape, generator=generator) < 0.4).double()

    per_neuron = draw(st.booleans())
    return {
        "x": spikes(steps, batch, inputs),
        "state": (normal(batch, neurons), spikes(batch, neurons), spikes(batch, inputs)),
        "weight": normal(neurons, inputs),
        "bias": normal(neurons) if draw(st.booleans()) else None,
        "recurrent_weight": normal(neurons, neurons) if draw(st.booleans()) else None,
        "beta": normal(neurons).sigmoid() if per_neuron else draw(st.sampled_from([0.0, 0.8, 1.0])),
        "threshold": 0.5 + normal(neurons).sigmoid() if per_neuron else 0.9,
        "options": {
            "gain": draw(st.sampled_from([1.0, 1.7])),
            "delay": draw(st.integers(0, 1)),
            "reset": draw(st.sampled_from(RESETS)),
            "detach_reset": draw(st.booleans()),
            "grad_threshold": draw(st.sampled_from([None, 0.1, 0.5])),
        },
        "seed": seed,
    }


def leaves(drawn: dict[str, Any]) -> tuple[dict[str, Any], list[Tensor]]:
    """Return the drawn layer with leaf tensors of its own, and these."""
    copy, result = dict(drawn), []
    for name in ("weight", "bias", "recurrent_weight", "beta", "threshold"):
        if isinstance(drawn[name], Tensor):
            copy[name] = drawn[name].clone().requires_grad_()
            result.append(copy[name])
    copy["state"] = tuple(part.clone().requires_grad_() for part in drawn["state"])
    return copy, [*result, *copy["state"]]


def loop(drawn: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """One dense layer without capacity, written as the reference reads: spikes and membrane."""
    v, s, last = drawn["state"]
    weight, bias, recurrent = drawn["weight"], drawn["bias"], drawn["recurrent_weight"]
    beta, threshold, options = drawn["beta"], drawn["threshold"], drawn["options"]
    derivative = surrogate.SuperSpike()
    membrane, spikes = [], []
    for x in drawn["x"]:
        current = (last if options["delay"] else x) @ weight.t()
        last = x
        current = current + (0 if recurrent is None else s @ recurrent.t())
        current = current + (0 if bias is None else bias)
        by = s.detach() if options["detach_reset"] else s
        reset = options["reset"]
        r = {"zero": v * (1 - by), "subtract": v - threshold * by}.get(reset, v)
        v = beta * r + options["gain"] * current
        v = {"zero_after": v * (1 - by), "subtract_after": v - threshold * by}.get(reset, v)
        fired = (v >= threshold).double()
        low = options["grad_threshold"]
        active = torch.ones_like(v) if low is None else torch.maximum(fired, (v >= low).double())
        smooth = derivative.primitive(v - threshold) * active
        s = fired.detach() + smooth - smooth.detach()
        membrane.append(v)
        spikes.append(s)
    return torch.stack(spikes), torch.stack(membrane)


def run(drawn: dict[str, Any], state: SparseState | None = None, **options: Any) -> Any:
    return functional.sparse_lif(
        SpikeTensor.from_dense(drawn["x"]),
        drawn["weight"],
        drawn["bias"],
        state,
        recurrent_weight=drawn["recurrent_weight"],
        beta=drawn["beta"],
        threshold=drawn["threshold"],
        **drawn["options"],
        **options,
    )


@given(layers())
def test_without_capacity_it_is_the_dense_loop(drawn: dict[str, Any]) -> None:
    ours, our_leaves = leaves(drawn)
    theirs, their_leaves = leaves(drawn)
    out = run(ours, SparseState(*ours["state"], 0))
    spikes, membrane = loop(theirs)
    torch.testing.assert_close(out.membrane, membrane)
    torch.testing.assert_close(out.spikes.to_dense(), spikes)
    assert int(out.spikes.dropped.sum()) == 0

    generator = torch.Generator().manual_seed(drawn["seed"])
    weights = torch.randn(2, *membrane.shape, dtype=torch.float64, generator=generator)
    (out.spikes.to_dense() * weights[0] + out.membrane * weights[1]).sum().backward()
    (spikes * weights[0] + membrane * weights[1]).sum().backward()
    for mine, expected in zip(our_leaves, their_leaves):
        if expected.grad is None:
            assert mine.grad is None or not mine.grad.any()
        else:
            torch.testing.assert_close(mine.grad, expected.grad)


@given(
    layers(),
    st.integers(1, 9),
    st.sampled_from([torch.float32, torch.float64]),
    st.lists(st.integers(0, 6), max_size=3),
)
def test_a_run_in_pieces_is_the_run_bit_for_bit(
    drawn: dict[str, Any], capacity: int, dtype: torch.dtype, cuts: list[int]
) -> None:
    drawn = {k: v.to(dtype) if isinstance(v, Tensor) else v for k, v in drawn.items()}
    options = {"capacity": min(capacity, len(drawn["weight"])), "seed": 9, "layer": 2}
    v, s, x = (part.to(dtype) for part in drawn["state"])
    steps = len(drawn["x"])
    whole = run(drawn, SparseState(v, s, x, 5), **options)
    state, chunks = SparseState(v, s, x, 5), []
    edges = [0, *sorted(min(cut, steps) for cut in cuts), steps]
    for begin, end in zip(edges, edges[1:]):
        chunks.append(run({**drawn, "x": drawn["x"][begin:end]}, state, **options))
        state = chunks[-1].state
    for name in ("ids", "counts", "dropped", "values"):
        parts = torch.cat([getattr(chunk.spikes, name) for chunk in chunks])
        assert torch.equal(getattr(whole.spikes, name), parts)
    assert torch.equal(whole.membrane, torch.cat([chunk.membrane for chunk in chunks]))
    assert all(torch.equal(a, b) for a, b in zip(whole.state[:3], state[:3]))
    assert whole.state.step == state.step == 5 + steps


def test_a_run_in_pieces_drops_what_the_run_drops() -> None:
    x = (torch.rand(9, 3, 12) < 0.4).float()
    weight, recurrent = torch.randn(8, 12), torch.randn(8, 8)
    options: Any = {"recurrent_weight": recurrent, "capacity": 3, "seed": 9}
    whole = functional.sparse_lif(SpikeTensor.from_dense(x), weight, **options)
    first = functional.sparse_lif(SpikeTensor.from_dense(x[:4]), weight, **options)
    second = functional.sparse_lif(
        SpikeTensor.from_dense(x[4:]), weight, None, first.state, **options
    )
    assert int(second.spikes.dropped[..., 0].sum()) > 0
    assert torch.equal(whole.spikes.dropped[4:], second.spikes.dropped)
    assert torch.equal(whole.spikes.ids[4:], second.spikes.ids)


def test_only_spikes_that_kept_their_place_come_back() -> None:
    x = torch.tensor([[[1.0]], [[0.0]]])
    out = functional.sparse_lif(
        SpikeTensor.from_dense(x),
        torch.full((8, 1), 2.0),
        recurrent_weight=torch.ones(8, 8),
        beta=0.0,
        capacity=3,
    )
    assert out.spikes.dropped[0, 0, 0] == 5
    assert out.membrane[1, 0].tolist() == [3.0] * 8


def test_gain_scales_input_recurrence_and_bias() -> None:
    x = (torch.rand(5, 2, 4) < 0.5).double()
    weight, recurrent = torch.randn(6, 4).double(), torch.randn(6, 6).double()
    bias = torch.randn(6).double()
    spikes = SpikeTensor.from_dense(x)
    scaled = functional.sparse_lif(spikes, weight, bias, recurrent_weight=recurrent, gain=2.0)
    doubled = functional.sparse_lif(
        spikes, 2 * weight, 2 * bias, recurrent_weight=2 * recurrent, gain=1.0
    )
    assert torch.equal(scaled.membrane, doubled.membrane)


@pytest.mark.parametrize("delay", [0, 1])
def test_li_is_the_dense_loop_and_goes_on(delay: int) -> None:
    x = (torch.rand(6, 2, 5) < 0.5).double()
    weight, bias, beta = torch.randn(4, 5).double(), torch.randn(4).double(), torch.rand(4).double()
    options: Any = {"beta": beta, "gain": 1.3, "delay": delay}
    whole = functional.sparse_li(SpikeTensor.from_dense(x), weight, bias, **options)
    v, expected = torch.zeros(2, 4).double(), []
    late = torch.cat([torch.zeros_like(x[:1]), x[:-1]]) if delay else x
    for step in late:
        v = beta * v + 1.3 * linear(step, weight, bias)
        expected.append(v)
    assert torch.equal(whole.membrane, torch.stack(expected))
    first = functional.sparse_li(SpikeTensor.from_dense(x[:2]), weight, bias, **options)
    second = functional.sparse_li(
        SpikeTensor.from_dense(x[2:]), weight, bias, first.state, **options
    )
    assert torch.equal(second.membrane, whole.membrane[2:])
    assert second.state.step == 6


SURROGATES = [
    surrogate.SuperSpike(slope=3.0),
    surrogate.Sigmoid(),
    surrogate.ATan(),
    surrogate.Custom(torch.tanh, lambda x: 1 - torch.tanh(x) ** 2),
]


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("curve", SURROGATES, ids=lambda curve: curve.name)
def test_backward_is_the_derivative_of_the_smoothed_network(
    reset: str, curve: surrogate.Surrogate
) -> None:
    # With H in place of the spike and nothing cut, the network is a smooth function, and its
    # finite differences must be what autograd makes of the surrogate: in every parameter, in the
    # input, in the state that the layers begin with, and out of the one that they leave.
    generator = torch.Generator().manual_seed(1)
    options: Any = {"reset": reset, "surrogate": curve, "detach_reset": False, "smooth": True}

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    def network(
        x: Tensor, w1: Tensor, u1: Tensor, b1: Tensor, beta1: Tensor, theta1: Tensor, v1: Tensor,
        s1: Tensor, w2: Tensor, u2: Tensor, v2: Tensor, w3: Tensor, beta3: Tensor, v3: Tensor,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        # SpikeTensor.from_masks rather than from_dense: finite differences leave 0 and 1.
        every = torch.ones_like(x, dtype=torch.bool)
        none = torch.zeros(*x.shape[:2], 2, dtype=torch.int32)
        spikes = SpikeTensor.from_masks(x, every, ~every, none, x.shape[-1])
        begin1 = SparseState(v1, s1, torch.zeros_like(x[0]), 0)
        first = functional.sparse_lif(
            spikes, w1, b1, begin1, recurrent_weight=u1, beta=beta1, threshold=theta1, gain=1.3,
            **options,
        )  # fmt: skip
        begin2 = SparseState(v2, torch.zeros_like(v2), s1, 0)
        second = functional.sparse_lif(
            first.spikes, w2, None, begin2, recurrent_weight=u2, delay=1, threshold=0.8, **options
        )
        begin3 = SparseState(v3, torch.zeros_like(v3), torch.zeros_like(v2), 0)
        third = functional.sparse_li(second.spikes, w3, None, begin3, beta=beta3)
        states = (first.state, second.state, third.state)
        return (third.membrane, *(part for state in states for part in (state.v, state.s)))

    x = (torch.rand(4, 2, 3, generator=generator) < 0.5).double()
    beta1, theta1 = normal(4).sigmoid(), 0.5 + normal(4).sigmoid()
    first = [normal(4, 3), normal(4, 4), normal(4), beta1, theta1, normal(2, 4), normal(2, 4)]
    second = [normal(5, 4), normal(5, 5), normal(2, 5)]
    third = [normal(2, 5), normal(2).sigmoid(), normal(2, 2)]
    inputs = [tensor.requires_grad_() for tensor in (x, *first, *second, *third)]
    assert torch.autograd.gradcheck(network, inputs)


@given(layers(), st.integers(1, 5))
@settings(max_examples=30)
def test_gradient_flows_through_the_states_of_pieces(drawn: dict[str, Any], cut: int) -> None:
    whole, expected = leaves(drawn)
    run(whole, SparseState(*whole["state"], 0)).membrane.square().sum().backward()
    chunks, got = leaves(drawn)
    first = run({**chunks, "x": drawn["x"][:cut]}, SparseState(*chunks["state"], 0))
    second = run({**chunks, "x": drawn["x"][cut:]}, first.state)
    (first.membrane.square().sum() + second.membrane.square().sum()).backward()
    for mine, theirs in zip(got, expected):
        if theirs.grad is not None:
            torch.testing.assert_close(mine.grad, theirs.grad)


def test_a_detached_state_cuts_the_gradient() -> None:
    weight = torch.randn(4, 3, requires_grad=True)
    x = SpikeTensor.from_dense(torch.ones(3, 2, 3))
    state = functional.sparse_lif(x, weight).state
    assert state.v.requires_grad
    assert state.s.requires_grad
    cut = state.detach()
    assert not any(part.requires_grad for part in (cut.v, cut.s, cut.x))
    assert torch.equal(cut.v, state.v)
    assert cut.step == 3


x = SpikeTensor.from_dense(torch.zeros(2, 3, 4))
weight = torch.zeros(5, 4)
rest = SparseState.at_rest(weight, 3)


def sparse_lif(**options: Any) -> Callable[[], Any]:
    return lambda: functional.sparse_lif(x, options.pop("weight", weight), **options)


MISTAKES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        sparse_lif(weight=weight.T),
        ValueError,
        "weight: expected shape [N, 4] for x of 4 neurons, got (4, 5)",
    ),
    (sparse_lif(bias=torch.zeros(4)), ValueError, "bias: expected shape (5,), got (4,)"),
    (
        sparse_lif(recurrent_weight=weight),
        ValueError,
        "recurrent_weight: expected shape (5, 5) for 5 neurons, got (5, 4)",
    ),
    (sparse_lif(delay=2), ValueError, "delay: expected 0..1, got 2"),
    (
        sparse_lif(reset="hard"),
        ValueError,
        "reset: expected one of zero, subtract, none, subtract_after, zero_after, got",
    ),
    (sparse_lif(capacity=6), ValueError, "capacity: expected 1..5, got 6"),
    (
        sparse_lif(grad_threshold=1.1),
        ValueError,
        "grad_threshold: expected at most the threshold 1, got 1.1",
    ),
    (
        sparse_lif(state=torch.zeros(3, 5)),
        TypeError,
        "state: expected a SparseState, got Tensor",
    ),
    (
        sparse_lif(state=SparseState.at_rest(weight, 2)),
        ValueError,
        "state.v: expected shape (3, 5), got (2, 5)",
    ),
    (
        sparse_lif(state=rest._replace(x=torch.zeros(3, 5))),
        ValueError,
        "state.x: expected shape (3, 4), got (3, 5)",
    ),
    (
        sparse_lif(state=rest._replace(s=torch.zeros(3))),
        ValueError,
        "state.s: expected shape [B, 5], got (3,)",
    ),
    (
        sparse_lif(state=rest._replace(v=torch.zeros(3, 5).double())),
        ValueError,
        "state.v: expected torch.float32 on cpu as the weights are, got torch.float64 on cpu",
    ),
    (sparse_lif(state=rest._replace(step=-1)), ValueError, "state.step: expected 0..4294967295"),
    (lambda: functional.sparse_li(x, weight[0]), ValueError, "weight: expected shape [N, 4]"),
    (
        lambda: functional.sparse_li(x, weight, state=SparseState.at_rest(weight, 1)),
        ValueError,
        "state.v: expected shape (3, 5), got (1, 5)",
    ),
    (
        lambda: functional.sparse_lif(torch.zeros(2, 3, 4), weight),  # type: ignore[arg-type]
        TypeError,
        "x: expected a SpikeTensor, got a Tensor: SpikeTensor.from_dense makes one",
    ),
    (
        lambda: functional.sparse_li(torch.zeros(3, 4), weight),  # type: ignore[arg-type]
        TypeError,
        "x: expected a SpikeTensor, got a Tensor",
    ),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_mistakes_get_one_sentence(
    call: Callable[[], Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=re.escape(sentence)) as caught:
        call()
    assert str(caught.value).startswith("functional.sparse_li")


@pytest.mark.parametrize("steps", [0, 1])
def test_short_and_empty_inputs(steps: int) -> None:
    empty = SpikeTensor.from_dense(torch.zeros(steps, 0, 4))
    out = functional.sparse_lif(empty, weight, recurrent_weight=torch.zeros(5, 5))
    assert out.spikes.shape == (steps, 0, 5)
    assert functional.sparse_li(empty, weight).membrane.shape == (steps, 0, 5)
