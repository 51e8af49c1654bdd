"""Neurons from a step in torch, on the kernels made from it: forward and gradients in float64."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, List

import pytest
import torch
from tests.cuda.conftest import Engine
from torch import Tensor

from popsnn import functional, surrogate
from popsnn.cuda.device import program
from popsnn.functional import Neuron
from popsnn.surrogate import SuperSpike, Surrogate


class Quadratic(Neuron):
    """A linear state, a nonlinear membrane; x enters both."""

    states = ("i", "v", "s")
    parameters: ClassVar = {"alpha": 0.5, "beta": 0.8, "threshold": 0.7, "kappa": 0.3}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        i = p.alpha * state.i + x * (1 - state.s)
        left = self.after_reset(state.v, state.s, p.threshold)
        bent = torch.tanh(left)  # bounded: float32 decides as float64 does
        v = p.beta * bent + p.kappa * bent * bent + torch.tanh(i) * (0.5 + x)
        return i, v, fire(v, p.threshold)


class ResetsAtOnce(Neuron):
    """Six states; a spike resets the membrane of its own step; a refractory period counts down."""

    states = ("v", "a", "b", "c", "left", "s")
    parameters: ClassVar = {"beta": 0.8, "threshold": 0.6, "rho": 0.9, "kappa": 0.2, "gain": 1.3}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        resting = (state.left <= 0).float()
        a = p.rho * state.a + state.s.detach()
        b = torch.sigmoid(state.b + 0.1 * a)
        c = torch.sin(state.c) * 0.5 + x
        v = p.beta * state.v + p.gain * resting * (x + 0.1 * c - 0.1 * b)
        s = fire(v, p.threshold + p.kappa * a)
        left = torch.where(s > 0, torch.full_like(v, 2.0), torch.clamp(state.left - 1, min=0))
        return v * (1 - s), a, b, c, left, s


class Filter(Neuron):
    """No spikes: the output is the membrane."""

    states = ("v", "w")
    parameters: ClassVar = {"beta": 0.8}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        w = p.beta * state.w + x
        return p.beta * state.v + w * torch.abs(w), w


NEURONS = (Quadratic("subtract", False), Quadratic(), ResetsAtOnce(), Filter())
CURVES = {
    "named": SuperSpike(4.0),
    "scaled": surrogate.Sigmoid(3.0, scale=0.5),
    "function": surrogate.Custom(lambda u: torch.atan(2 * u)),
    "derivative": surrogate.Custom(function_derivative=lambda u: torch.exp(-u * u), scale=2.0),
}


def run(
    neuron: Neuron, inputs: Dict[str, Tensor], states: bool, curve: Surrogate, backend: str, to: Any
) -> List[Tensor]:
    """Return all outputs, then the gradients of all inputs, as float64 on the CPU."""
    leaves = {name: value.to(*to).requires_grad_() for name, value in inputs.items()}
    start = tuple(leaves[f"state {name}"] for name in neuron.states) if states else None
    values = {
        name: leaves.get(name, value) for name, value in zip(neuron.parameters, neuron.defaults)
    }
    out = functional.scan(
        "test", neuron, leaves["x"], start, values, surrogate=curve, backend=backend
    )
    outputs = [each for each in (out.spikes, out.membrane, *out.state) if each is not None]
    generator = torch.Generator().manual_seed(1)
    loss = sum(
        (each * torch.randn(each.shape, generator=generator, dtype=torch.float64).to(each)).sum()
        for each in outputs
    )
    grads = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
    zeros = (torch.zeros_like(leaf) for leaf in leaves.values())
    grads = [zero if grad is None else grad for grad, zero in zip(grads, zeros)]
    return [each.detach().double().cpu() for each in (*outputs, *grads)]


def compare(
    engine: Engine, neuron: Neuron, shape: tuple[int, ...], states: bool, curve: Surrogate
) -> None:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(shape, generator=generator, dtype=torch.float64)
    inputs = {"x": x, "beta": 0.5 + 0.4 * torch.rand(shape[-1], generator=generator).double()}
    if states:
        for name in neuron.states:
            value = 0.3 * torch.randn(shape[1:], generator=generator, dtype=torch.float64)
            inputs[f"state {name}"] = (value > 0.2).double() if name == "s" else value
    expected = run(neuron, inputs, states, curve, "torch", (torch.float64,))
    got = run(neuron, inputs, states, curve, engine.backend, (engine.device, torch.float32))
    for value, wanted in zip(got, expected):
        torch.testing.assert_close(value, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("neuron", NEURONS, ids=lambda neuron: type(neuron).__name__)
def test_forward_and_gradients(engine: Engine, neuron: Neuron) -> None:
    compare(engine, neuron, (45, 2, 9), True, CURVES["named"])


@pytest.mark.parametrize("curve", list(CURVES)[1:])
def test_surrogates(engine: Engine, curve: str) -> None:
    compare(engine, NEURONS[1], (20, 2, 3), False, CURVES[curve])


class Squares(Neuron):
    """Backward needs its input, which is saved next to a state of that name."""

    states = ("input", "v", "s")
    parameters: ClassVar = {"beta": 0.8, "threshold": 0.7}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        held = p.beta * state.input + x
        v = p.beta * torch.tanh(state.v) + x * x * held
        return held, v, fire(v, p.threshold)


def test_a_state_called_input_is_not_the_input(engine: Engine) -> None:
    compare(engine, Squares(), (20, 2, 3), True, CURVES["named"])


def test_checkpoints_of_many_states(engine: Engine) -> None:
    """Of 7 saved states an interval has 64 steps, and the last one here is not whole."""
    compare(engine, NEURONS[2], (150, 1, 5), True, CURVES["named"])


@pytest.mark.parametrize("saved", range(1, program.MAX_STATES + 1))
def test_states_of_an_interval_fit_every_gpu(saved: int) -> None:
    """Compute capabilities 8.6, 8.9 and 12.0 have 99 KB for a block."""
    steps = program.chunk(saved)
    assert steps % program.GROUP_ROWS == 0
    thread = program.ring_bytes(1, 4) + program.history_bytes(1, saved, 2 * steps)
    assert program.THREADS * thread <= 99 * 1024


def test_time_shards(cuda_engine: Engine) -> None:
    for neuron in NEURONS:
        compare(cuda_engine, neuron, (400, 1, 40), True, CURVES["named"])


def test_a_named_backend_says_what_it_cannot_translate(kernels: Engine) -> None:
    class Unknown(Neuron):
        states = ("v", "s")
        parameters = ("threshold",)

        def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
            v = torch.special.i0(0.1 * state.v) + x
            return v, fire(v, p.threshold)

    x = torch.randn(3, 2, 4, device=kernels.device)
    message = r"backend 'cuda' cannot run this: Unknown: line \d+ of test_generated.py: expected"
    with pytest.raises(RuntimeError, match=message):
        functional.scan("test", Unknown(), x, None, {"threshold": 1.0}, backend="cuda")
    assert functional.scan("test", Unknown(), x, None, {"threshold": 1.0}).spikes is not None
