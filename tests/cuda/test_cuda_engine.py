"""Networks on the cuda engine against the reference: the torch engine in float64."""

from __future__ import annotations

import copy
import math
import re
from itertools import cycle
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.roundings import moved_by_float16
from tests.python.engines.networks import (
    Pass,
    as_definition,
    build,
    drawn_state,
    networks,
    run,
)
from tests.python.extensions.hand_written import ALIF as HandWritten
from tests.python.nn.changes import (
    USES,
    assert_right_or_refused,
    every_change,
    remains_of_a_network,
)
from torch import Tensor
from torch.utils.checkpoint import checkpoint

import popsnn.cuda
from popsnn import SpikeTensor, surrogate
from popsnn.cuda.device.module import Module
from popsnn.cuda.events.events import Dense
from popsnn.cuda.layer import delay_gradient, overlapped
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.engines import LayerTrace, cuda_engine, cuda_layers
from popsnn.functional import SparseState
from popsnn.nn import SNN, SNNState, SparseLIF, SparseNeurons

TOLERANCE = 1e-5  # relative to the largest entry, float32 against float64
GRADIENT_TOLERANCE = 2e-4  # sums over steps and samples whose terms cancel
ROUNDED_TOLERANCE = 4e-3  # of gradients that recurrent weights of float16 carry, by 2^-11 each


def on_cuda(net: SNN, engine: Engine) -> SNN:
    net = copy.deepcopy(net).float().to(engine.device)
    net._calls.zero_()  # who is dropped hashes the call's number
    net.backend = "cuda"
    return net


def away_from_jumps(net: SNN, traces: list[LayerTrace]) -> bool:
    """Whether no membrane comes so near a threshold that rounding may carry it over."""
    for layer, trace in zip(cycle(net.layers), traces):
        if not isinstance(layer, SparseLIF):
            continue
        v = trace.membrane.detach()
        threshold = layer.threshold
        points = [threshold.detach() if isinstance(threshold, torch.Tensor) else threshold]
        if layer.grad_threshold is not None:
            points.append(layer.grad_threshold)
        if isinstance(layer.surrogate, (surrogate.Rectangle, surrogate.Triangle)):
            half = layer.surrogate.width
            half /= 2 if isinstance(layer.surrogate, surrogate.Rectangle) else 1
            points += [points[0] - half, points[0] + half]
        largest = float(v.abs().max())
        if min(float((v - point).abs().min()) for point in points) <= 2e-5 * largest:
            return False
    return True


