"""The same neurons on every engine, against the reference in float64."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import pytest
import torch
from tests.cuda.conftest import Engine
from torch import Tensor

from popsnn import functional, surrogate
from popsnn._internal.checks import PerNeuron

TOLERANCE = {torch.float32: 2e-5, torch.bfloat16: 1e-2, torch.float16: 2e-3}
RESETS = ["zero", "subtract", "none"]
AFTER = ["subtract_after", "zero_after"]


@dataclass(frozen=True)
class Neuron:
    """A function of `functional` with its states and its parameters' values."""

    run: Callable[..., Any]
    states: tuple[str, ...]
    parameters: dict[str, float]
    spiking: bool = True


def _li(current: Tensor, state: Any, **options: Any) -> Any:
    for name in ("reset", "detach_reset", "surrogate", "grad_threshold"):
        options.pop(name, None)
    out = functional.li(current, None if state is None else state[0], **options)
    return functional.ScanOutput(None, out.membrane, (out.state,))


NEURONS = {
    "lif": Neuron(functional.lif, ("v", "s"), {"beta": 0.875, "threshold": 0.75}),
    "li": Neuron(_li, ("v",), {"beta": 0.875}, spiking=False),
    "synaptic": Neuron(
        functional.synaptic_lif, ("v", "i", "s"), {"alpha": 0.5, "beta": 0.875, "threshold": 0.75}
    ),
    "adaptive": Neuron(
        functional.adaptive_lif,
        ("v", "a", "s"),
        {"beta": 0.875, "threshold": 0.75, "rho": 0.9375, "kappa": 0.25},
    ),
}


@dataclass
class Case:
    """Inputs of a neuron, in float64 on the CPU."""

    neuron: Neuron
    x: Tensor
    state: tuple[Tensor, ...] | None = None
    parameters: dict[str, PerNeuron] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def run(
        self, device: torch.device, dtype: torch.dtype, backend: str, weights: list[Tensor]
    ) -> tuple[list[Tensor], list[Tensor]]:
        """Return outputs, and the gradients of their sum weighted by `weights`."""
        state_dtype = torch.float64 if dtype == torch.float64 else torch.float32

        def leaf(value: Tensor, kind: torch.dtype) -> Tensor:
            return value.to(device, kind).requires_grad_()

        x = leaf(self.x, dtype)
        state = None
        if self.state is not None:
            state = tuple(leaf(state, state_dtype) for state in self.state)
        values = {**self.neuron.parameters, **self.parameters}
        moved: dict[str, PerNeuron] = {
            name: leaf(value, state_dtype) if isinstance(value, Tensor) else value
            for name, value in values.items()
        }
        out = self.neuron.run(x, state, **moved, **self.options, backend=backend)
        outputs = [
            state for state in (out.spikes, out.membrane, *(out.state or ())) if state is not None
        ]
        if not weights:
            weights += [torch.randn(output.shape, dtype=torch.float64) for output in outputs]
        total = sum(
            (output * weight.to(device, output.dtype)).sum()
            for output, weight in zip(outputs, weights)
        )
        leaves = [x, *(state or ()), *(v for v in moved.values() if isinstance(v, Tensor))]
        grads = torch.autograd.grad(total, leaves, allow_unused=True)  # type: ignore[arg-type]
        filled = [torch.zeros_like(a) if g is None else g for a, g in zip(leaves, grads)]
        return [output.detach() for output in outputs], filled


