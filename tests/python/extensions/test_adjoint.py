"""Neurons whose codelets are made from their steps, on an IPU, against torch in float64."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch
from tests.python.engines.agreement import assert_agree
from tests.python.extensions.adjoint_neurons import AttachedLIF, NoParameters, Quadratic
from tests.python.extensions.hand_written import ALIF as HandWritten
from torch import Tensor

import popsnn
from popsnn import Neuron, optim, profiling
from popsnn._internal.spec import ModelSpec
from popsnn.nn import LI, SNN, SparseLIF, SparseNeurons
from popsnn.surrogate import ATan, Custom, Rectangle, Sigmoid, SuperSpike, Triangle

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)
MODELS = (AttachedLIF(), Quadratic())
SPEC = AttachedLIF().spec()


def header_text() -> str:
    return Path(SPEC.codelet).read_text()


def spikes(steps: int = 12, batch: int = 7, seed: int = 1) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(steps, batch, 12, generator=generator) < 0.4).float()


def network(
    model: Neuron,
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
    {"weight_dtype": torch.float16},
    {"threshold": -0.1},  # at rest above it, which is no spike before the first time step
    {"device": "ipu2:tiles=13"},
    {"device": "host:checkpoint_interval=5", "max_activity": 0.2, "recurrent": True},
    {"device": "host:replicas=2", "recurrent": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_codelet_is_the_reference(model: Neuron, options: dict[str, Any]) -> None:
    expected = assert_agree(network(model, **options), spikes())
    if "max_activity" in options:
        dropped = expected.traces[0].spikes.dropped
        assert int(dropped[..., 0].sum()) > 0


class Steeper(SuperSpike):
    """Overrides the derivative of a named surrogate."""

    def derivative(self, x: Tensor) -> Tensor:
        return 1 / (1 + self.slope * x * x)


CURVES = {
    "inherited": Steeper(3.0),
    "scaled": ATan(3.0, scale=0.5),
    "function": Custom(lambda u: torch.atan(2 * u)),
    "derivative": Custom(function_derivative=lambda u: torch.exp(-u * u), scale=2.0),
}


@pytest.mark.parametrize("name", CURVES)
def test_surrogates_that_codelets_do_not_have(name: str) -> None:
    assert_agree(network(Quadratic(), surrogate=CURVES[name], grad_threshold=0.2), spikes())
    torch.manual_seed(3)
    options: Any = {"surrogate": CURVES[name], "recurrent": True, "learn_beta": True}
    layer = SparseLIF(12, 21, max_activity=0.4, grad_threshold=0.2, **options)
    with torch.no_grad():
        layer.weight.normal_(0.1, 0.4)
    assert_agree(SNN(layer, LI(21, 4), backend="ipu"), spikes())


class ByHand(AttachedLIF):
    """Its header subtracts the input."""

    def spec(self, derivative: str | None = None) -> ModelSpec:
        spec = super().spec(derivative)
        text = Path(spec.codelet).read_text()
        assert ", x); restore" in text
        text = text.replace(", x); restore", ", -x); restore").replace("return g", "return -g")
        path = Path(spec.codelet).with_name("by_hand.hpp")
        path.write_text(text)
        return replace(spec, codelet=str(path))


def test_a_header_by_hand_takes_the_place_of_the_generated_one() -> None:
    layer = SparseNeurons(12, 9, ByHand(), learn=ByHand.parameters, grad_threshold=0.2)
    reference = SparseNeurons(
        12, 9, AttachedLIF(), learn=ByHand.parameters, grad_threshold=0.2, gain=-1.0
    )
    with torch.no_grad():
        layer.weight.normal_(-0.2, 0.4)
    reference.load_state_dict(layer.state_dict())
    results = []
    for each, backend in ((layer, "ipu"), (reference, "torch")):
        torch.manual_seed(0)
        net = SNN(each, LI(9, 4), backend=backend)
        out, state = net(spikes(), return_state=True)
        loss = out.square().sum() + state.layers[0].v.square().sum()
        results.append((out, *torch.autograd.grad(loss, list(net.parameters()))))
    for got, expected in zip(*results):
        assert bool(expected.any())
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("model", [HandWritten(), ByHand()], ids=["earlier", "spec"])
def test_a_codelet_by_hand_has_the_named_surrogates(model: Neuron) -> None:
    layer = SparseNeurons(12, 9, model, surrogate=CURVES["scaled"])
    with pytest.raises(ValueError, match="surrogate: expected a named one of scale 1 where the"):
        SNN(layer, LI(9, 4), backend="ipu")(spikes())


def test_a_neuron_without_parameters() -> None:
    torch.manual_seed(0)
    net = SNN(SparseNeurons(12, 9, NoParameters(), bias=False), LI(9, 4), backend="ipu")
    with torch.no_grad():
        net.stack[0].weight.normal_(0.3, 0.6)
    assert_agree(net, spikes())


def test_a_state_after_a_spike_of_its_own_step_has_no_capacity() -> None:
    class ResetsAtOnce(Neuron):
        states = ("v", "s")
        parameters: ClassVar = {"threshold": 0.8}

        def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
            v = 0.8 * state.v + x
            s = fire(v, p.threshold)
            return v * (1 - s), s

    torch.manual_seed(0)
    layer = SparseNeurons(12, 9, ResetsAtOnce(), bias=False)
    with torch.no_grad():
        layer.weight.normal_(0.3, 0.6)
    assert_agree(SNN(layer, LI(9, 4), backend="ipu"), spikes())
    capped = SparseNeurons(12, 9, ResetsAtOnce(), max_activity=0.5, grad_threshold=0.2)
    with pytest.raises(ValueError, match="max_activity: expected none, since a state of the model"):
        SNN(capped, LI(9, 4), backend="ipu")(spikes())


def test_what_is_not_learnt_has_no_gradient() -> None:
    net = network(Quadratic())
    first = net.stack[0]
    for name in Quadratic.parameters:
        value = getattr(first, name).detach().clone()
        delattr(first, name)
        first.register_buffer(name, value)
    assert_agree(net, spikes())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_device_learns_what_torch_learns(model: Neuron) -> None:
    net = network(model, recurrent=True)
    reference = copy.deepcopy(net)
    for each, optimizer in (
        (net, optim.Adam(net, lr=0.01)),
        (reference, torch.optim.Adam(reference.parameters(), lr=0.01)),
    ):
        for seed in range(3):
            optimizer.zero_grad()
            each(spikes(steps=5, seed=seed)).square().sum().backward()
            optimizer.step()
    state = net.state_dict()
    for name, expected in reference.state_dict().items():
        torch.testing.assert_close(
            state[name], expected, rtol=1e-4, atol=1e-6, msg=lambda m, name=name: f"{name}: {m}"
        )


def test_the_adjoint_counts_in_a_profile() -> None:
    class Slow(AttachedLIF):
        def spec(self, derivative: str | None = None) -> ModelSpec:
            spec = super().spec(derivative)
            return replace(spec, grad=spec.grad + 1000)

    def cycles(model: Neuron) -> float:
        net = SNN(SparseNeurons(40, 30, model, max_activity=0.2, grad_threshold=0.5))
        device = "bow:tiles=15,bytes_per_tile=20000000"  # 2 neurons a tile
        report = profiling.profile(net, device, steps=3, batch=6, input_capacity=8)
        return report.cycles_per_timestep

    # one sample a worker, two neurons a sample, a sixth of the cycles; a last call has no steps
    assert cycles(Slow()) - cycles(AttachedLIF()) == pytest.approx(2 * 1000 * 6)


def run_with(header: Path) -> None:
    class Mine(AttachedLIF):
        def spec(self, derivative: str | None = None) -> ModelSpec:
            return replace(SPEC, codelet=str(header))

    net = SNN(SparseNeurons(4, 5, Mine()), LI(5, 2), backend="ipu")
    net(torch.ones(2, 3, 4))


@pytest.mark.parametrize(
    ("constant", "before", "number"),
    [("kStates", "kStates = 2", 2), ("kParameters", "kParameters = 2", 2)],
)
def test_a_neuron_of_other_sizes_does_not_compile(
    tmp_path: Path, constant: str, before: str, number: int
) -> None:
    header = tmp_path / "neuron.hpp"
    header.write_text(header_text().replace(before, f"{constant} = 3", 1))
    sentence = f"{SPEC.type}::{constant}: expected {number} as the network has, got another"
    with pytest.raises(RuntimeError, match=sentence):
        run_with(header)


def test_a_neuron_of_another_membrane_does_not_compile(tmp_path: Path) -> None:
    header = tmp_path / "neuron.hpp"
    header.write_text(header_text().replace("kMembrane = 0", "kMembrane = 1", 1))
    sentence = f"{SPEC.type}::kMembrane: expected 0 as the network has, got another"
    with pytest.raises(RuntimeError, match=sentence):
        run_with(header)


@pytest.mark.parametrize("function", ["step", "restore", "potential", "adjoint"])
def test_a_neuron_without_a_function_does_not_compile(tmp_path: Path, function: str) -> None:
    header = tmp_path / "neuron.hpp"
    declared = re.compile(rf"(static \w+) {function}\(")
    header.write_text(declared.sub(rf"\1 other_{function}(", header_text()))
    sentence = (
        f"{SPEC.type}: expected the function {function} as neurons/forward_model.hpp "
        "describes it, got none"
    )
    with pytest.raises(RuntimeError) as error:
        run_with(header)
    assert sentence in str(error.value)


def test_one_struct_with_and_without_an_adjoint_is_refused() -> None:
    class Other(AttachedLIF):
        def spec(self, derivative: str | None = None) -> ModelSpec:
            return replace(SPEC, adjoint=False)

    net = SNN(SparseNeurons(4, 5, AttachedLIF()), SparseNeurons(5, 2, Other()), backend="ipu")
    with pytest.raises(
        ValueError,
        match="network: layer 1: model: expected the states, parameters and cycles of "
        f"'{SPEC.type}' as in a layer before, got others",
    ):
        net(torch.ones(2, 3, 4))