def distance(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest difference."""
    return float((got.detach().cpu().double() - expected.detach().double()).abs().max())


def error(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest difference relative to the largest entry."""
    difference = distance(got, expected)
    largest = float(expected.detach().abs().max())
    return difference / largest if largest else math.inf if difference else 0.0


def in_float16(net: SNN) -> None:
    """Round the weights to numbers that float16 has, and TF32."""
    with torch.no_grad():
        for parameter in net.parameters():
            if parameter.dim() == 2:
                parameter.copy_(parameter.half())


def _rounds_gradients(layer: dict[str, Any]) -> bool:
    return bool(layer.get("recurrent")) and layer.get("weight_dtype") == torch.float16


def begin(of: SNN, spec: dict[str, Any], device: torch.device) -> SNNState | None:
    """Return the state that a sequence goes on from, as leaves on the network's device."""
    if not spec["state"]:
        return None
    drawn = drawn_state(copy.deepcopy(of).cpu(), spec["batch"], spec["seed"])
    layers: list[SparseState] = []
    for layer in drawn.layers:
        v, s, x = (p.detach().to(device).requires_grad_() for p in (layer.v, layer.s, layer.x))
        lines = (
            None if line is None else line.detach().to(device).requires_grad_()
            for line in (layer.inputs, layer.spikes)
        )
        before = layers[-1].s if layers else x
        layers.append(SparseState(v, s, before, layer.step, layer.more, *lines))
    return SNNState(tuple(layers), drawn.seed)


def compare(
    spec: dict[str, Any],
    engine: Engine,
    gradients: float | None = None,
) -> bool:
    """Assert that both agree; False where rounding may decide, and there is nothing to say.

    Gradients within `gradients`, or by default within what the layers round.
    """
    rounds = gradients is None and any(map(_rounds_gradients, spec["layers"]))
    if gradients is None:
        gradients = ROUNDED_TOLERANCE if rounds else GRADIENT_TOLERANCE
    reference = as_definition(build(spec, "torch"))
    precision = spec.get("precision", "float32")
    if precision == "tf32":
        in_float16(reference)
    net = on_cuda(reference, engine)
    net.precision = precision
    x = (torch.rand(spec["steps"], spec["batch"], spec["sizes"][0]) < spec["density"]).double()
    options = {"split": spec["split"], "hidden": spec["hidden"]}

    def definition() -> Pass:
        reference.zero_grad()
        reference._calls.zero_()
        state = begin(reference, spec, torch.device("cpu"))
        return run(reference, x, spec["seed"], state, **options)

    expected = definition()
    if not away_from_jumps(reference, expected.traces):
        return False
    state = begin(net, spec, engine.device)
    got = run(net, x.float().to(engine.device), spec["seed"], state, **options)
    for out, expected_out in zip(got.outs, expected.outs):
        assert error(out, expected_out) <= TOLERANCE, "output"
    for trace, expected_trace in zip(got.traces, expected.traces):
        assert error(trace.membrane, expected_trace.membrane) <= TOLERANCE, "membrane"
        if expected_trace.spikes is None:
            continue
        for name in ("ids", "counts", "dropped"):
            mine, other = (getattr(tensor.spikes, name) for tensor in (trace, expected_trace))
            assert torch.equal(mine.cpu(), other), name
    assert net.stats() == reference.stats()
    beyond = {
        name: (got.grads[name], grad)
        for name, grad in expected.grads.items()
        if not error(got.grads[name], grad) <= gradients  # nor is NaN
    }
    # Sums whose terms cancel may be smaller than what they round. Of the few perturbations the
    # largest is not the worst, and a gradient is rounded more than once.
    if beyond and rounds:
        moved = moved_by_float16(lambda: definition().grads, expected.grads)
        beyond = {
            name: pair for name, pair in beyond.items() if not distance(*pair) <= 3 * moved[name]
        }
    assert not beyond, {name: error(*pair) for name, pair in beyond.items()}
    return True


# The gradient of its one recurrent weight is the sum of -1.21 and 1.13.
CANCELLING = {
    "sizes": [16, 1, 1],
    "layers": [
        {"bias": False, "beta": 0.0, "delay": 1, "reset": "zero", "learn_threshold": True,
         "surrogate": surrogate.SuperSpike(10.0), "recurrent": True, "weight_dtype": torch.float16,
         "max_activity": 0.1},
        {"bias": False, "beta": 0.0},
    ],
    "steps": 1, "batch": 4, "density": 0.0, "seed": 4881, "device": "host", "state": True,
    "split": 0, "hidden": False,
}  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spec=st.booleans().flatmap(lambda drops: networks(drops=drops)))
@example(spec=CANCELLING)
def test_networks_are_their_definition(spec: dict[str, Any], cuda_engine: Engine) -> None:
    compare(spec, cuda_engine)


KINDS = ("axonal", "dendritic", "synaptic")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spec=st.booleans().flatmap(lambda drops: networks(drops=drops, delays=KINDS)))
def test_networks_with_delays_are_their_definition(
    spec: dict[str, Any], cuda_engine: Engine
) -> None:
    compare(spec, cuda_engine)


HIDDEN = {"reset": "zero", "max_activity": 0.3, "grad_threshold": 0.2}
LEARNT = {
    "reset": "subtract",
    "detach_reset": False,
    "learn_beta": True,
    "learn_threshold": True,
    "surrogate": surrogate.Sigmoid(),
    "gain": 1.7,
}


def delays(kind: str, **options: Any) -> dict[str, Any]:
    return {"kind": kind, "maximum": 4, "minimum": 0, "learn": True, "width": 0.6, **options}


