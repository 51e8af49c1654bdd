"""Updates on the device against torch's optimizers."""

from __future__ import annotations

import copy
import gc
import math
import re
from typing import Any

import numpy as np
import pytest
import torch

import popsnn
from popsnn import optim
from popsnn.engines.ipu_streams import halves, joined
from popsnn.nn import LI, SNN, SparseLIF

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


def make_net(
    bias: bool = True, learn: bool = False, device: str = "host", weight_dtype=None
) -> SNN:
    torch.manual_seed(0)
    hidden = SparseLIF(
        10,
        21,
        bias=bias,
        grad_threshold=0.3,
        learn_beta=learn,
        learn_threshold=learn,
        weight_dtype=weight_dtype,
    )
    readout = LI(21, 3, learn_beta=learn, weight_dtype=weight_dtype)
    with torch.no_grad():
        hidden.weight.normal_(0.3, 0.5)
        if learn:  # some decays begin beyond their end
            hidden.beta.uniform_(-0.1, 1.1)
            hidden.threshold.uniform_(0.7, 1.3)
            readout.beta.uniform_(0.8, 1.1)
    return SNN(hidden, readout, backend="ipu", device=device)


def batch(seed: int, size: int = 4) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(5, size, 10, generator=generator) < 0.3).float()


def train(net: SNN, optimizer, seeds, sizes=(4,)) -> None:
    for seed in seeds:
        optimizer.zero_grad()
        net(batch(seed, sizes[seed % len(sizes)])).square().mean().backward()
        optimizer.step()


CASES = [
    (optim.SGD, torch.optim.SGD, {"lr": 0.05}),
    (optim.SGD, torch.optim.SGD, {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.01}),
    (optim.SGD, torch.optim.SGD, {"lr": 0.05, "momentum": 0.9, "dampening": 0.5}),
    (optim.SGD, torch.optim.SGD, {"lr": 0.05, "momentum": 0.8, "nesterov": True}),
    (optim.Adam, torch.optim.Adam, {"lr": 0.01}),
    (optim.Adam, torch.optim.Adam, {"lr": 0.01, "betas": (0.8, 0.99), "weight_decay": 0.01}),
    (optim.AdamW, torch.optim.AdamW, {"lr": 0.01, "weight_decay": 0.5}),
]


@pytest.mark.parametrize(("ours", "theirs", "options"), CASES)
@pytest.mark.parametrize("sizes", [(4,), (4, 7)], ids=["one shape", "two shapes"])
def test_equals_torch(ours, theirs, options, sizes) -> None:
    device, host = make_net(), make_net()
    on_device = ours(device, **options)
    train(device, on_device, range(6), sizes)
    train(host, theirs(host.parameters(), **options), range(6), sizes)
    state = device.state_dict()
    for name, value in host.state_dict().items():
        assert torch.allclose(state[name].double(), value.double(), rtol=1e-4, atol=1e-6), name


@pytest.mark.parametrize(("ours", "theirs", "options"), CASES)
@pytest.mark.parametrize("device", ["host", "host:replicas=2", "host:checkpoint_interval=2"])
def test_decays_and_thresholds_learn_as_in_torch(ours, theirs, options, device: str) -> None:
    on_device, on_host = make_net(learn=True, device=device), make_net(learn=True)
    before = {name: value.clone() for name, value in on_host.state_dict().items()}
    train(on_device, ours(on_device, **options), range(6), (4, 7))
    train(on_host, theirs(on_host.parameters(), **options), range(6), (4, 7))
    state = on_device.state_dict()
    for name, value in on_host.state_dict().items():
        assert torch.allclose(state[name].double(), value.double(), rtol=1e-4, atol=1e-6), name
        assert name == "_calls" or not torch.equal(value, before[name]), name


def test_what_is_learnt_of_neurons_resumes_to_the_same_numbers() -> None:
    straight, first, second = (make_net(learn=True) for _ in range(3))
    train(straight, optim.Adam(straight, lr=0.01), range(6))
    optimizer = optim.Adam(first, lr=0.01)
    train(first, optimizer, range(3))
    resumed = optim.Adam(second, lr=0.01)
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    train(second, resumed, range(3, 6))
    expected, got = straight.state_dict(), second.state_dict()
    assert all(torch.equal(expected[name], got[name]) for name in expected)


