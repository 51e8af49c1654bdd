"""The ipu engine against the reference: the torch engine in float64."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import re
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.python.engines.agreement import SLOW, agrees, assert_close
from tests.python.engines.networks import SURROGATES, as_definition, networks, run

import popsnn
from popsnn.devices import parse
from popsnn.nn import LI, SNN, SparseLIF
from popsnn.surrogate import ATan, SuperSpike, Surrogate

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


@SLOW
@given(networks())
def test_equals_definition_without_drops(spec) -> None:
    assume(agrees(spec))


@SLOW
@given(networks(drops=True))
def test_equals_definition_with_drops(spec) -> None:
    assume(agrees(spec))


@pytest.mark.parametrize("surrogate", SURROGATES, ids=str)
@pytest.mark.parametrize("reset", ["zero", "subtract", "none"])
def test_every_surrogate_and_reset(surrogate: Surrogate, reset: str) -> None:
    hidden = {
        "bias": True, "delay": 0, "beta": 0.8, "gain": 1.0, "reset": reset,
        "detach_reset": False, "surrogate": surrogate, "grad_threshold": 0.4,
        "max_activity": None,
    }  # fmt: skip
    readout = {"bias": True, "delay": 1, "beta": 0.9, "gain": 1.0}
    specs = (
        {
            "sizes": [20, 33, 5], "layers": [hidden, readout], "steps": 6, "batch": 7,
            "density": 0.3, "seed": seed, "device": "host",
        }
        for seed in range(20)
    )  # fmt: skip
    assert any(agrees(spec) for spec in specs)


def test_membrane_exactly_at_threshold_fires() -> None:
    """Weights, decay and threshold that fp32 holds exactly: equality must agree bit for bit."""
    torch.manual_seed(0)
    net = SNN(SparseLIF(16, 24, beta=0.5, grad_threshold=0.5), LI(24, 3, beta=0.5), backend="ipu")
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.randint(-4, 6, parameter.shape) / 4)
    x = (torch.rand(6, 5, 16) < 0.3).float()
    expected, expected_grads = run(as_definition(net), x.double(), 0)[2:]
    membrane = expected[0].membrane
    assert bool((membrane == 1.0).any())
    assert bool((membrane == 0.5).any())
    traces, grads = run(net, x, 0)[2:]
    assert torch.equal(traces[0].membrane.double(), membrane)
    assert torch.equal(traces[0].spikes.ids, expected[0].spikes.ids)
    for name, gradient in expected_grads.items():
        assert_close(name, grads[name], gradient)


def small_net(**options) -> SNN:
    torch.manual_seed(1)
    hidden = SparseLIF(12, 30, max_activity=0.5, grad_threshold=0.3)
    net = SNN(hidden, LI(30, 4), backend="ipu", **options)
    with torch.no_grad():
        hidden.weight.normal_(0.2, 0.6)
    return net


def small_input(seed: int, batch: int = 5) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(6, batch, 12, generator=generator) < 0.3).float()


def test_per_neuron_beta_and_threshold() -> None:
    torch.manual_seed(3)
    beta, threshold = torch.rand(30), 0.8 + torch.rand(30)
    hidden = SparseLIF(12, 30, beta=beta, threshold=threshold, grad_threshold=0.5)
    with torch.no_grad():
        hidden.weight.normal_(0.2, 0.6)
    net = SNN(hidden, LI(30, 4, beta=torch.rand(4)), backend="ipu")
    x = small_input(0)
    expected, expected_grads = run(as_definition(net), x.double(), 0)[2:]
    traces, grads = run(net, x, 0)[2:]
    assert torch.equal(traces[0].spikes.ids, expected[0].spikes.ids)
    for name, gradient in expected_grads.items():
        assert_close(name, grads[name], gradient)


def test_wide_layer_uses_32_bit_ids() -> None:
    torch.manual_seed(0)
    size = 66_000
    net = SNN(SparseLIF(size, 3, grad_threshold=0.5), LI(3, 2), backend="ipu", device="host")
    events = torch.tensor([[0, 0, 65_999], [0, 0, 7], [1, 1, 65_536], [1, 0, 65_535]])
    x = popsnn.SpikeTensor.from_events(events, (2, 2, size))
    reference = as_definition(net)
    out, expected = net(x), reference(x)
    assert_close("out", out, expected.detach())
    out.sum().backward()
    expected.sum().backward()
    assert_close("weight", net.layers[0].weight.grad, reference.layers[0].weight.grad)


@example(steps=1, batch=1)
@given(steps=st.integers(1, 3), batch=st.integers(1, 3))
@settings(max_examples=4, deadline=None)
def test_empty_lists(steps: int, batch: int) -> None:
    net = small_net()
    x = popsnn.SpikeTensor.from_events(torch.zeros(0, 3, dtype=torch.int64), (steps, batch, 12))
    out = net(x)
    expected = as_definition(net)(x)
    assert_close("out", out, expected.detach())
    out.sum().backward()


def test_more_spikes_before_than_the_input_has_slots() -> None:
    torch.manual_seed(0)
    net = SNN(SparseLIF(12, 9, delay=1, grad_threshold=0.3), LI(9, 3), backend="ipu")
    reference = as_definition(net)
    first = torch.ones(1, 2, 12)
    second = (torch.rand(3, 2, 12) < 0.2).float()
    inputs = []
    for network in (net, reference):
        dtype = network.layers[0].weight.dtype
        _, state = network(first.to(dtype), return_state=True)
        x = second.to(dtype).clone().requires_grad_()
        network(
            popsnn.SpikeTensor.from_dense(x, capacity=8), state.detach()
        ).square().sum().backward()
        inputs.append(x)
    assert_close("x", inputs[0].grad, inputs[1].grad)


def test_backward_after_another_forward_repeats_its_own() -> None:
    net = small_net()
    first, second = small_input(0), small_input(1)
    expected = []
    for x in (first, second):
        net.zero_grad()
        net(x).square().sum().backward()
        expected.append(net.layers[0].weight.grad.clone())
    net.zero_grad()
    net._calls.zero_()
    losses = [net(x).square().sum() for x in (first, second)]
    for loss, gradient in zip(losses, expected):
        net.zero_grad()
        loss.backward()
        # drops hash the call's number: the repeated forward pass must use its own
        assert torch.allclose(net.layers[0].weight.grad, gradient)


def test_backward_after_parameters_changed_says_so() -> None:
    net = small_net()
    loss = net(small_input(0)).sum()
    net(small_input(1))
    with torch.no_grad():
        net.layers[0].weight.mul_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_gradient_reaches_a_host_layer_before_the_network() -> None:
    net = small_net()
    x = small_input(0).requires_grad_()
    (2.0 * net(x)).sum().backward()
    reference = as_definition(net)
    reference._calls.zero_()
    y = small_input(0).double().requires_grad_()
    (2.0 * reference(y)).sum().backward()
    assert_close("x", x.grad, y.grad)


@pytest.mark.parametrize(
    ("option", "value"),
    [("gain", 0.4), ("surrogate", ATan()), ("reset", "none"), ("detach_reset", False)],
)
def test_changed_options_are_used(option: str, value: object) -> None:
    net, x = small_net(), small_input(0)
    net(x)
    setattr(net.layers[0], option, value)
    expected, expected_grads = run(as_definition(net), x.double(), 0)[2:]
    traces, grads = run(net, x, 0)[2:]
    assert_close("membrane", traces[0].membrane, expected[0].membrane)
    for name, gradient in expected_grads.items():
        assert_close(name, grads[name], gradient)


def test_changed_layer_and_neurons_are_used() -> None:
    net, x = small_net(), small_input(0)
    net(x)
    net.layers[1] = LI(30, 4, gain=3.0)
    net.layers[0].beta = 0.3
    expected, _ = run(as_definition(net), x.double(), 0)[2:]
    traces, _ = run(net, x, 0)[2:]
    assert_close("readout", traces[1].membrane, expected[1].membrane)


def test_loss_of_a_membrane_says_where_it_works() -> None:
    _, traces = small_net()(small_input(0), trace=True)
    sentence = (
        "ipu engine: backward: expected a loss of outputs, spikes and states, got one of a trace's "
        "membrane: its gradient is on the torch engine"
    )
    with pytest.raises(RuntimeError, match=f"^{re.escape(sentence)}$"):
        traces[0].membrane.sum().backward()


def test_second_derivatives_are_refused() -> None:
    net, x = small_net(), small_input(0).requires_grad_()
    with pytest.raises(RuntimeError, match="expected create_graph=False, got True"):
        torch.autograd.grad(net(x).sum(), x, create_graph=True)


def test_networks_that_are_gone_leave_nothing() -> None:
    net = small_net()
    net(small_input(0)).sum().backward()
    gone = weakref.ref(net)
    del net
    gc.collect()
    assert gone() is None


def test_copies_and_pickles_run() -> None:
    net, x = small_net(), small_input(0)
    expected = net(x).detach()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        other._calls.zero_()
        assert torch.equal(other(x).detach(), expected)


def test_threads_take_turns() -> None:
    net = small_net().eval()
    inputs = [small_input(seed) for seed in range(4)]
    with torch.no_grad():
        expected = [net(x) for x in inputs]
        with ThreadPoolExecutor(4) as pool:
            got = list(pool.map(lambda x: no_grad(net, x), inputs * 10))
    assert all(torch.equal(a, b) for a, b in zip(got, expected * 10))


def no_grad(net: SNN, x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return net(x)


def test_a_fork_ends() -> None:
    """A data loader's worker has the network in its memory, but not the threads."""
    code = """
import os, torch
from popsnn.nn import LI, SNN
net = SNN(LI(4, 2), backend="ipu")
x = torch.ones(2, 3, 4)
net(x)
child = os.fork()
if child == 0:
    net(x)
    del net
    raise SystemExit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_five_layers_in_step_on_the_default_device() -> None:
    torch.manual_seed(0)
    layers = [SparseLIF(8, 8, delay=1, threshold=0.2) for _ in range(4)]
    net = SNN(*layers, LI(8, 3, delay=1), backend="ipu")
    x = (torch.rand(7, 2, 8) < 0.5).float()
    assert_close("out", net(x), as_definition(net)(x.double()).detach())


def test_membranes_that_are_no_numbers_reach_the_gradient() -> None:
    net = small_net()
    net.check_input = False
    with torch.no_grad():
        net.layers[0].weight[3].fill_(math.nan)
    reference = as_definition(net)
    for each, x in ((net, small_input(0)), (reference, small_input(0).double())):
        each(x).sum().backward()
    assert net.stats() == reference.stats()
    got, expected = (n.layers[0].weight.grad.isnan() for n in (net, reference))
    assert bool(expected.any())
    assert torch.equal(got, expected)


@pytest.mark.parametrize("counts", [[-1, 1], [3, 2], [0, 13]])
def test_counts_out_of_range_do_not_reach_the_device(counts: list[int]) -> None:
    x = popsnn.SpikeTensor.from_dense(small_input(0))
    x.counts[0, 0] = torch.tensor(counts)
    with pytest.raises(ValueError, match=r"expected counts 0 <= fired <= active <= 12, got \["):
        small_net()(x)


def test_without_grad_there_is_no_graph() -> None:
    net = small_net().eval()
    with torch.no_grad():
        out = net(small_input(0))
    assert not out.requires_grad


@pytest.mark.parametrize("device", ["ipu2:tiles=64", "bow:tiles=40", "host"])
def test_devices_agree(device: str) -> None:
    out = small_net(device=device)(small_input(0)).detach()
    expected = small_net(device="host:tiles=4")(small_input(0)).detach()
    assert torch.allclose(out, expected, rtol=1e-6, atol=1e-6)


def test_changed_device_is_used() -> None:
    net = small_net()
    net(small_input(0))
    net.device = parse("ipu2:tiles=2,bytes_per_tile=4096")
    with pytest.raises(RuntimeError, match="plan: a network of 34 neurons"):
        net(small_input(0))


def test_network_larger_than_the_device_says_by_how_much() -> None:
    net = small_net(device="ipu2:tiles=2,bytes_per_tile=4096")
    with pytest.raises(
        RuntimeError,
        match=r"plan: a network of 34 neurons, 6 steps and batch 5 needs \d+ bytes on tile \d+, "
        r"each of the device's 2 tiles holds 4096",
    ):
        net(small_input(0))


def test_float64_parameters_are_not_supported() -> None:
    with pytest.raises(ValueError, match=r"float32 tensor on the CPU, got torch\.float64"):
        SNN(SparseLIF(3, 4).double(), backend="ipu")


def test_a_surrogate_without_a_translation_is_refused() -> None:
    class Mine(SuperSpike):
        def derivative(self, x: torch.Tensor) -> torch.Tensor:
            return torch.erfc(x)

    line = Mine.derivative.__code__.co_firstlineno + 1
    sentence = f"layer 0: surrogate: Mine: derivative: line {line} of test_ipu_engine.py: expected"
    with pytest.raises(ValueError, match=sentence):
        SNN(SparseLIF(3, 4, surrogate=Mine()), backend="ipu")


def test_ids_out_of_range_do_not_reach_the_device() -> None:
    x = popsnn.SpikeTensor.from_dense(small_input(0))
    x.ids[0, 0, 0] = 12
    with pytest.raises(ValueError, match=r"ipu engine: x: expected ids in 0\.\.11, got 12"):
        small_net()(x)
