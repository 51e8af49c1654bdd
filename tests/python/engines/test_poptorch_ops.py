"""The PopART operators against the reference: the torch engine in float64."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.python.engines.agreement import (
    TOLERANCE,
    assert_close,
    error,
    margin,
    off_by_roundings,
)
from tests.python.engines.direct_popart import Direct, inside
from tests.python.engines.networks import as_definition, build, networks, run
from tests.python.extensions.adjoint_neurons import Bounded, Quadratic

from popsnn import SpikeTensor, neurons
from popsnn._internal.hashing import call_seed
from popsnn.devices import parse
from popsnn.engines import poptorch_ops
from popsnn.nn import (
    IF,
    LI,
    LIF,
    PLIF,
    SNN,
    AdaptiveLIF,
    Delays,
    NeuronModel,
    SNNState,
    SparseLIF,
    SparseNeurons,
    SynapticLIF,
)
from popsnn.surrogate import NAMED, Custom

poptorch_ops.load(True)


def agrees(spec: dict[str, Any]) -> bool:
    """Assert that a network does the same inside of PopTorch; False where that says nothing."""
    net = build(spec)
    reference = as_definition(net)
    x = (torch.rand(spec["steps"], spec["batch"], spec["sizes"][0]) < spec["density"]).float()
    expected = run(reference, x.double(), spec["seed"])
    for layer, trace in zip(reference.layers, expected.traces):
        largest = float(trace.membrane.detach().abs().max())
        if isinstance(layer, SparseLIF) and margin(layer, trace.membrane) <= 2e-5 * largest:
            return False
    rounded = run(off_by_roundings(reference), x, spec["seed"]).grads
    if any(error(rounded[name], grad) > TOLERANCE for name, grad in expected.grads.items()):
        return False
    device = parse(spec["device"])
    net.device = replace(device, tiles=0)  # the choices of a whole device count in PopTorch too
    with inside(Direct(ipus=device.ipus, tiles_per_ipu=device.tiles)) as direct:
        got = run(net, x, spec["seed"], trace=False)
        dropped = net.dropped()
    assert net.stats() == reference.stats()
    assert torch.equal(dropped, reference.dropped())
    assert_close("output", got.outs[0], expected.outs[0])
    for name, gradient in expected.grads.items():
        assert_close(f"gradient of {name}", got.grads[name], gradient)
    (network,) = (op for op in direct.made if op.type == "SparseNetwork")
    assert network.cycles > 0
    return True


@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much])
@given(spec=networks())
def test_network(spec: dict[str, Any]) -> None:
    assume(agrees(spec))


@settings(max_examples=15, suppress_health_check=[HealthCheck.filter_too_much])
@given(spec=networks(drops=True))
def test_network_over_capacity(spec: dict[str, Any]) -> None:
    assume(agrees(spec))


@st.composite
def delayed(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a network, some of whose layers have delays that the operators have."""
    kinds = ["axonal", "dendritic", "synaptic"]
    spec = draw(networks(drops=True, delays=kinds, recurrent_delays=kinds))
    dense = list(spec["device"].dense)
    for index, options in enumerate(spec["layers"]):
        for option in ("delay", "recurrent_delay"):
            delays = options.get(option)
            if isinstance(delays, dict):
                dense[index] = "auto"
                if delays["kind"] != "dendritic":
                    spread = "straight_through" if delays["learn"] else "triangle"
                    delays["spread"] = spread
    spec["device"] = replace(spec["device"], dense=tuple(dense))
    return spec


@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much])
@given(spec=delayed())
def test_network_with_delays(spec: dict[str, Any]) -> None:
    assume(agrees(spec))


def test_readout_with_delays_has_no_checkpoints() -> None:
    layer = LI(4, 3, delay=Delays("dendritic", 2, 1.0))
    net = SNN(layer, device="host:checkpoint_interval=2", backend="torch")
    x = (torch.rand(5, 2, 4) < 0.5).float()
    with inside(one_device()):
        got = net(x)
    assert_close("output", got, copy.deepcopy(net).double()(x.double()))


def one_device() -> Direct:
    return Direct(tiles_per_ipu=8)


def test_later_passes_keep_the_drop_seed_and_count_on_in_steps() -> None:
    net = SNN(SparseLIF(6, 40, max_activity=0.1), LI(40, 3), seed=3, backend="torch")
    reference = copy.deepcopy(net)
    x = (torch.rand(5, 3, 6) < 0.5).float()
    with inside(one_device()):
        for _ in range(3):
            out = net(x)
        dropped = net.dropped()
    layers = tuple(layer._replace(step=2 * 5) for layer in reference.initial_state(3).layers)
    assert_close("output", out, reference(x, SNNState(layers, call_seed(3, 0))))
    assert torch.equal(dropped, reference.dropped())
    assert int(dropped.sum()) > 0