@pytest.mark.parametrize("spread", ["straight_through", "triangle", "gaussian", "none"])
@pytest.mark.parametrize("kind", KINDS)
def test_small_networks_with_delays(layer_kernels: Engine, kind: str, spread: str) -> None:
    own = delays(kind, spread=spread)
    if spread == "none":
        own.update(learn=False, spread="triangle")
    layers = [{**HIDDEN, "delay": own}, {**HIDDEN, "recurrent": True, "delay": own, "gain": 1.7}]
    spec = {
        "sizes": [11, 23, 17, 5], "layers": [*layers, {"delay": own}], "steps": 7, "batch": 3,
        "density": 0.5, "device": "host", "state": True, "split": 3, "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, layer_kernels) for seed in range(9))


@pytest.mark.parametrize("spread", ["straight_through", "triangle", "gaussian"])
@pytest.mark.parametrize(
    ("recurrent", "inputs"), [(False, 11), (True, 11), (False, 16), (True, 16)]
)
def test_delays_of_a_first_layer_learn_with_its_weight(
    layer_kernels: Engine,
    monkeypatch: pytest.MonkeyPatch,
    recurrent: bool,
    inputs: int,
    spread: str,
) -> None:
    """Without a gradient of the input; with one they learn by the delayed rows' gradient."""
    calls: list[int] = []
    made = delay_gradient.weight_and_delay_gradient
    monkeypatch.setattr(
        delay_gradient, "weight_and_delay_gradient", lambda *given: calls.append(1) or made(*given)
    )
    taken: list[Any] = []
    take = cuda_engine.input_spikes
    monkeypatch.setattr(
        cuda_engine, "input_spikes", lambda *given: taken.append(take(*given)) or taken[-1]
    )
    layer = {"weight_dtype": torch.bfloat16, "delay": delays("axonal", spread=spread)}
    layer.update({**HIDDEN, "recurrent": recurrent})
    spec = {"sizes": [inputs, 23, 5], "layers": [layer, {}], "seed": 3, "device": "host"}
    reference = as_definition(build(spec, "torch"))
    learnt = reference.layers[0].delay
    with torch.no_grad():
        learnt.steps[:2] = torch.tensor([-0.25, 4.5])  # out of the range: these do not learn
    net = on_cuda(reference, layer_kernels)
    x = (torch.rand(7, 3, inputs) < 0.5).double()
    weights = torch.randn(7, 3, 5).double()
    (reference(x).to_dense() * weights).sum().backward()
    grads = []
    leaves = [net.layers[0].weight, net.layers[0].delay.steps]
    for with_input in (False, True):
        net._calls.zero_()  # so that the same spikes are dropped
        rows = x.float().to(layer_kernels.device).requires_grad_(with_input)
        out = net(rows).to_dense()
        grads.append(torch.autograd.grad((out * weights.to(out)).sum(), leaves))
        assert len(calls) == 1
        assert not grads[-1][1][:2].any()
    assert [isinstance(x, Dense) for x in taken] == [inputs == 16, False]
    assert error(grads[0][0], grads[1][0].cpu()) <= 1e-5
    assert error(grads[0][1], grads[1][1].cpu()) <= 2e-2  # the rows' gradient is rounded, by 2^-9
    if spread == "straight_through":  # whose rows are not rounded
        for mine, leaf in zip(grads[0], (reference.layers[0].weight, learnt.steps)):
            assert error(mine, leaf.grad) <= 2e-2


@pytest.mark.parametrize("learn", [False, True])
def test_dense_spikes_of_a_layer_with_axonal_delays(layer_kernels: Engine, learn: bool) -> None:
    """With the state that the next call goes on from, where the input is not 0 or 1 either."""
    own = delays("axonal", spread="straight_through", learn=learn)
    spec = {"sizes": [16, 23], "layers": [{"delay": own}], "seed": 3, "device": "host"}
    reference = as_definition(build(spec, "torch"))
    net = on_cuda(reference, layer_kernels)
    reference.check_input = net.check_input = False
    x = (torch.rand(7, 3, 16) < 0.3) * torch.randn(7, 3, 16)
    state, expected_state = None, None
    for part in (x[:3], x[3:5], x[5:]):
        out, state = net(part.to(layer_kernels.device), state, return_state=True)
        spikes = (part != 0).double()
        expected, expected_state = reference(spikes, expected_state, return_state=True)
        assert error(out, expected) <= TOLERANCE
        for mine, other in zip(state.layers, expected_state.layers):
            assert torch.equal(mine.inputs.cpu().double(), other.inputs)
            assert torch.equal(mine.x.cpu().double(), other.x)


def test_delayed_lists_are_delayed_rows(layer_kernels: Engine) -> None:
    x = (torch.rand(6, 3, 200) < 0.02).float().to(layer_kernels.device)
    for kind in KINDS:
        spec = {"sizes": [200, 23], "layers": [{"delay": delays(kind, spread="triangle")}]}
        net = on_cuda(build({**spec, "seed": 3, "device": "host"}, "torch"), layer_kernels)
        outs = [net(form) for form in (x, SpikeTensor.from_dense(x, capacity=10))]
        torch.testing.assert_close(*outs)


@pytest.mark.parametrize(
    ("layers", "pieces", "batch"),
    [
        ([{**HIDDEN, "delay": 1}, HIDDEN, {"delay": 1}], 3, 3),
        ([LEARNT, {**HIDDEN, "bias": False, "gain": 1.7}], 0, 3),
        ([{**HIDDEN, "recurrent": True, "delay": 1, "weight_dtype": torch.float16}, {}], 3, 3),
        ([{**HIDDEN, "weight_dtype": torch.bfloat16}, {"weight_dtype": torch.bfloat16}], 0, 3),
        ([{"reset": "none", "surrogate": surrogate.Triangle(), "grad_threshold": 0.9}, {}], 3, 1),
        (
            [{**HIDDEN, "reset": "subtract_after"}, {"reset": "zero_after", "learn_beta": True}],
            3,
            3,
        ),
        ([{**HIDDEN, "reset": "zero_after", "detach_reset": False, "recurrent": True}, {}], 3, 3),
    ],
    ids=["capped", "learnt", "recurrent", "bfloat16", "free", "after", "saves its input"],
)
def test_small_networks(
    layer_kernels: Engine, layers: list[dict[str, Any]], pieces: int, batch: int
) -> None:
    spec = {
        "sizes": [11, 23, 17, 5][: len(layers) + 1], "layers": layers, "steps": 7, "batch": batch,
        "density": 0.5, "device": "host", "state": pieces > 0, "split": pieces,
        "hidden": pieces > 0,
    }  # fmt: skip
    # The gradients of bfloat16 products are rounded to it, 2^-9 of each.
    narrow = layers[0].get("weight_dtype") == torch.bfloat16
    tolerance = 2e-2 if narrow else GRADIENT_TOLERANCE
    assert any(compare({**spec, "seed": seed}, layer_kernels, tolerance) for seed in range(9))


def test_layers_that_go_on_from_piece_to_piece(
    layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlapped, "chunk_count", lambda device, steps, blocks: 3)
    spec = {
        "sizes": [11, 23, 17, 5], "layers": [{**HIDDEN, "delay": 1}, HIDDEN, {"delay": 1}],
        "steps": 7, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, layer_kernels) for seed in range(9))