def test_evaluation_sees_what_has_been_learnt_of_neurons() -> None:
    net, reference = make_net(learn=True), make_net(learn=True)
    optimizer = optim.SGD(net, lr=0.1)
    for seed in range(3):
        train(net, optimizer, [seed])
        train(reference, torch.optim.SGD(reference.parameters(), lr=0.1), [seed])
        with torch.no_grad():
            assert torch.allclose(net(batch(9, 6)), reference(batch(9, 6)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("ours", "theirs", "options"), CASES)
@pytest.mark.parametrize("device", ["host", "host:replicas=3"])
def test_equals_torch_with_weights_of_16_bits(ours, theirs, options, device) -> None:
    small = {**options, "lr": options["lr"] * (0.05 if ours is optim.SGD else 0.005)}
    on_device, host = (make_net(device=device, weight_dtype=torch.float16) for _ in range(2))
    before = copy.deepcopy(dict(host.named_parameters()))
    train(on_device, ours(on_device, **small), range(6), (4, 7))
    train(host, theirs(host.parameters(), **small), range(6), (4, 7))
    state = on_device.state_dict()
    for name, value in host.named_parameters():
        wrong = (state[name] - value).abs().max()
        assert wrong < 0.01 * (value - before[name]).abs().max()
        if name.endswith("weight"):
            assert wrong < 6 * 2.0**-23 * value.abs().max()


def test_steps_smaller_than_halves_can_tell_add_up() -> None:
    net = make_net(weight_dtype=torch.float16)
    before = net.layers[0].weight.detach().clone()
    optimizer = optim.SGD(net, lr=1e-5, weight_decay=1.0)
    for _ in range(12):
        net(torch.zeros(5, 4, 10)).sum().backward()
        optimizer.step()
    after = net.state_dict()["layers.0.weight"]
    assert torch.allclose(after / before, torch.full_like(before, 1 - 12e-5), rtol=0, atol=2e-6)
    assert (after.half() == before.half()).float().mean() > 0.5


def test_weights_of_16_bits_come_and_go_unchanged() -> None:
    net = make_net(weight_dtype=torch.float16)
    with torch.no_grad():
        net.layers[0].weight.mul_(10.0 ** torch.arange(-8.0, 2.0))
    before = copy.deepcopy(dict(net.named_parameters()))
    optimizer = optim.SGD(net, lr=0.0)
    train(net, optimizer, range(2))
    optimizer.pull()
    for name, value in net.named_parameters():
        assert torch.allclose(value, before[name], rtol=2.0**-23, atol=2.0**-36), name


def test_halves_and_their_rests_come_back_as_they_were() -> None:
    rng = np.random.default_rng(0)
    near = rng.standard_normal(100_000).astype(np.float16) * np.float16(0.1)
    near[::10] *= np.float16(2.0**-12)
    spacing = np.spacing(np.abs(near)).astype(np.float32)
    fraction = rng.uniform(-0.5, 0.5, near.size)  # some close to the middle of two halves
    fraction[::2] = np.sign(fraction[::2]) * (0.5 - 2.0 ** -rng.integers(8, 20, near[::2].size))
    value, rest = halves(near + spacing * fraction.astype(np.float32))
    again, left = halves(joined(value, rest))
    np.testing.assert_array_equal(again, value)
    # What the device's next step starts from.
    for of_rest in (rest, left):
        whole = value.astype(np.float32) + of_rest.astype(np.float32) / np.float32(2048)
        np.testing.assert_array_equal(whole, value + rest.astype(np.float32) / np.float32(2048))


def test_gradients_and_weights_stay_on_the_device() -> None:
    net = make_net()
    before = net.layers[0].weight.detach()
    initial = before.clone()
    optimizer = optim.SGD(net, lr=0.1)
    train(net, optimizer, range(2))
    assert net.layers[0].weight.grad is None
    assert torch.equal(before, initial)  # the memory of the host's, which nobody has read
    optimizer.pull()
    assert not torch.equal(net.layers[0].weight, initial)
    assert torch.equal(net.layers[0].weight, before)


def test_evaluation_in_between_sees_the_new_weights() -> None:
    net, reference = make_net(), make_net()
    optimizer = optim.SGD(net, lr=0.1)
    for seed in range(3):
        train(net, optimizer, [seed])
        train(reference, torch.optim.SGD(reference.parameters(), lr=0.1), [seed])
        with torch.no_grad():
            assert torch.allclose(net(batch(9, 6)), reference(batch(9, 6)), rtol=1e-4, atol=1e-5)


def test_weights_may_be_read_between_forward_and_backward() -> None:
    nets = [make_net(), make_net()]
    optimizers = [optim.SGD(net, lr=0.1) for net in nets]
    for net, optimizer in zip(nets, optimizers):
        train(net, optimizer, range(2))
        loss = net(batch(2)).square().mean()
        if net is nets[1]:
            optimizer.pull()
            with torch.no_grad():
                net(batch(9))
        loss.backward()
        optimizer.step()
        optimizer.pull()
    for parameter, other in zip(nets[0].parameters(), nets[1].parameters()):
        assert torch.equal(parameter, other)


def test_schedulers_change_the_rate() -> None:
    net = make_net()
    optimizer = optim.SGD(net, lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.0)
    train(net, optimizer, [0])
    scheduler.step()
    after_one = {k: v.clone() for k, v in net.state_dict().items()}
    train(net, optimizer, [1])
    state = net.state_dict()
    assert all(torch.equal(state[k], v) for k, v in after_one.items() if k != "_calls")


@pytest.mark.parametrize(("ours", "options"), [(case[0], case[2]) for case in CASES])
@pytest.mark.parametrize("bias", [True, False])
def test_resumes_to_the_same_numbers(ours, options, bias) -> None:
    straight = make_net(bias)
    train(straight, ours(straight, **options), range(6))
    first = make_net(bias)
    optimizer = ours(first, **options)
    train(first, optimizer, range(3))
    saved = copy.deepcopy((first.state_dict(), optimizer.state_dict()))
    second = make_net(bias)
    resumed = ours(second, **options)
    second.load_state_dict(saved[0])
    resumed.load_state_dict(saved[1])
    train(second, resumed, range(3, 6))
    expected, got = straight.state_dict(), second.state_dict()
    assert all(torch.equal(expected[name], got[name]) for name in expected)


def test_momentum_that_begins_late_begins_as_in_torch() -> None:
    device, host = make_net(), make_net()
    ours = optim.SGD(device, lr=0.05, dampening=0.5)
    theirs = torch.optim.SGD(host.parameters(), lr=0.05, dampening=0.5)
    for seed, momentum in enumerate((0.0, 0.9, 0.9, 0.0, 0.9)):
        for net, optimizer in ((device, ours), (host, theirs)):
            optimizer.param_groups[0]["momentum"] = momentum
            train(net, optimizer, [seed])
    state = device.state_dict()
    for name, value in host.state_dict().items():
        assert torch.allclose(state[name].double(), value.double(), rtol=1e-4, atol=1e-6), name


@pytest.mark.parametrize(("ours", "theirs", "options"), CASES)
def test_goes_on_from_the_state_of_torch(ours, theirs, options) -> None:
    host = make_net()
    optimizer = theirs(host.parameters(), **options)
    train(host, optimizer, range(2))
    device = make_net()
    device.load_state_dict(host.state_dict())
    on_device = ours(device)
    on_device.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    train(device, on_device, range(2, 4))
    train(host, optimizer, range(2, 4))
    state = device.state_dict()
    for name, value in host.state_dict().items():
        assert torch.allclose(state[name].double(), value.double(), rtol=1e-4, atol=1e-6), name


def test_a_loaded_state_is_a_copy() -> None:
    host, nets = make_net(), [make_net(), make_net()]
    optimizer = torch.optim.SGD(host.parameters(), lr=0.05, momentum=0.9)
    train(host, optimizer, range(2))
    loaded = [optim.SGD(net, lr=0.05, momentum=0.9) for net in nets]
    loaded[0].load_state_dict(copy.deepcopy(optimizer.state_dict()))
    loaded[1].load_state_dict(optimizer.state_dict())
    train(host, optimizer, [2])  # changes what its state_dict returned
    for net, tensor in zip(nets, loaded):
        train(net, tensor, [2])
    states = [net.state_dict() for net in nets]
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_push_takes_the_hosts_parameters() -> None:
    net = make_net()
    optimizer = optim.SGD(net, lr=0.0)
    train(net, optimizer, [0])
    optimizer.pull()
    with torch.no_grad():
        net.layers[1].weight.zero_()
        net.layers[1].bias.zero_()
    optimizer.push()
    assert float(net(batch(0)).detach().abs().max()) == 0.0


def test_loaded_weights_count() -> None:
    net = make_net()
    best = {k: v.clone() for k, v in net.state_dict().items()}
    expected = net.eval()(batch(9)).detach()
    optimizer = optim.SGD(net, lr=0.3)
    train(net.train(), optimizer, range(2))
    net.load_state_dict(best)
    assert torch.equal(net.eval()(batch(9)).detach(), expected)
    assert torch.equal(net.layers[0].weight, best["layers.0.weight"])


def test_copies_and_other_engines_see_trained_weights() -> None:
    net = make_net()
    train(net, optim.SGD(net, lr=0.3), range(2))
    net.eval()
    expected = net(batch(9)).detach()
    assert torch.equal(copy.deepcopy(net)(batch(9)).detach(), expected)
    net.backend = "torch"
    assert torch.allclose(net(batch(9)).detach(), expected, atol=1e-5)


def test_backward_of_an_earlier_pass_is_refused() -> None:
    net = make_net()
    optimizer = optim.SGD(net, lr=0.1)
    first = net(batch(0)).sum()
    net(batch(1, 3))
    with pytest.raises(RuntimeError, match="expected the last forward pass while the device"):
        first.backward()
    loss = net(batch(0)).sum()
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="expected one backward pass a step"):
        loss.backward()
    optimizer.step()
    with pytest.raises(RuntimeError, match="expected a backward pass since the last step"):
        optimizer.step()
    with pytest.raises(RuntimeError, match="expected the last forward pass while the device"):
        loss.backward()


