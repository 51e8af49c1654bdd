"""Neurons with an adjoint on an IPU against the reference in float64."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import popsnn
from popsnn import optim, profiling
from popsnn.functional.neuron import Fire, Parameters, States
from popsnn.nn import LI, SNN, NeuronCycles, NeuronModel, SparseNeurons
from popsnn.spec import ModelSpec
from popsnn.surrogate import ATan, Rectangle, Sigmoid, SuperSpike, Triangle

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)
HEADER = Path(__file__).with_name("adjoint_neurons.hpp").read_text()
TOLERANCE = 1e-5  # relative to the largest entry, fp32 against float64


class AttachedLIF(NeuronModel):
    states = ("v", "s")
    parameters = ("beta", "threshold")
    defaults = (0.9, 1.0)
    decays = ("beta",)
    codelet = "adjoint_neurons.hpp"
    struct = "popsnn::AttachedLif"
    cycles = NeuronCycles(step=4, fires=2, near=1, grad=14)

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        v, s = state
        beta, threshold = parameters
        v = beta * (v - threshold * s) + x
        return v, fire(v, threshold)

    def spec(self) -> ModelSpec:
        return replace(super().spec(), adjoint=True)


class Quadratic(NeuronModel):
    states = ("i", "v", "s")
    parameters = ("alpha", "beta", "kappa", "threshold")
    defaults = (0.5, 0.8, -0.02, 0.8)  # stable where the capacity takes a reset
    decays = ("alpha", "beta")
    codelet = "adjoint_neurons.hpp"
    struct = "popsnn::Quadratic"
    cycles = NeuronCycles(step=10, fires=3, near=1, grad=30)

    def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
        i, v, s = state
        alpha, beta, kappa, threshold = parameters
        i = alpha * i + x * (1 - s)
        v = beta * v * (1 - s) + kappa * v * v + i * i
        return i, v, fire(v, threshold + i / 4)

    def spec(self) -> ModelSpec:
        spec = super().spec()
        return replace(spec, adjoint=True, states=spec.states + 1)  # and the current


MODELS = (AttachedLIF(), Quadratic())


def spikes(steps: int = 12, batch: int = 7, seed: int = 1) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(steps, batch, 12, generator=generator) < 0.4).float()


def network(
    model: NeuronModel,
    backend: str = "ipu",
    device: str = "host",
    threshold: float = 0.6,
    **options: Any,
) -> SNN:
    """Two layers and a readout, all that can be learnt is."""
    torch.manual_seed(3)
    # steep derivatives magnify what float32 rounds
    options.setdefault("surrogate", SuperSpike(2.0))
    values = {"beta": 0.6 + 0.3 * torch.rand(21), "threshold": threshold + 0.4 * torch.rand(21)}
    first = SparseNeurons(12, 21, model, parameters=values, learn=model.parameters, **options)
    second = SparseNeurons(21, 9, model, delay=1, learn=("beta",), **options)
    with torch.no_grad():
        first.weight.normal_(0.1, 0.4)
        second.weight.normal_(0.1, 0.25)
    return SNN(first, second, LI(9, 4), backend=backend, device=device)


def passed(net: SNN, x: Tensor) -> dict[str, Any]:
    x = x.clone().requires_grad_()
    out, traces = net(x, trace=True)
    generator = torch.Generator().manual_seed(0)
    weights = torch.randn(out.shape, generator=generator, dtype=torch.float64)
    loss = (out * weights.to(out.dtype)).sum()
    for trace in traces:  # spikes that the loss reads itself
        if trace.spikes is not None:
            loss = loss + trace.spikes.to_dense(out.dtype).square().sum()
    loss.backward()
    result = {name: parameter.grad for name, parameter in net.named_parameters()}
    result.update({f"membrane {i}": trace.membrane for i, trace in enumerate(traces)})
    lists = {i: trace.spikes for i, trace in enumerate(traces) if trace.spikes is not None}
    return {"out": out, "x": x.grad, **result, "lists": lists}


def assert_agree(net: SNN, x: Tensor) -> dict[str, Any]:
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    got, expected = passed(net, x), passed(reference, x.double())
    for index, lists in expected["lists"].items():
        assert torch.equal(got["lists"][index].counts, lists.counts)
        assert torch.equal(got["lists"][index].ids, lists.ids)
        assert torch.equal(got["lists"][index].dropped, lists.dropped)
        assert int(lists.counts[..., 0].sum()) > 0
    for name, value in expected.items():
        if name == "lists":
            continue
        bound = TOLERANCE * float(value.detach().abs().max())
        assert bound > 0, name
        torch.testing.assert_close(
            got[name].double(), value, rtol=0, atol=bound, msg=lambda m, name=name: f"{name}: {m}"
        )
    return expected


OPTIONS: list[dict[str, Any]] = [
    {},
    {"grad_threshold": 0.2},
    {"recurrent": True},
    {"max_activity": 0.2, "grad_threshold": 0.3, "recurrent": True},
    {"gain": 0.7, "bias": False},
    {"surrogate": Sigmoid(2.0)},
    {"surrogate": ATan()},
    {"surrogate": Triangle(3.0)},
    {"surrogate": Rectangle(2.0)},
    {"threshold": -0.3},  # at rest above it, which is no spike before the first time step
    {"device": "ipu2:tiles=13"},
    {"device": "host:checkpoint_interval=5", "max_activity": 0.2, "recurrent": True},
    {"device": "host:replicas=2", "recurrent": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_codelet_is_the_reference(model: NeuronModel, options: dict[str, Any]) -> None:
    expected = assert_agree(network(model, **options), spikes())
    if "max_activity" in options:
        dropped = expected["lists"][0].dropped
        assert int(dropped[..., 0].sum()) > 0