LISTED = {**HIDDEN, "max_activity": 0.1}


@pytest.mark.parametrize(
    ("layers", "launches"),
    [
        ([LISTED, {**LISTED, "delay": 1}, {"delay": 1}], 2),
        ([LISTED, {**LISTED, "recurrent": True, "weight_dtype": torch.float16}, {}], 2),
        ([LISTED, HIDDEN, {}], 1),
        ([{**LISTED, "max_activity": 0.02}, {**HIDDEN, "weight_dtype": torch.bfloat16}, {}], 0),
    ],
)
def test_hidden_layers_of_few_spikes_add_up_weights(
    layer_kernels: Engine,
    monkeypatch: pytest.MonkeyPatch,
    layers: list[dict[str, Any]],
    launches: int,
) -> None:
    """With all gradients, from states and in two calls."""
    names: list[str] = layer_kernels.launched
    if layer_kernels.name == "cuda":
        launch = Module.launch

        def named(module: Module, name: str, *rest: Any, **options: bool) -> None:
            names.append(name)
            launch(module, name, *rest, **options)

        monkeypatch.setattr(Module, "launch", named)
    monkeypatch.setattr(cuda_layers, "FEWEST_LISTED_MULTIPLICATIONS", 0)
    spec = {
        "sizes": [11, 43, 37, 5], "layers": layers, "steps": 7, "batch": 3, "density": 0.5,
        "device": "host", "state": True, "split": 3, "hidden": True,
    }  # fmt: skip
    names.clear()
    tolerance = None if launches else 2e-2  # bfloat16 rounds gradients, by 2^-9
    assert any(compare({**spec, "seed": seed}, layer_kernels, tolerance) for seed in range(9))
    assert names.count("event_products") == 0
    assert names.count("event_currents") >= launches
    assert names.count("event_currents") % max(launches, 1) == 0