def test_frozen_parameters_are_refused() -> None:
    net = make_net()
    net.layers[0].weight.requires_grad_(False)
    optimizer = optim.SGD(net, lr=0.1)
    with pytest.raises(ValueError, match=r"got layers\.0\.weight without"):
        train(net, optimizer, [0])


def test_parameters_frozen_while_training_are_refused() -> None:
    net = make_net()
    optimizer = optim.SGD(net, lr=0.1)
    train(net, optimizer, [0])
    net.layers[0].weight.requires_grad_(False)
    with pytest.raises(ValueError, match=r"got layers\.0\.weight without"):
        train(net, optimizer, [1])


def test_parameters_changed_on_the_host_want_a_push() -> None:
    net = make_net()
    optimizer = optim.SGD(net, lr=0.1)
    train(net, optimizer, [0])
    optimizer.pull()
    with torch.no_grad():
        net.layers[0].weight.mul_(0.5)
    with pytest.raises(RuntimeError, match=r"others from the host: call the optimizer's push"):
        net(batch(1))
    optimizer.push()
    train(net, optimizer, [1])


def test_last_optimizer_counts_and_the_hosts_after_it() -> None:
    net = make_net()
    first = optim.SGD(net, lr=0.1)
    train(net, first, [0])
    second = optim.Adam(net, lr=0.1)
    with pytest.raises(RuntimeError, match=r"optim.SGD: step: expected the network's last"):
        first.step()
    train(net, second, [1])
    del first, second
    gc.collect()
    net(batch(2)).sum().backward()
    assert net.layers[0].weight.grad is not None


