"""Neurons of several input currents in torch, and their errors."""

from __future__ import annotations

import re
from collections import namedtuple
from typing import Any, Callable, ClassVar

import pytest
import torch
from torch import Tensor

import popsnn
from popsnn import functional, nn
from popsnn.neurons import LIF, ConductanceLIF
from popsnn.tracing.symbol import Untranslatable

Wrong = namedtuple("Wrong", ["inhibitory", "excitatory"])
Right = namedtuple("Right", ["excitatory", "inhibitory"])


class Balanced(popsnn.Neuron):
    """LIF of the difference of two currents."""

    inputs = ("excitatory", "inhibitory")
    states = ("v", "s")
    parameters: ClassVar = {"beta": 0.9, "threshold": 1.0}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        v = self.decayed(p.beta, state.v, state.s, p.threshold, x.excitatory - x.inhibitory)
        return v, fire(v, p.threshold)


VALUES = {"beta": 0.9, "threshold": 1.0}
X = torch.zeros(3, 2, 4)


def scan(current: Any, neuron: popsnn.Neuron | None = None) -> Any:
    return functional.scan("test", neuron or Balanced(), current, None, VALUES)


@pytest.mark.parametrize("kind", [tuple, lambda pair: Right(*pair)], ids=["tuple", "named"])
def test_a_difference_of_currents_is_one_current(kind: Callable[[Any], Any]) -> None:
    excitatory, inhibitory = torch.randn(2, 30, 2, 5, dtype=torch.float64)
    leaves = [excitatory.clone().requires_grad_(), inhibitory.clone().requires_grad_()]
    out = scan(kind(leaves))
    single = (excitatory - inhibitory).requires_grad_()
    expected = scan(single, LIF())
    assert torch.equal(out.spikes, expected.spikes)
    assert torch.equal(out.membrane, expected.membrane)
    (grad,) = torch.autograd.grad(expected.spikes.sum(), single)
    of_both = torch.autograd.grad(out.spikes.sum(), leaves)
    torch.testing.assert_close(of_both, (grad, -grad))


@pytest.mark.parametrize("name", [None, "excitatory", "inhibitory"])
def test_recurrent_spikes_enter_one_input(name: str | None) -> None:
    """As a loop over steps, each of which adds W s to the current of that input."""
    torch.manual_seed(0)
    x = tuple(torch.rand(2, 20, 2, 5, dtype=torch.float64))
    weight = torch.randn(5, 5, dtype=torch.float64, requires_grad=True)
    out = functional.recurrent_scan(
        "test", Balanced(), x, weight, None, VALUES, recurrent_input=name
    )
    at = int(name == "inhibitory")
    state, spikes = None, []
    for t in range(20):
        current = [each[t : t + 1] for each in x]
        if state is not None:
            current[at] = current[at] + state[-1] @ weight.t()
        step = functional.scan("test", Balanced(), tuple(current), state, VALUES)
        state = step.state
        spikes.append(step.spikes)
    expected = torch.cat(spikes)
    assert torch.equal(out.spikes, expected)
    assert 0 < float(expected.detach().mean()) < 1
    grads = [torch.autograd.grad(each[-1].sum(), weight)[0] for each in (out.spikes, expected)]
    torch.testing.assert_close(*grads)


def test_a_recurrent_module_feeds_the_first_input() -> None:
    torch.manual_seed(1)
    x = tuple(torch.rand(2, 20, 2, 5))
    layer = nn.RecurrentSpiking(Balanced(), 5)
    weight = layer.recurrent_weight
    expected = functional.recurrent_scan("test", Balanced(), x, weight, None, VALUES)
    assert torch.equal(layer(x), expected.spikes)


def test_the_conductance_of_inhibition_shunts() -> None:
    """Inhibition that reverses at rest has no effect of its own, and weakens excitation."""
    layer = nn.Spiking(ConductanceLIF(), parameters={"reversal_i": 0.0, "threshold": 9.0})
    values = {name: getattr(layer, name) for name in layer.neuron.parameters}
    ones = torch.ones(50, 1, 1)
    membranes = [
        functional.scan("test", layer.neuron, pair, None, values).membrane[-1].item()
        for pair in ((0 * ones, ones), (ones, 0 * ones), (ones, ones))
    ]
    assert membranes[0] == 0
    assert 0 < membranes[2] < membranes[1] < 4.33