def near(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    """Whether no element is off by more than `tolerance` of the largest one."""
    assert got.shape == expected.shape
    scale = max(1.0, float(expected.abs().max())) if expected.numel() else 1.0
    return bool(((got.double().cpu() - expected).abs() <= tolerance * scale).all())


def compare(engine: Engine, dtype: torch.dtype, case: Case) -> None:
    case.x = case.x.to(dtype).double()
    weights: list[Tensor] = []
    expected, expected_grads = case.run(torch.device("cpu"), torch.float64, "torch", weights)
    got, grads = case.run(engine.device, dtype, engine.backend, weights)
    for tensor, other in zip(got, expected):
        assert near(tensor, other, TOLERANCE[dtype])
    if case.neuron.spiking:
        assert torch.equal(got[0].double().cpu(), expected[0])
    for grad, other in zip(grads, expected_grads):
        assert near(grad, other, TOLERANCE[dtype] * 10)


def per_place(*shape: int, low: float = 0.5, high: float = 0.9375) -> Tensor:
    return torch.rand(shape, dtype=torch.float64) * (high - low) + low


@pytest.mark.parametrize("detach", [True, False], ids=["detached", "attached"])
@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("name", NEURONS)
def test_outputs_and_gradients(engine: Engine, name: str, reset: str, detach: bool) -> None:
    """State in and out, every parameter a tensor, more steps than a chunk, and not a multiple."""
    neuron = NEURONS[name]
    steps, shape = 70, (2, 6)
    state = tuple(torch.randn(*shape, dtype=torch.float64) for _ in neuron.states)
    if neuron.spiking:
        state = (*state[:-1], (state[-1] > 0).double())
    case = Case(
        neuron,
        torch.randn(steps, *shape, dtype=torch.float64),
        state,
        {key: per_place(6) for key in neuron.parameters},
        {"reset": reset, "detach_reset": detach, "grad_threshold": 0.25},
    )
    compare(engine, torch.float32, case)


@pytest.mark.parametrize("reset", AFTER)
def test_resets_after_the_decay(engine: Engine, reset: str) -> None:
    """Of LIF; the others have the same method, and a library without kernels tests them."""
    test_outputs_and_gradients(engine, "lif", reset, detach=False)


@pytest.mark.parametrize("detach", [True, False], ids=["detached", "attached"])
@pytest.mark.parametrize("reset", AFTER)
@pytest.mark.parametrize("name", ["lif", "synaptic", "adaptive"])
def test_resets_after_the_decay_on_a_gpu(
    cuda_engine: Engine, name: str, reset: str, detach: bool
) -> None:
    test_outputs_and_gradients(cuda_engine, name, reset, detach)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("steps", [1, 3, 4, 16, 31, 33, 64, 100])
def test_any_number_of_steps(engine: Engine, steps: int, dtype: torch.dtype) -> None:
    for name in ("lif", "synaptic"):
        x = torch.randn(steps, 2, 8, dtype=torch.float64)
        compare(engine, dtype, Case(NEURONS[name], x))


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 3), (2, 5), (3, 2, 7), (4, 16), (2, 3, 4, 5)], ids=str
)
def test_any_trailing_shape(engine: Engine, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    x = torch.randn(5, *shape, dtype=torch.float64)
    compare(engine, dtype, Case(NEURONS["lif"], x))


@pytest.mark.parametrize(
    "shape", [(), (1,), (5,), (4, 1), (3, 1, 1), (3, 4, 5), (2, 1, 1, 1), (2, 3, 1, 5), (3, 1, 5)],
    ids=str,
)  # fmt: skip
def test_parameters_that_broadcast(engine: Engine, shape: tuple[int, ...]) -> None:
    """Scalars, per channel, per neuron, per sample, and with gaps."""
    x = torch.randn(6, 2, 3, 4, 5, dtype=torch.float64)
    beta = per_place(*shape)
    case = Case(NEURONS["lif"], x, None, {"beta": beta, "threshold": beta.clone()})
    compare(engine, torch.float32, case)


@pytest.mark.parametrize(
    "curve",
    [
        surrogate.SuperSpike(),
        surrogate.Sigmoid(),
        surrogate.Sigmoid(slope=40.0),
        surrogate.ATan(),
        surrogate.Triangle(width=1.5),
        surrogate.Rectangle(),
        surrogate.Custom(torch.tanh, lambda u: 1 / (1 + u * u), "1.0f / (1.0f + u * u)"),
    ],
    ids=lambda curve: f"{curve.name}{getattr(curve, 'slope', 0):g}",
)
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_surrogates(engine: Engine, curve: surrogate.Surrogate, dtype: torch.dtype) -> None:
    x = torch.randn(20, 3, 8, dtype=torch.float64)
    compare(engine, dtype, Case(NEURONS["lif"], x, options={"surrogate": curve}))