def test_neuron_parameters_changed_between_steps_are_used() -> None:
    net, reference = make_net(), make_net()
    ours, theirs = optim.SGD(net, lr=0.1), torch.optim.SGD(reference.parameters(), lr=0.1)
    for seed, beta in enumerate((0.9, 0.2)):
        for each, optimizer in ((net, ours), (reference, theirs)):
            each.layers[0].beta = beta
            train(each, optimizer, [seed])
    state = net.state_dict()
    for name, value in reference.state_dict().items():
        assert torch.allclose(state[name].double(), value.double(), rtol=1e-4, atol=1e-6), name


def test_state_that_does_not_fit_is_refused() -> None:
    net = make_net()
    adam = optim.Adam(net)
    train(net, adam, [0])
    state = adam.state_dict()
    assert [tuple(e["exp_avg"].shape) for e in state["state"].values()] == [
        tuple(p.shape) for p in net.parameters()
    ]
    state["state"][1]["exp_avg"] = torch.zeros(5)
    with pytest.raises(ValueError, match=r"exp_avg of parameter 1: expected shape \(21,\)"):
        adam.load_state_dict(state)
    with pytest.raises(ValueError, match="add_param_group: expected one group, got a second"):
        adam.add_param_group({"params": [torch.nn.Parameter(torch.zeros(1))]})