def assert_same_gradients(got: torch.nn.Module, expected: torch.nn.Module) -> None:
    of_reference = dict(expected.named_parameters())
    for name, parameter in got.named_parameters():
        wanted = of_reference[name].grad
        assert parameter.grad is not None
        assert wanted is not None
        assert_close(f"gradient of {name}", parameter.grad, wanted)


@pytest.mark.parametrize(
    "model", [neurons.AdaptiveLIF(), Quadratic(), Bounded()], ids=lambda model: type(model).__name__
)
def test_neuron_model_with_a_codelet_of_its_own(model: NeuronModel) -> None:
    layer = SparseNeurons(12, 9, model, learn=model.parameters, recurrent=True)
    torch.nn.init.normal_(layer.weight, 0.3, 0.5)
    with torch.no_grad():
        for name, bounds in model.bounds.items():
            beyond = torch.tensor(bounds).clamp(-1e3, 1e3) + torch.tensor([-1.0, 1.0])
            getattr(layer, name)[:2] = beyond
    reference = copy.deepcopy(layer).double()
    x = (torch.rand(6, 3, 12) < 0.4).float()
    weights = torch.randn(6, 3, 9)
    expected = reference(x.double()).to_dense()
    (expected * weights).sum().backward()
    with inside(one_device()):
        got = layer(x).to_dense()
        (got * weights).sum().backward()
    assert bool((got != 0).any())
    assert torch.equal(got.double(), expected)
    assert_same_gradients(layer, reference)


def test_layers_of_their_own_in_a_row() -> None:
    layers = torch.nn.ModuleList([SparseLIF(20, 15, recurrent=True), SparseLIF(15, 10), LI(10, 4)])
    for layer in layers:
        torch.nn.init.normal_(layer.weight, 0.2, 0.6)
    reference = copy.deepcopy(layers).double()
    x = (torch.rand(5, 3, 20) < 0.3).float()
    weights = torch.randn(5, 3, 4)

    def through(stack: torch.nn.ModuleList, out: Any) -> torch.Tensor:
        for layer in stack:
            out = layer(out)
        return out

    expected = through(reference, x.double())
    (expected * weights).sum().backward()
    with inside(one_device()):
        got = through(layers, x)
        (got * weights).sum().backward()
    assert_close("output", got, expected)
    assert_same_gradients(layers, reference)


@pytest.mark.parametrize("capacity", [None, 3])
@pytest.mark.parametrize("needs_gradient", [True, False])
def test_dense_spikes_to_lists_and_back(capacity: int | None, needs_gradient: bool) -> None:
    x = (torch.rand(4, 3, 11) < 0.5).float().requires_grad_(needs_gradient)
    of_reference = x.detach().clone().requires_grad_(needs_gradient)
    weights = torch.randn(4, 3, 11)
    expected = SpikeTensor.from_dense(of_reference, capacity, seed=7)
    with inside(one_device()):
        got = SpikeTensor.from_dense(x, capacity, seed=7)
        dense = got.to_dense()
    assert torch.equal(got.ids, expected.ids)
    assert torch.equal(got.counts, expected.counts)
    assert torch.equal(got.dropped, expected.dropped)
    assert torch.equal(got.values, expected.values)
    assert torch.equal(dense, expected.to_dense())
    if needs_gradient:
        (dense * weights).sum().backward()
        (expected.to_dense() * weights).sum().backward()
        assert torch.equal(x.grad, of_reference.grad)


