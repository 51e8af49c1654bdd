"""Neurons of other libraries: the C++ that kernels are made of computes what torch does."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from tests.python.tracing.step_library import SLOPE, StepLibrary
from torch import Tensor

from popsnn import functional
from popsnn.convert import surrogates
from popsnn.convert.neurons import norse, snntorch, spikingjelly
from popsnn.neurons import Neuron
from popsnn.surrogate import SuperSpike, Surrogate

STEPS, NEURONS = 15, 24


def _kinds(module: Any) -> List[Any]:
    kinds = [kind for kind in vars(module).values() if inspect.isclass(kind)]
    own = [kind for kind in kinds if kind.__module__ == module.__name__]
    return [kind for kind in own if issubclass(kind, Neuron) and kind.defaults]


CASES: Dict[str, Neuron] = {}
for _kind in _kinds(snntorch):
    for _reset in _kind.resets:
        CASES[f"{_kind.__name__} {_reset}"] = _kind(_reset)
    if hasattr(_kind, "delay"):
        CASES[f"{_kind.__name__} at once"] = _kind(delay=False)
for _kind in _kinds(spikingjelly):
    CASES.update({f"{_kind.__name__} {reset}": _kind(reset) for reset in _kind.resets})
CASES["LIFNode whole input"] = spikingjelly.LIFNode(decay_input=False)
CASES["KLIFNode scaled"] = spikingjelly.KLIFNode(scale_reset=True)
for _kind in _kinds(norse):
    CASES[_kind.__name__] = _kind()
CASES["LIFCell detached"] = norse.LIFCell(detach_reset=True)
CASES["LIFBoxCell subtract"] = norse.LIFBoxCell(subtract=True)
SCALES = {"IzhikevichCell": 60.0, "LIFBoxCell": 8.0, "LIFBoxCell subtract": 8.0,
          "CurrentEncoder": 8.0, "Lapicque": 6.0}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> StepLibrary:
    folder: Path = tmp_path_factory.mktemp("convert")
    return StepLibrary(list(CASES.values()), folder)


def inputs(name: str) -> tuple[Tensor, Dict[str, Tensor]]:
    neuron = CASES[name]
    generator = torch.Generator().manual_seed(len(name))
    x = torch.randn(STEPS, 1, NEURONS, generator=generator) + 0.4
    values = {}
    for parameter, default in zip(neuron.parameters, neuron.defaults):
        factor = 0.95 + 0.1 * torch.rand(NEURONS, generator=generator)
        values[parameter] = default * factor
    return SCALES.get(name, SCALES.get(name.split()[0], 1.5)) * x, values


def outputs(name: str, grads: Tensor, dtype: torch.dtype) -> List[Tensor]:
    x, parameters = inputs(name)
    leaves = [each.to(dtype).requires_grad_() for each in (x, *parameters.values())]
    out = functional.scan(
        "test", CASES[name], leaves[0], None, dict(zip(parameters, leaves[1:])),
        surrogate=SuperSpike(SLOPE), backend="torch",
    )  # fmt: skip
    spikes = torch.zeros_like(leaves[0]) if out.spikes is None else out.spikes
    assert out.membrane is not None
    of_spikes, of_membrane = grads.to(dtype).unsqueeze(2)
    loss = (spikes * of_spikes).sum() + (out.membrane * of_membrane).sum()
    grads_of = torch.autograd.grad(loss, leaves, allow_unused=True)  # "subtract" has no v_reset
    got = [torch.zeros(NEURONS) if each is None else each for each in grads_of]
    return [each.detach().double().reshape(-1, NEURONS) for each in (spikes, out.membrane, *got)]


@pytest.mark.parametrize("name", CASES)
def test_generated_code_computes_what_torch_does(name: str, library: StepLibrary) -> None:
    """In all neurons in which float32 decides as float64 does, and these are most."""
    grads = torch.randn(2, STEPS, NEURONS, generator=torch.Generator().manual_seed(7))
    x, parameters = inputs(name)
    got = library.run(list(CASES).index(name), x.squeeze(1), list(parameters.values()), *grads)
    exact, single = (outputs(name, grads, kind) for kind in (torch.float64, torch.float32))
    close = torch.ones(NEURONS, dtype=torch.bool)
    same = torch.ones(NEURONS, dtype=torch.bool)
    for wanted, rounded, value in zip(exact, single, got):
        bound = 2e-3 * (1 + wanted.abs().amax(0))
        close &= ((wanted - rounded).abs() < 0.2 * bound).all(0)
        same &= ((wanted - value.double().reshape(-1, NEURONS)).abs() < bound).all(0)
    assert not (close & ~same).any()
    assert float(close.float().mean()) > 0.8
    assert float(exact[0].mean()) < 0.9
    assert CASES[name].spiking == bool(exact[0].any())


@pytest.mark.parametrize(("name", "fires"), [
    ("IAFCell", False), ("Leaky none", False), ("IFNode zero", True),
])  # fmt: skip
def test_generated_code_decides_at_the_threshold_as_the_library(
    name: str, fires: bool, library: StepLibrary
) -> None:
    neuron = CASES[name]
    values = [torch.full((2,), value) for value in neuron.defaults]
    x = torch.ones(1, 2)
    grads = torch.zeros(2, 1, 2)
    spikes, *_ = library.run(list(CASES).index(name), x, values, *grads)
    assert bool(spikes.all()) == bool(spikes.any()) == fires


def test_surrogates_have_kernels_and_no_other_name() -> None:
    kinds = [kind for kind in vars(surrogates).values() if inspect.isclass(kind)]
    own = [kind for kind in kinds if issubclass(kind, Surrogate) and kind is not Surrogate]
    assert len(own) == 10
    for kind in own:
        assert kind().cuda_source is not None
        assert kind().codelet_source is not None


def test_recurrent_neurons_round_their_weights_as_asked() -> None:
    from popsnn import neurons
    from popsnn.convert.modules import RecurrentNeurons

    x = torch.randn(9, 2, 5, generator=torch.Generator().manual_seed(0))
    plain = RecurrentNeurons(neurons.LIF(), 5)
    rounded = RecurrentNeurons(neurons.LIF(), 5, weight_dtype=torch.bfloat16, membrane=True)
    weight = torch.randn(5, 5, generator=torch.Generator().manual_seed(1))
    for module, value in ((plain, weight.bfloat16().float()), (rounded, weight)):
        module.recurrent_weight.data.copy_(value)
    assert torch.equal(rounded(x)[0], plain(x))
    plain.membrane = True
    torch.testing.assert_close(rounded(x)[1], plain(x)[1], rtol=0, atol=0)