@pytest.mark.parametrize(
    ("gain", "weight_dtype", "tolerance", "sizes", "steps"),
    [
        (1.7, None, GRADIENT_TOLERANCE, [23, 17], 7),
        (1.0, None, GRADIENT_TOLERANCE, [23, 17], 7),
        (1.0, torch.float16, ROUNDED_TOLERANCE, [23, 17], 7),
        (1.7, torch.float16, GRADIENT_TOLERANCE, [23, 17], 7),  # of scaled weights: float32
        (1.0, torch.bfloat16, 2e-2, [23, 17], 7),
        (1.0, torch.bfloat16, 2e-2, [24, 16], 7),  # without padding, spikes are of 16 bits
        (1.0, torch.bfloat16, 2e-2, [24, 16], 24),  # in clusters
    ],
)
@pytest.mark.parametrize("bias", [False, True])
def test_a_recurrent_layer_in_one_kernel(
    recurrent_layer_kernels: Engine,
    monkeypatch: pytest.MonkeyPatch,
    gain: float,
    weight_dtype: torch.dtype | None,
    tolerance: float,
    sizes: list[int],
    steps: int,
    bias: bool,
) -> None:
    hidden: dict[str, Any] = {
        "reset": "zero",
        "grad_threshold": 0.2,
        "recurrent": True,
        "delay": 1,
        "gain": gain,
    }
    hidden = {**hidden, "weight_dtype": weight_dtype, "bias": bias}
    readout = {"delay": 1, "weight_dtype": weight_dtype}
    taken: list[tuple[torch.dtype, bool, bool]] = []
    recurrent = popsnn.cuda.recurrent

    def noted(*arguments: Any, **options: Any) -> Any:
        added, narrow = (options[name] is not None for name in ("bias", "of_current"))
        taken.append((options["weight_dtype"], added, narrow))
        return recurrent(*arguments, **options)

    monkeypatch.setattr(popsnn.cuda, "recurrent", noted)
    spec = {
        "sizes": [11, *sizes, 5], "layers": [{**hidden, "learn_beta": True}, hidden, readout],
        "steps": steps, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    engine = recurrent_layer_kernels
    assert any(compare({**spec, "seed": seed}, engine, tolerance) for seed in range(9))
    whole = weight_dtype == torch.bfloat16 and sizes == [24, 16]
    kind = weight_dtype if weight_dtype and gain == 1 else torch.float32
    assert set(taken) == {(kind, bias and gain == 1, whole)}


@pytest.mark.parametrize("strategy", ["portable", "streamed", "gathered"])
def test_spikes_of_16_bits_and_a_bias_in_every_strategy(
    recurrent_layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    engine = recurrent_layer_kernels
    if strategy == "portable":
        monkeypatch.setattr(recurrent_ops, "has_copy_engine", lambda _: False)
    else:
        monkeypatch.setattr(recurrent_ops, "choose", lambda *_: "streamed")
    if strategy == "gathered":
        monkeypatch.setattr(recurrent_ops, "_gathers", lambda *_: True)
    narrow = {"delay": 1, "weight_dtype": torch.bfloat16}
    hidden = {**narrow, "reset": "zero", "grad_threshold": 0.2, "recurrent": True}
    spec = {
        "sizes": [11, 24, 16, 5], "layers": [{**hidden, "learn_beta": True}, hidden, narrow],
        "steps": 12, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, engine, 2e-2) for seed in range(9))
    assert engine.name == "cuda" or f"recurrent_{strategy}_backward" in engine.launched


@pytest.mark.parametrize("carried", [False, True])
def test_lists_and_dense_spikes_are_the_same_input(layer_kernels: Engine, carried: bool) -> None:
    spec = {"sizes": [200, 23, 17], "layers": [{**HIDDEN, "delay": 1}, {"delay": 1}], "seed": 3}
    net = on_cuda(build({**spec, "device": "host"}, "torch"), layer_kernels)
    x = (torch.rand(6, 3, 200) < 0.02).float().to(layer_kernels.device)
    state = None
    if carried:
        first, *others = net.initial_state(3).layers
        state = SNNState((first._replace(x=x[0]), *others), 7)
    outs, grads = [], []
    for form in (x, SpikeTensor.from_dense(x, capacity=10)):  # short enough to add up weights
        net.zero_grad()
        net._calls.zero_()
        out, end = net(form, state, return_state=True)
        out.square().sum().backward()
        outs.append((out.detach(), end.layers[0].x))
        grads.append([p.grad for p in net.parameters()])
    torch.testing.assert_close(*outs)
    torch.testing.assert_close(*grads, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_checkpointed_network_drops_what_it_dropped(
    layer_kernels: Engine, reentrant: bool
) -> None:
    spec = {"sizes": [11, 40, 5], "layers": [{**HIDDEN, "max_activity": 0.1}, {}], "seed": 3}
    net = on_cuda(build({**spec, "device": "host"}, "torch"), layer_kernels)
    other = copy.deepcopy(net)
    x = (torch.rand(6, 3, 11) < 0.5).float().to(layer_kernels.device).requires_grad_()
    (net(x).square() + net(x).relu()).sum().backward()
    outs = [checkpoint(other, x, use_reentrant=reentrant) for _ in range(2)]
    (outs[0].square() + outs[1].relu()).sum().backward()
    assert net.stats()[0].dropped_spikes > 0
    for expected, got in zip(net.parameters(), other.parameters()):
        torch.testing.assert_close(got.grad, expected.grad, rtol=1e-5, atol=1e-5)
    assert int(other._calls) == 2


def test_a_weight_that_is_not_finite_is_refused(layer_kernels: Engine) -> None:
    spec = {"sizes": [200, 23, 17], "layers": [HIDDEN, {}], "seed": 3, "device": "host"}
    net = on_cuda(build(spec, "torch"), layer_kernels)
    with torch.no_grad():
        net.layers[0].weight[4, 5] = math.inf
    x = torch.zeros(6, 3, 200, device=layer_kernels.device)
    sentence = "SNN: layer 0: weight: expected finite values, got inf"
    for form in (x, SpikeTensor.from_dense(x, capacity=10)):
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            net(form)
    assert int(net._calls) == 0
    assert net.stats() == []


def test_layers_wider_than_a_block_of_four_neurons_a_thread(layer_kernels: Engine) -> None:
    spec = {
        "sizes": [3, 2100], "layers": [{**HIDDEN, "grad_threshold": None}], "steps": 2, "batch": 1,
        "density": 1.0, "seed": 2, "device": "host", "state": False, "split": 0, "hidden": False,
    }  # fmt: skip
    assert compare(spec, layer_kernels)


def untranslatable(u: Tensor) -> Tensor:
    return torch.erfc(u)


@pytest.mark.parametrize(
    ("layer", "reason"),
    [
        (SparseLIF(3, 4).double(), "layer 0: weight: expected a float32 tensor, got torch.float64"),
        (
            SparseLIF(2, 9000, max_activity=0.1),
            "layer 0: max_activity: expected at most 8192 neurons that compete for places, "
            "got 9000",
        ),
        (
            SparseLIF(3, 4, surrogate=surrogate.Custom(function_derivative=untranslatable)),
            "layer 0: surrogate: Custom: function_derivative: "
            f"line {untranslatable.__code__.co_firstlineno + 1} of test_cuda_engine.py: expected "
            "operations that kernels have, got erfc()",
        ),
        (
            SparseNeurons(3, 4, HandWritten()),
            "layer 0: model: ALIF has no CUDA lines",
        ),
    ],
)
def test_what_the_engine_cannot_run(
    layer_kernels: Engine, layer: SparseLIF | SparseNeurons, reason: str
) -> None:
    sentence = f"SNN: backend 'cuda' cannot run this network: {reason}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        SNN(layer, backend="cuda")


def test_a_network_that_is_not_on_a_gpu(cuda_engine: Engine) -> None:
    net = SNN(SparseLIF(3, 4), backend="cuda")
    sentence = "layers.0.weight: expected a tensor on a CUDA device, got one on cpu: call"
    with pytest.raises(ValueError, match=re.escape(sentence)):
        net(torch.zeros(2, 1, 3))
    assert SNN(SparseLIF(3, 4)).to("cuda").engine == "cuda"


def test_a_network_that_is_only_partly_on_a_gpu(cuda_engine: Engine) -> None:
    net = SNN(SparseLIF(3, 4), backend="cuda").to("cuda")
    net._calls = net._calls.cpu()
    sentence = "_calls: expected a tensor on cuda:0, got one on cpu: call the network's .to('cuda')"
    with pytest.raises(ValueError, match=re.escape(sentence)):
        net(torch.zeros(2, 1, 3))


@every_change
@pytest.mark.parametrize("again", [False, True], ids=["", "after another pass"])
def test_gradients_are_those_of_the_forward_pass(
    layer_kernels: Engine, change: str, again: bool
) -> None:
    with torch.device(layer_kernels.device):
        assert_right_or_refused("cuda", change, again)


@pytest.mark.parametrize("use", USES)
def test_a_network_goes_with_the_last_reference(layer_kernels: Engine, use: str) -> None:
    with torch.device(layer_kernels.device):
        assert not remains_of_a_network("cuda", use)