@settings(max_examples=25)
@given(
    kind=st.sampled_from((LIF, IF, PLIF)),
    shape=st.lists(st.integers(1, 6), min_size=3, max_size=4),
    reset=st.sampled_from(("zero", "subtract", "none")),
    detach_reset=st.booleans(),
    surrogate=st.sampled_from([of() for of in NAMED]),
    grad_threshold=st.sampled_from((None, 0.3)),
    learn=st.booleans(),
    seed=st.integers(0, 2**20),
)
def test_elementwise_lif(
    kind: type[LIF],
    shape: list[int],
    reset: str,
    detach_reset: bool,
    surrogate: Any,
    grad_threshold: float | None,
    learn: bool,
    seed: int,
) -> None:
    torch.manual_seed(seed)
    options: dict[str, Any] = {
        "reset": reset,
        "detach_reset": detach_reset,
        "surrogate": surrogate,
        "grad_threshold": grad_threshold,
        "learn_threshold": learn,
    }
    if kind is LIF:
        options.update(beta=torch.rand(shape[-1]), learn_beta=learn)
    layer = kind(**options)
    reference = copy.deepcopy(layer).double()
    current = torch.randn(shape).requires_grad_()
    of_reference = current.detach().double().requires_grad_()
    weights = torch.randn(shape)
    expected = reference(of_reference)
    (expected * weights).sum().backward()
    with inside(one_device()):
        got = layer(current)
        (got * weights).sum().backward()
    assume(torch.equal(got.double(), expected))  # else rounding carried one over its threshold
    assert_close("gradient of the current", current.grad, of_reference.grad)
    # A parameter's gradient is a sum over neurons and steps that may cancel. Its terms are of the
    # size of the loss's weights, and so are its roundings.
    roundings = 2.0**-24 * float(weights.abs().sum())
    for name, tensor in reference.named_parameters():
        assume(tensor.grad is None or bool(torch.isfinite(tensor.grad).all()))
        difference = dict(layer.named_parameters())[name].grad.double() - tensor.grad
        assert float((difference.abs() - 1e-5 * tensor.grad.abs()).max()) <= roundings, name


@pytest.mark.parametrize("grad_threshold", [None, 0.3])
@pytest.mark.parametrize("kind", [SynapticLIF, AdaptiveLIF], ids=lambda kind: kind.__name__)
def test_surrogates_of_other_neurons(kind: Any, grad_threshold: float | None) -> None:
    layer = kind(grad_threshold=grad_threshold, detach_reset=False, reset="subtract")
    x = torch.randn(6, 3, 9).requires_grad_()
    outside = x.detach().clone().requires_grad_()
    weights = torch.randn(6, 3, 9)
    expected = layer(outside)
    (expected * weights).sum().backward()
    with inside(one_device()):
        got = layer(x)
    (got * weights).sum().backward()
    assert torch.equal(got, expected)
    assert torch.equal(x.grad, outside.grad)
    # PopTorch passes over a Function's own backward.
    assert "_Spike" in str(expected.grad_fn.next_functions)
    assert "_Spike" not in str(got.grad_fn.next_functions)


def test_choices_of_a_host_shaped_device_say_nothing_of_others() -> None:
    x = torch.zeros(4, 6, 3)
    saved = []
    for device in ("host:checkpoint_interval=2,replicas=2", "bow:checkpoint_interval=2,replicas=2"):
        with inside(one_device()) as direct:
            SNN(SparseLIF(3, 4), device=device)(x)
        saved.append([shape for _, shape in direct.made[-1].outputs])
    assert (1 + 4, 6, 1, 4) in saved[0]  # membranes of all steps
    assert (1 + 2, 6, 1, 4) in saved[1]


def test_remote_partial_sums_are_a_choice_of_the_device() -> None:
    x = (torch.rand(5, 12, 400, generator=torch.Generator().manual_seed(0)) < 0.05).float()
    cycles = {}
    for device in ("bow", "bow:remote_partials=never", "host", "host:remote_partials=auto"):
        torch.manual_seed(0)
        layers = [SparseLIF(400, 40), SparseLIF(40, 40, delay=1), LI(40, 5, delay=1)]
        with inside(Direct(tiles_per_ipu=16)) as direct:
            SNN(*layers, device=device)(x).sum().backward()
        (network,) = (op for op in direct.made if op.type == "SparseNetwork")
        (backward,) = network.gradients()
        cycles[device] = backward.cycles
    assert cycles["bow"] != cycles["bow:remote_partials=never"]
    # What the host is told says nothing of PopTorch's device.
    assert cycles["host"] == cycles["host:remote_partials=auto"] == cycles["bow"]


def test_drops_are_reported_with_the_last_layers_spikes() -> None:
    net = SNN(SparseLIF(10, 12, max_activity=0.2), seed=3)
    torch.nn.init.constant_(net.layers[0].weight, 1.0)
    x = torch.ones(3, 2, 10)
    net.backend = "torch"
    expected = net(x)
    net._calls.zero_()
    with inside(one_device()):
        first = net(x)
        again = net(x)  # whose steps are others
    assert int(expected.dropped.sum()) > 0
    assert torch.equal(first.dropped, expected.dropped)
    assert torch.equal(first.ids, expected.ids)
    assert torch.equal(again.dropped, expected.dropped)
    assert not torch.equal(again.ids, expected.ids)
    assert int(net._calls) == 2


