"""Every neuron of the library: its formula, its generated C++, its derivative and its activity."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.python.neurons import formulas
from tests.python.neurons.cases import (
    CASES,
    NEURONS,
    STEPS,
    check,
    current_shape,
    inputs,
    scan,
)
from tests.python.tracing.step_library import StepLibrary

from popsnn import neurons
from popsnn.neurons import Neuron

SPIKING = pytest.mark.parametrize("name", CASES)


def test_every_neuron_has_a_case() -> None:
    kinds = (getattr(neurons, name) for name in neurons.__all__)
    named = {kind for kind in kinds if inspect.isclass(kind) and issubclass(kind, Neuron)}
    assert named - {Neuron, neurons.LI} == {type(case.neuron) for case in CASES.values()}


@pytest.mark.parametrize("name", [name for name in neurons.__all__ if name != "Neuron"])
def test_every_neuron_has_its_equation_its_source_and_its_names(name: str) -> None:
    kind = getattr(neurons, name)
    if inspect.isclass(kind):
        text = inspect.getdoc(kind) or ""
        assert re.search(r"v' =|s' =|z' =|d[vV]/dt =", text)
        assert re.search(r"Source: .*, \d{4}", text, re.DOTALL)
        _, notes = text.split("\nNotes\n-----\n")
        assert {*kind.states, *kind.parameters} <= set(re.findall(r"`(\w+)`", notes))


@SPIKING
def test_spikes_and_gradients_are_the_formulas(name: str) -> None:
    case = CASES[name]
    x, parameters = inputs(name)
    weight = torch.randn(x.shape, generator=torch.Generator().manual_seed(7), dtype=x.dtype)
    results = []
    for run in (
        lambda x, p: scan(case.neuron, x, p).spikes,
        lambda x, p: case.formula(x, formulas.surrogate_spike, **p),
    ):
        leaves = {name: value.clone().requires_grad_() for name, value in parameters.items()}
        current = x.clone().requires_grad_()
        spikes = run(current, leaves)
        grads = torch.autograd.grad((spikes * weight).sum(), [current, *leaves.values()])
        results.append([spikes.detach().round(), *grads])
    for got, expected in zip(*results):
        torch.testing.assert_close(got, expected, rtol=1e-9, atol=1e-9)
    assert 0.01 < float(results[0][0].mean()) < 0.6


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> StepLibrary:
    folder: Path = tmp_path_factory.mktemp("library")
    return StepLibrary([case.neuron for case in CASES.values()], folder)


@SPIKING
def test_generated_code_computes_what_torch_does(name: str, library: StepLibrary) -> None:
    x, parameters = inputs(name)
    grads = torch.randn(2, STEPS, NEURONS, generator=torch.Generator().manual_seed(7))
    values = [value.float() for value in parameters.values()]
    got = library.run(list(CASES).index(name), x.squeeze(-2).float(), values, *grads)
    check(name, grads, got)


@SPIKING
def test_derivatives_are_those_of_the_smooth_neuron(name: str) -> None:
    """Finite differences, with the surrogate's primitive in place of the spike."""
    neuron = CASES[name].neuron
    if isinstance(neuron, neurons.RefractoryLIF):
        pytest.skip("a count of steps has no smooth form")
    if hasattr(neuron, "detach_reset"):
        neuron = replace(neuron, detach_reset=False)  # type: ignore[type-var]
    x, parameters = inputs(name)
    leaves = [x[..., :6, :, :2].clone(), *(value[:2].clone() for value in parameters.values())]
    torch.autograd.gradcheck(
        lambda x, *values: scan(neuron, x, dict(zip(parameters, values)), smooth=True).membrane,
        [leaf.requires_grad_() for leaf in leaves],
    )


@SPIKING
def test_silent_without_input_and_fires_with_it(name: str) -> None:
    case = CASES[name]
    defaults = dict(zip(case.neuron.parameters, case.neuron.defaults))
    shape = current_shape(case.neuron, 1000, 1, 1)
    silence = scan(case.neuron, torch.zeros(shape), defaults)
    assert float(silence.spikes.sum()) == 0
    x = torch.full(shape, case.constant)
    rate = float(scan(case.neuron, x, defaults).spikes.mean())
    low, high = case.rates
    assert low <= rate <= high


@SPIKING
def test_stays_finite_under_strong_input(name: str) -> None:
    case = CASES[name]
    defaults = dict(zip(case.neuron.parameters, case.neuron.defaults))
    shape = current_shape(case.neuron, 500, 1, 64)
    x = 20 * case.scale * torch.randn(shape, generator=torch.Generator().manual_seed(0))
    out = scan(case.neuron, x, defaults)
    assert bool(torch.isfinite(out.membrane).all())


def test_leaky_integrator_is_a_decaying_sum() -> None:
    x = torch.randn(5, 1, 3, dtype=torch.float64)
    out = scan(neurons.LI(), x, {"beta": 0.7})
    assert out.spikes is None
    expected = sum(0.7 ** (4 - k) * x[k] for k in range(5))
    torch.testing.assert_close(out.membrane[-1], expected)
