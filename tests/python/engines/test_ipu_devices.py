"""The same network on several shapes of device: IPUs, replicas, checkpoint intervals."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python.engines.networks import Pass, as_definition, build, networks, run

import popsnn
from popsnn import optim
from popsnn.devices import parse
from popsnn.engines.ipu_engine import session_of
from popsnn.nn import LI, SNN, SparseLIF
from popsnn.surrogate import SuperSpike

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)

HIDDEN = {
    "bias": True, "delay": 0, "beta": 0.8, "gain": 1.0, "recurrent": True, "learn_beta": True,
    "learn_threshold": True, "reset": "subtract", "detach_reset": False, "surrogate": SuperSpike(),
    "grad_threshold": 0.4, "max_activity": 0.3,
}  # fmt: skip
READOUT = {"bias": True, "delay": 1, "beta": 0.9, "gain": 1.0, "learn_beta": True}


def run_on(device: str, trace: bool = True, hidden: bool = False) -> tuple[SNN, Pass]:
    spec = {
        "sizes": [20, 33, 21, 5], "layers": [HIDDEN, {**HIDDEN, "delay": 1}, READOUT], "seed": 7,
        "device": device,
    }  # fmt: skip
    net = build(spec)
    x = (torch.rand(9, 8, 20, generator=torch.Generator().manual_seed(0)) < 0.3).float()
    return net, run(net, x, 3, split=4, trace=trace, hidden=hidden)


def assert_near(name: str, got: torch.Tensor, expected: torch.Tensor) -> None:
    largest = float(expected.detach().abs().max())
    assert float((got - expected).detach().abs().max()) <= 1e-5 * largest, name


@pytest.mark.parametrize(
    "changes",
    [
        "ipus=2",
        "ipus=4",
        "replicas=2",
        "replicas=3",
        "replicas=4",
        "ipus=2,replicas=2",
        "ipus=4,replicas=4",
        "ipus=4,replicas=2,tiles=5",
    ],
)
def test_gives_the_same_numbers(changes: str) -> None:
    whole, expected = run_on("host")
    net, got = run_on(f"host:{changes}")
    assert net.stats() == whole.stats()
    assert sum(layer.dropped_spikes for layer in whole.stats()) > 0
    for index, (trace, other) in enumerate(zip(got.traces, expected.traces)):
        assert_near(f"membrane {index}", trace.membrane, other.membrane)
        if other.spikes is not None:
            assert torch.equal(trace.spikes.ids, other.spikes.ids)
            assert torch.equal(trace.spikes.counts, other.spikes.counts)
    for name, gradient in expected.grads.items():
        assert_near(f"gradient of {name}", got.grads[name], gradient)


@pytest.mark.parametrize("checkpoint_interval", [0, 3])
@pytest.mark.parametrize("remote", [False, True])
def test_remote_partial_sums_on_few_tiles(remote: bool, checkpoint_interval: int) -> None:
    device = replace(parse("host"), checkpoint_interval=checkpoint_interval)
    assert not device.remote_partials
    hidden = {**HIDDEN, "max_activity": 0.5}
    spec = {
        "sizes": [10, 60, 40, 5], "layers": [hidden, {**hidden, "delay": 1}, READOUT], "seed": 7,
        "device": replace(device, remote_partials=remote),
    }  # fmt: skip
    net = build(spec)
    x = (torch.rand(7, 4, 10, generator=torch.Generator().manual_seed(0)) < 0.3).float()
    expected = run(as_definition(net), x.double(), 3, trace=False)
    got = run(net, x, 3, trace=False)
    layers = [layer for e in session_of(net).executables.values() for layer in e.runner.layers]
    assert any(layer.partial_tiles for layer in layers) == remote
    for name, gradient in expected.grads.items():
        assert bool(gradient.any()), name
        assert_near(f"gradient of {name}", got.grads[name].double(), gradient)


@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("segment", [1, 2, 3, 4])
def test_states_worked_out_again_are_the_same_bits(segment: int, trace: bool) -> None:
    whole, expected = run_on("host", trace=trace, hidden=trace)
    net, got = run_on(f"host:checkpoint_interval={segment}", trace=trace, hidden=trace)
    assert net.stats() == whole.stats()
    assert all(torch.equal(a, b) for a, b in zip(got.outs, expected.outs))
    for after, before in zip(got.traces, expected.traces):
        assert torch.equal(after.membrane, before.membrane)
    for name, gradient in expected.grads.items():
        assert torch.equal(got.grads[name], gradient), name


@pytest.mark.parametrize("segment", [1, 2, 3, 9])
def test_a_second_backward_pass_is_the_same_bits(segment: int) -> None:
    net, x = by_segments(segment)
    loss = net(x).square().sum()
    passes = []
    for _ in range(2):
        net.zero_grad()
        x.grad = None
        loss.backward(retain_graph=True)
        passes.append([x.grad, *(p.grad for p in net.parameters())])
    assert float(passes[0][0].abs().max()) > 0
    assert all(torch.equal(a, b) for a, b in zip(*passes))


def test_a_second_backward_pass_while_the_device_updates_wants_the_last_states() -> None:
    sentence = (
        "ipu engine: backward: expected a forward pass since the last backward pass while the "
        "device updates the weights and keeps states by intervals, got none"
    )
    for segment in (2, 9):
        net, x = by_segments(segment)
        optimizer = optim.SGD(net, lr=0.1)
        loss = net(x.detach()).square().sum()
        loss.backward(retain_graph=True)
        optimizer.zero_grad()
        if segment < len(x):
            with pytest.raises(RuntimeError, match=f"^{re.escape(sentence)}$"):
                loss.backward()
        else:
            loss.backward()


def by_segments(segment: int) -> tuple[SNN, torch.Tensor]:
    spec = {
        "sizes": [20, 33, 5], "layers": [HIDDEN, READOUT], "seed": 7,
        "device": f"host:checkpoint_interval={segment}",
    }  # fmt: skip
    x = (torch.rand(9, 3, 20, generator=torch.Generator().manual_seed(0)) < 0.3).float()
    return build(spec), x.requires_grad_()


@pytest.mark.parametrize("changes", ["replicas=2", "ipus=2"])
def test_membranes_of_segments_are_those_of_the_whole_batch(changes: str) -> None:
    _, expected = run_on("host")
    _, got = run_on(f"host:checkpoint_interval=2,{changes}")
    for after, before in zip(got.traces, expected.traces):
        assert_near("membrane", after.membrane, before.membrane)


@pytest.mark.parametrize(
    "changes", ["sizes=2", "sizes=4", "sizes=3,replicas=2", "sizes=4,checkpoint_interval=3"]
)
def test_exchanges_of_any_size_give_the_same_bits(changes: str) -> None:
    of_one_size, expected = run_on("host:" + re.sub("sizes=.", "sizes=1", changes), trace=False)
    net, got = run_on(f"host:{changes}", trace=False)
    assert net.stats() == of_one_size.stats()
    assert all(torch.equal(a, b) for a, b in zip(got.outs, expected.outs))
    for name, gradient in expected.grads.items():
        assert torch.equal(got.grads[name], gradient), name


def test_dense_weight_gradients_of_several_groups_of_samples() -> None:
    spec = {"sizes": [20, 33, 5], "layers": [HIDDEN, READOUT], "seed": 7}
    x = (torch.rand(5, 19, 20, generator=torch.Generator().manual_seed(0)) < 0.3).float()
    dense, sparse = (
        run(build({**spec, "device": f"host:dense={choice},checkpoint_interval=3"}), x, 3)
        for choice in ("always", "never")
    )
    assert all(torch.equal(a, b) for a, b in zip(dense.outs, sparse.outs))
    for name, gradient in sparse.grads.items():
        assert_near(name, dense.grads[name], gradient)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(spec=networks(drops=True), sizes=st.integers(2, 4))
def test_exchanges_of_any_size_give_the_same_bits_on_any_network(
    spec: dict[str, Any], sizes: int
) -> None:
    steps, batch, inputs = spec["steps"], spec["batch"], spec["sizes"][0]
    x = (torch.rand(steps, batch, inputs) < spec["density"]).float()
    device = parse(spec["device"])
    passes = []
    for count in (1, sizes):
        net = build({**spec, "device": replace(device, sizes=count)})
        passes.append(run(net, x, spec["seed"], hidden=spec["hidden"]))
    expected, got = passes
    assert all(torch.equal(a, b) for a, b in zip(got.outs, expected.outs))
    for name, gradient in expected.grads.items():
        assert torch.equal(got.grads[name], gradient), name


def test_more_replicas_than_samples() -> None:
    net = SNN(LI(3, 2), backend="ipu", device="host:replicas=4")
    sentence = (
        "plan: replicas: expected at most the batch, 2, and the device's 4 tiles, and a multiple "
        "or a divisor of its 1 IPUs, got 4"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(torch.zeros(1, 2, 3))


@pytest.mark.parametrize("changes", ["replicas=4", "replicas=4,ipus=2", "replicas=3,ipus=3"])
@pytest.mark.parametrize("batch", [1, 2, 3, 5])
def test_without_gradients_any_batch_runs(changes: str, batch: int) -> None:
    x = (torch.rand(5, batch, 20, generator=torch.Generator().manual_seed(1)) < 0.3).float()
    outs = []
    for device in ("host", f"host:tiles=4,{changes}"):
        spec = {"sizes": [20, 33, 5], "layers": [HIDDEN, READOUT], "seed": 7, "device": device}
        with torch.no_grad():
            out, state, traces = build(spec).eval()(x, return_state=True, trace=True)
        outs.append([out, *(layer.v for layer in state.layers), traces[0].spikes.to_dense()])
    for got, expected in zip(*outs):
        assert_near(changes, got, expected)


OPTIMIZERS = [
    (optim.SGD, torch.optim.SGD, {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.01}),
    (optim.Adam, torch.optim.Adam, {"lr": 0.01}),
    (optim.AdamW, torch.optim.AdamW, {"lr": 0.01, "weight_decay": 0.5}),
]


def recurrent_net(device: str) -> SNN:
    torch.manual_seed(0)
    hidden = SparseLIF(10, 21, recurrent=True, grad_threshold=0.3)
    with torch.no_grad():
        hidden.weight.normal_(0.3, 0.5)
        hidden.recurrent_weight.normal_(0.0, 0.3)
    return SNN(hidden, LI(21, 3), backend="ipu", device=device)


def train(net: SNN, optimizer: torch.optim.Optimizer) -> None:
    for seed in range(5):
        x = torch.rand(5, 6, 10, generator=torch.Generator().manual_seed(seed)) < 0.3
        optimizer.zero_grad()
        net(x.to(next(net.parameters()).dtype)).square().mean().backward()
        optimizer.step()


@pytest.mark.parametrize("device", ["host", "host:replicas=2", "host:replicas=4,ipus=2"])
@pytest.mark.parametrize(("ours", "theirs", "options"), OPTIMIZERS)
def test_updates_equal_torch(ours: type, theirs: type, options: dict, device: str) -> None:
    on_device, reference = recurrent_net(device), as_definition(recurrent_net(device))
    train(on_device, ours(on_device, **options))
    train(reference, theirs(reference.parameters(), **options))
    state = on_device.state_dict()
    for name, value in reference.state_dict().items():
        assert torch.allclose(state[name].double(), value.double(), rtol=1e-4, atol=1e-6), name
    assert not torch.equal(
        state["layers.0.recurrent_weight"], recurrent_net(device).layers[0].recurrent_weight
    )


def test_a_learnt_threshold_that_is_subtracted_from_a_state_is_the_hosts() -> None:
    learns = {"learn_threshold": True}
    below, subthreshold = SparseLIF(3, 4, **learns), SparseLIF(4, 4, reset="subtract", **learns)
    net = SNN(below, subthreshold, backend="ipu")
    optimizer = optim.SGD(net, lr=0.1)
    train_step(net, optimizer)
    _, state = net(torch.zeros(2, 1, 3), return_state=True)
    sentence = (
        "ipu engine: state: layer 1: expected no threshold that the device's optimizer learns and "
        "a reset subtracts where a state comes in: use torch's optimizer"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(torch.zeros(2, 1, 3), state.detach())
    with torch.no_grad():
        net(torch.zeros(2, 1, 3), state.detach())


def train_step(net: SNN, optimizer: torch.optim.Optimizer) -> None:
    net(torch.zeros(2, 1, net.in_features)).to_dense().sum().backward()
    optimizer.step()