def test_errors_say_what_was_expected() -> None:
    net = make_net()
    with pytest.raises(ValueError, match=r"optim.SGD: lr: expected a number of at least 0, got -1"):
        optim.SGD(net, lr=-1)
    with pytest.raises(ValueError, match=r"optim.Adam: betas: expected two numbers in \[0, 1\)"):
        optim.Adam(net, betas=(0.9, 1.0))
    with pytest.raises(ValueError, match=r"optim.AdamW: betas: expected two numbers in \[0, 1\)"):
        optim.AdamW(net, betas=(0.9,))  # type: ignore[arg-type]
    for options in ({}, {"momentum": 0.9, "dampening": 0.1}):
        with pytest.raises(
            ValueError, match=r"SGD: nesterov: expected momentum above 0 and dampening 0 with it"
        ):
            optim.SGD(net, nesterov=True, **options)
    with pytest.raises(TypeError, match=r"optim.SGD: nesterov: expected True or False, got 1"):
        optim.SGD(net, momentum=0.9, nesterov=1)  # type: ignore[arg-type]
    adam = optim.Adam(net)
    state = torch.optim.Adam(net.parameters(), amsgrad=True).state_dict()
    with pytest.raises(
        ValueError, match=r"optim.Adam: state_dict: amsgrad: expected False on the device, got True"
    ):
        adam.load_state_dict(state)
    with pytest.raises(RuntimeError, match="a backward pass since the last step, got none"):
        optim.SGD(net).step()
    net.backend = "torch"
    with pytest.raises(
        ValueError, match="expected a network on the ipu engine, got one on 'torch'"
    ):
        optim.SGD(net)


@pytest.mark.parametrize(
    ("kind", "option", "value", "sentence"),
    [
        (optim.SGD, "lr", -1.0, "lr: expected a number of at least 0, got -1.0"),
        (optim.SGD, "momentum", math.nan, "momentum: expected a number of at least 0, got nan"),
        (optim.SGD, "dampening", -0.1, "dampening: expected a number of at least 0, got -0.1"),
        (
            optim.SGD,
            "nesterov",
            True,
            "nesterov: expected momentum above 0 and dampening 0 with it, got 0.0 and 0.0",
        ),
        (optim.Adam, "lr", "fast", "lr: expected a number of at least 0, got fast"),
        (optim.Adam, "eps", math.inf, "eps: expected a number of at least 0, got inf"),
        (optim.Adam, "betas", (0.9, 1.0), "betas: expected two numbers in [0, 1), got (0.9, 1.0)"),
        (
            optim.AdamW,
            "weight_decay",
            None,
            "weight_decay: expected a number of at least 0, got None",
        ),
    ],
)
def test_options_that_are_changed_to_bad_values(
    kind: Any, option: str, value: Any, sentence: str
) -> None:
    net = make_net()
    optimizer = kind(net)
    good = optimizer.param_groups[0][option]
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    net(torch.ones(3, 2, net.in_features)).square().sum().backward()
    optimizer.param_groups[0][option] = value
    sentence = re.escape(f"optim.{kind.__name__}: {sentence}")
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        optimizer.step()
    saved = optimizer.state_dict()
    optimizer.param_groups[0][option] = good
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        optimizer.load_state_dict(saved)
    assert optimizer.param_groups[0][option] == good
    for name, tensor in net.state_dict().items():
        assert name == "_calls" or torch.equal(tensor, before[name]), name
    optimizer.step()
    assert not torch.equal(net.state_dict()["layers.0.weight"], before["layers.0.weight"])
