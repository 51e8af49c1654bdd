"""Steps that are refused, and states that backward needs."""

from __future__ import annotations

import math
import random
from typing import Any, Callable, Tuple

import pytest
import torch

from popsnn.functional import Neuron
from popsnn.tracing.step import TracedStep, trace
from popsnn.tracing.symbol import Untranslatable

STATES, PARAMETERS = ("v", "s"), ("beta", "threshold")
Step = Callable[[Any, Any, Any, Any], Tuple[Any, ...]]


def traced(step: Step, states: Tuple[str, ...] = STATES) -> TracedStep:
    return trace("Mine", states, PARAMETERS, step)


def _branches(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
    v = state.v + x
    if v > 1:
        v = v - 1
    return v, fire(v, p.threshold)


def _in_place(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
    v = state.v
    v += x
    return v, fire(v, p.threshold)


def _assigned(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
    state.v[0] = x
    return state.v, fire(state.v, p.threshold)


WRONG = {
    "branch": (_branches, "expected torch.where in place of a branch on values, got if, and, or"),
    "in place": (_in_place, "expected operations that change nothing in place, got +="),
    "method": (
        lambda x, state, p, fire: (state.v.add_(x), fire(state.v, 1.0)),
        "expected operations that change nothing in place, got add_()",
    ),
    "function": (
        lambda x, state, p, fire: (torch.relu_(state.v), fire(state.v, 1.0)),
        "expected operations that change nothing in place, got relu_()",
    ),
    "option": (
        lambda x, state, p, fire: (
            torch.nn.functional.relu(state.v, inplace=True),
            fire(state.v, 1.0),
        ),
        "expected operations that change nothing in place, got relu_()",
    ),
    "assigned": (_assigned, "expected operations that change nothing in place, got an assignment"),
    "random": (
        lambda x, state, p, fire: (state.v + torch.rand(()), fire(state.v, 1.0)),
        "expected the same result at every call, got random numbers of rand()",
    ),
    "random, like a state": (
        lambda x, state, p, fire: (state.v + torch.randn_like(x), fire(state.v, 1.0)),
        "expected the same result at every call, got random numbers of randn_like()",
    ),
    "number": (
        lambda x, state, p, fire: (state.v + math.exp(x), fire(state.v, 1.0)),
        "expected torch functions of states, got a conversion to a Python number",
    ),
    "shape": (
        lambda x, state, p, fire: (state.v + torch.ones(3), fire(state.v, 1.0)),
        "expected numbers, states, parameters and the current, got a tensor of shape (3,)",
    ),
    "few states": (
        lambda x, state, p, fire: (fire(state.v, 1.0),),
        "step: expected a tuple of 2 states (v, s), got 1",
    ),
    "one state": (
        lambda x, state, p, fire: state.v + x,
        "step: expected a tuple of 2 states (v, s), got Symbol",
    ),
    "no tensor": (
        lambda x, state, p, fire: ("v", fire(x, 1.0)),
        "step: expected a tensor as the state v, got str",
    ),
    "no fire": (
        lambda x, state, p, fire: (state.v + x, state.s),
        'step: expected the state "s" to be what one call of fire() returns, got 0 calls',
    ),
    "fires twice": (
        lambda x, state, p, fire: (fire(x, 1.0) * x, fire(x, 2.0)),
        'step: expected the state "s" to be what one call of fire() returns, got 2 calls',
    ),
    "fires elsewhere": (
        lambda x, state, p, fire: (x, fire(x, 1.0) * 1.5),
        'step: expected the state "s" to be what one call of fire() returns, got another value',
    ),
}

UNKNOWN = {
    "erfinv": (lambda x, state, p, fire: (x.erfinv(), fire(x, 1.0)), "got erfinv()"),
    "sum": (lambda x, state, p, fire: (x.sum(), fire(x, 1.0)), "got sum()"),
    "matmul": (lambda x, state, p, fire: (x @ x, fire(x, 1.0)), "got "),
    "shape": (lambda x, state, p, fire: (x.reshape(x.shape), fire(x, 1.0)), "got .shape"),
    "index": (lambda x, state, p, fire: (x[0], fire(x, 1.0)), "got an index"),
    "dimension": (lambda x, state, p, fire: (torch.exp(x, x), fire(x, 1.0)), "exp()"),
    "mistake": (lambda x, state, p, fire: (x * p.kappa, fire(x, 1.0)), "got AttributeError"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_steps(name: str) -> None:
    step, message = WRONG[name]
    with pytest.raises((TypeError, ValueError)) as caught:
        traced(step)
    assert message in str(caught.value)
    assert str(caught.value).startswith("Mine: ")
    if not message.startswith("step"):
        assert "of test_step.py: " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", UNKNOWN)
def test_operations_without_a_translation(name: str) -> None:
    step, message = UNKNOWN[name]
    with pytest.raises(Untranslatable) as caught:
        traced(step)
    assert message in str(caught.value)
    assert str(caught.value).startswith("Mine: line ")


def test_the_line_is_that_of_the_operation() -> None:
    def step(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
        v = p.beta * state.v + x
        v = torch.special.i0(v)
        return v, fire(v, p.threshold)

    line = step.__code__.co_firstlineno + 2
    with pytest.raises(Untranslatable, match=f"^Mine: line {line} of test_step.py: expected"):
        traced(step)


def test_states_that_backward_needs_are_added() -> None:
    def lif(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
        v = p.beta * state.v * (1 - state.s.detach()) + x
        return v, fire(v, p.threshold)

    def resets_at_once(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
        v = p.beta * state.v + x
        s = fire(v, p.threshold + 0.1 * state.v)
        return v * (1 - s), s

    def squares(x: Any, state: Any, p: Any, fire: Any) -> Tuple[Any, ...]:
        v = p.beta * state.v + x * x
        return v, fire(v, p.threshold)

    assert traced(lif).added == ()
    assert traced(lif).carried == 0b01
    assert traced(resets_at_once).states == ("v", "fired_membrane", "fired_threshold", "s")
    assert traced(squares).states == ("v", "input", "s")


def test_only_saved_and_carried_states_have_a_gradient() -> None:
    class Delayed(Neuron):
        states = ("v", "before", "s")
        parameters = ("threshold",)

        def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
            v = state.before.detach() + 0.5 * state.v
            return v, x, fire(v, p.threshold)

    assert Delayed().translation().carried == 0b001
    assert Delayed().traced().grad_inputs[0] is not None


def test_a_trace_follows_the_options_of_its_neuron() -> None:
    class Scaled(Neuron):
        states = ("v", "s")
        parameters = ("threshold",)

        def __init__(self, factor: float) -> None:
            super().__init__()
            self.factor = factor

        def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
            v = self.factor * state.v + x
            return v, fire(v, p.threshold)

    neuron = Scaled(0.5)
    first = neuron.cuda_source
    assert neuron.cuda_source is first
    assert "0.5f" in first
    neuron.factor = 0.25
    assert "0.25f" in neuron.cuda_source
    assert Scaled(0.5).cuda_source == first


def test_random_numbers_of_python_are_constants() -> None:
    """They are no torch functions: a step is traced once, whatever they are."""
    constant = random.Random(0).random()
    step = traced(lambda x, state, p, fire: (constant * x, fire(x, 1.0)))
    assert step.grad_inputs[0] is not None