def refused(call: Callable[[], Any], sentence: str) -> None:
    with inside(one_device()), pytest.raises(ValueError, match=re.escape(sentence)):
        call()


def test_states_and_traces_are_refused() -> None:
    net, x = SNN(SparseLIF(4, 3)), torch.zeros(2, 1, 4)
    sentence = "expected none inside of a PopTorch model, whose layers begin at rest and return "
    refused(lambda: net(x, trace=True), f"SNN: trace: {sentence}their output alone, got bool")
    refused(lambda: net(x, net.initial_state(1)), f"SNN: state: {sentence}")
    refused(lambda: net.layers[0](x, return_state=True), f"SparseLIF: return_state: {sentence}")
    refused(lambda: LI(4, 2)(x, return_state=True), f"SparseLI: return_state: {sentence}")
    refused(lambda: LIF()(x, return_state=True), f"LIF: return_state: {sentence}")


def _untranslatable(u: torch.Tensor) -> torch.Tensor:
    return torch.erfc(u)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"weight_dtype": torch.bfloat16},
            "weight_dtype: expected None or torch.float16, got torch.bfloat16",
        ),
        (
            {"surrogate": Custom(torch.tanh, _untranslatable)},
            "surrogate: Custom: function_derivative: "
            f"line {_untranslatable.__code__.co_firstlineno + 1} of test_poptorch_ops.py: expected "
            "operations that kernels have, got erfc()",
        ),
    ],
)
def test_options_that_no_ipu_has_are_refused(options: dict[str, Any], sentence: str) -> None:
    layer, x = SparseLIF(4, 3, **options), torch.zeros(2, 1, 4)
    refused(lambda: layer(x), f"SparseLIF: {sentence}")
    net = SNN(SparseLIF(4, 4), layer, backend="torch")
    refused(lambda: net(x), f"SNN: layer 1: {sentence}")


@pytest.mark.parametrize("kind", ["axonal", "synaptic"])
def test_delays_that_no_operator_has_are_refused(kind: str) -> None:
    x, delays = torch.zeros(2, 1, 4), Delays(kind, 2, learn=True)
    sentence = (
        "delay: expected dendritic delays, or others that are fixed or of spread "
        f"'straight_through', got {kind} ones of spread 'triangle'"
    )
    net = SNN(SparseLIF(4, 4), SparseLIF(4, 3, delay=delays), backend="torch")
    refused(lambda: net.layers[1](x), f"SparseLIF: {sentence}")
    refused(lambda: net(x), f"SNN: layer 1: {sentence}")


def test_resets_that_no_codelet_has_are_refused() -> None:
    x = torch.zeros(2, 1, 3)
    sentence = "reset: expected one of zero, subtract, none, got 'subtract_after'"
    refused(lambda: LIF(reset="subtract_after")(x), f"LIF: {sentence}")
    refused(lambda: SparseLIF(3, 2, reset="subtract_after")(x), f"SparseLIF: {sentence}")


def test_leaks_of_samples_are_refused() -> None:
    layer = LIF(beta=torch.full((2, 3), 0.5))
    refused(
        lambda: layer(torch.zeros(4, 2, 3)),
        "LIF: beta: expected one that fits (3,) inside of PopTorch, got shape (2, 3)",
    )


def test_models_of_half_precision() -> None:
    # All numbers are exact in 16 bits.
    layers = torch.nn.Sequential(SparseLIF(6, 5, beta=0.5), LI(5, 4, beta=0.5))
    for parameter in layers.parameters():
        torch.nn.init.constant_(parameter, 0.5)
    x = torch.ones(3, 2, 6)
    expected = layers(x)
    with inside(one_device()):
        got = layers.half()(x.half())
        spikes = LIF()(torch.ones(3, 2, 6, dtype=torch.float16))
    assert got.dtype == spikes.dtype == torch.float16
    assert torch.equal(got.float(), expected)


def test_a_library_that_does_not_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "libpopsnn_popart.so"
    broken.write_text("no library")
    monkeypatch.setattr(poptorch_ops, "popart_ops_path", lambda emulated: broken)
    sentence = f"popart operators: expected a library that loads at {broken}, got: "
    with pytest.raises(RuntimeError, match=re.escape(sentence)):
        poptorch_ops.load.__wrapped__(True)