PAIR = "expected a tuple of 2 tensors (excitatory, inhibitory)"
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: scan(X), f"test: current: {PAIR}, got Tensor"),
    (lambda: scan([X, X]), f"test: current: {PAIR}, got list"),
    (lambda: scan((X,)), f"test: current: {PAIR}, got 1"),
    (lambda: scan((X, X, X)), f"test: current: {PAIR}, got 3"),
    (lambda: scan(Wrong(X, X)), f"test: current: {PAIR}, got (inhibitory, excitatory)"),
    (lambda: scan((X, X), LIF()), "test: current: expected a float tensor, got tuple"),
    (
        lambda: scan((X, X[:2])),
        "test: current inhibitory: expected shape (3, 2, 4) as the current excitatory, got "
        "(2, 2, 4)",
    ),
    (
        lambda: scan((X, X[:, :, :1])),
        "test: current inhibitory: expected shape (3, 2, 4) as the current excitatory, got "
        "(3, 2, 1)",
    ),
    (
        lambda: scan((X, X.double())),
        "test: current inhibitory: expected torch.float32 as the current excitatory, got "
        "torch.float64",
    ),
    (
        lambda: scan((X, X.to("meta"))),
        "test: current inhibitory: expected device cpu as the current excitatory, got meta",
    ),
    (
        lambda: scan((X, X.int())),
        "test: current inhibitory: expected a float tensor, got torch.int32",
    ),
    (
        lambda: scan((X[0], X[0])),
        "test: current excitatory: expected shape [T, B, N, ...], got (2, 4): one step x of a "
        "batch is x[None]",
    ),
    (
        lambda: functional.recurrent_scan(
            "test", Balanced(), (X, X), torch.zeros(4, 4), None, VALUES, recurrent_input="x"
        ),
        "test: recurrent_input: expected one of excitatory, inhibitory, got 'x'",
    ),
    (
        lambda: functional.recurrent_scan(
            "test", Balanced(), (X, X), torch.zeros(4, 4), None, VALUES, backend="cuda"
        ),
        "test: backend 'cuda' cannot run this: recurrent kernels take neurons of one input, "
        "Balanced(reset='zero', detach_reset=True) has excitatory, inhibitory",
    ),
    (
        lambda: nn.SparseNeurons(4, 4, Balanced()),
        "SparseNeurons: model: expected a neuron of one input, the product of one weight, got "
        "Balanced(reset='zero', detach_reset=True) of 2 (excitatory, inhibitory)",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_mistakes_get_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError, RuntimeError), match=f"^{re.escape(sentence)}$"):
        call()


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("ab", "Mine: inputs: expected a tuple of names, got 'ab'"),
        ((), "Mine: inputs: expected a tuple of names, got ()"),
        (("a", "a"), "Mine: inputs: expected each name once, got ('a', 'a')"),
        (("a", "_b"), "Mine: inputs: expected identifiers, got ('a', '_b')"),
        (("a", "b", "c", "d", "e"), "Mine: inputs: expected at most 4, got 5"),
    ],
)
def test_wrong_names_of_inputs(names: Any, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}$"):
        type("Mine", (popsnn.Neuron,), {"inputs": names})


def test_a_step_uses_all_inputs() -> None:
    class Deaf(Balanced):
        def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
            v = p.beta * state.v + x.excitatory
            return v, fire(v, p.threshold)

    sentence = "^Deaf: step: expected it to use the input inhibitory, got no use$"
    with pytest.raises(ValueError, match=sentence):
        scan((X, X), Deaf())
    with pytest.raises(ValueError, match=sentence):
        nn.Spiking(Deaf())


def test_a_state_that_is_called_input_is_no_input() -> None:
    """Backward saves the input of this neuron next to a state of that name."""

    class Squares(popsnn.Neuron):
        states = ("input", "v", "s")
        parameters: ClassVar = {"threshold": 1.0}

        def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
            v = 0.5 * state.v + x * x * state.input
            return 0.5 * state.input + x, v, fire(v, p.threshold)

    step = Squares().traced()
    assert len(set(step.states)) == len(step.states) == 4


def test_more_states_than_kernels_have_are_refused_by_them() -> None:
    class Many(popsnn.Neuron):
        inputs = ("a", "b", "c", "d")
        states = (*(f"y{k}" for k in range(6)), "v", "s")
        parameters: ClassVar = {"threshold": 1.0}

        def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
            v = state.v + sum(torch.sin(each * state.v) for each in x)
            s = fire(v * torch.cos(state.v), p.threshold + torch.sin(state.y0))
            return (*(0.5 * y + v for y in state[:6]), v * (1 - s), s)

    sentence = "^Many: step: expected at most 12 states with what the backward pass needs in "
    with pytest.raises(NotImplementedError, match=sentence):
        _ = Many().cuda_source


def test_a_tuple_of_currents_is_no_tensor() -> None:
    class Adds(Balanced):
        def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
            return x + 1.0, fire(state.v, 1.0)

    with pytest.raises(Untranslatable, match=r"Adds: line \d+: expected torch functions"):
        Adds().traced()
