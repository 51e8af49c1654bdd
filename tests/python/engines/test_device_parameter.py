"""Reads on the host of parameters that a device trains."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import re
import weakref
from typing import Any, Callable

import pytest
import torch
from torch import Tensor
from torch.nn.utils import parameters_to_vector, vector_to_parameters
from torch.optim.swa_utils import AveragedModel

import popsnn
from popsnn import optim
from popsnn.engines.device_parameter import DeviceParameter
from popsnn.engines.ipu_engine import session_of
from popsnn.engines.ipu_executable import Executable
from popsnn.nn import LI, SNN, SparseLIF

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)

CHANGED = "others from the host: call the optimizer's push()"


def net_of() -> SNN:
    torch.manual_seed(0)
    hidden = SparseLIF(6, 8, learn_beta=True, recurrent=True)
    with torch.no_grad():
        hidden.weight.normal_(0.3, 0.5)
    return SNN(hidden, LI(8, 3, learn_beta=True), backend="ipu")


def frames(seed: int) -> Tensor:
    return (torch.rand(5, 3, 6, generator=torch.Generator().manual_seed(seed)) < 0.5).float()


def train(net: SNN, optimizer: Any, steps: range) -> None:
    for seed in steps:
        optimizer.zero_grad()
        net(frames(seed)).square().mean().backward()
        optimizer.step()


def trained(steps: int) -> dict[str, Tensor]:
    net = net_of()
    optimizer = optim.Adam(net, lr=0.05)
    train(net, optimizer, range(steps))
    optimizer.pull()
    return {name: value.detach().clone() for name, value in net.named_parameters()}


def saved(value: Any) -> Any:
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


def average(net: SNN) -> Tensor:
    model = AveragedModel(net)
    model.n_averaged.fill_(1)
    model.update_parameters(net)
    return model.module.layers[0].weight


READERS: dict[str, Callable[[SNN], Tensor]] = {
    "pull": lambda net: session_of(net).pull() or net.layers[0].weight,
    "state_dict of the network": lambda net: net.state_dict()["layers.0.weight"],
    "state_dict of a layer": lambda net: net.layers[0].state_dict()["weight"],
    "state_dict of parameters": lambda net: net.state_dict(keep_vars=True)["layers.0.weight"],
    "save of a layer": lambda net: saved(net.layers[0]).weight,
    "save of a parameter": lambda net: saved(net.layers[0].weight),
    "pickle of the network": lambda net: pickle.loads(pickle.dumps(net)).layers[0].weight,
    "copy of a layer": lambda net: copy.deepcopy(net.layers[0]).weight,
    "copy of a parameter": lambda net: copy.copy(net.layers[0].weight),
    "parameters_to_vector": lambda net: parameters_to_vector(net.parameters())[:48].view(8, 6),
    "average": average,
    "data": lambda net: net.layers[0].weight.data,
    "detach": lambda net: torch.from_numpy(net.layers[0].weight.detach().numpy()),
    "clone": lambda net: net.layers[0].weight.clone(),
    "stack": lambda net: torch.stack(list(net.layers[0].weight)),
    "foreach": lambda net: torch._foreach_add([net.layers[0].weight], 0.0)[0],
    "numbers": lambda net: torch.tensor(net.layers[0].weight.tolist()),
    "another parameter": lambda net: torch.zeros(8, 6).copy_(net.layers[0].weight),
    "double": lambda net: copy.deepcopy(net.layers[0].double()).weight.float(),
    "a product": lambda net: torch.nn.functional.linear(torch.eye(6), net.layers[0].weight).t(),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_read_gets_the_values_of_the_device(reader: str) -> None:
    net = net_of()
    optimizer = optim.Adam(net, lr=0.05)
    train(net, optimizer, range(3))
    got = READERS[reader](net).detach()
    assert torch.equal(got, trained(3)["layers.0.weight"])
    if reader == "double":  # which the engine does not run
        return
    train(net, optimizer, range(3, 5))
    for name, value in net.named_parameters():
        assert torch.equal(value, trained(5)[name]), name
    assert type(net.layers[0].weight) is torch.nn.Parameter


def test_an_average_over_every_step_is_that_of_torch() -> None:
    nets, averages = [net_of(), net_of()], []
    for net, optimizer in zip(nets, (optim.SGD(nets[0], lr=0.1), None)):
        optimizer = optimizer or torch.optim.SGD(net.parameters(), lr=0.1)
        averages.append(AveragedModel(net))
        for seed in range(4):
            train(net, optimizer, range(seed, seed + 1))
            averages[-1].update_parameters(net)
    for got, expected in zip(averages[0].parameters(), averages[1].parameters()):
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-6)
        assert not torch.equal(got, nets[0].layers[0].weight)


@pytest.mark.parametrize("backend", ["ipu", "torch"])
def test_another_network_computes_with_the_values_of_the_device(backend: str) -> None:
    net = net_of()
    other = SNN(net.layers[0], LI(8, 2), backend=backend).eval()
    x = frames(9)
    before = other(x).detach()
    optimizer = optim.Adam(net, lr=0.05)
    train(net, optimizer, range(3))
    got, alone = other(x).detach(), net.layers[0](x).to_dense()
    plain = copy.deepcopy(other)
    plain.layers[0].load_state_dict(net.layers[0].state_dict())
    assert torch.equal(got, plain(x).detach())
    assert not torch.equal(got, before)
    assert torch.equal(alone, plain.layers[0](x).to_dense())


def test_a_layer_in_two_trained_networks_needs_a_push() -> None:
    ends = []
    for on_device in (True, False):
        net = net_of()
        other = SNN(net.layers[0], LI(8, 2), backend="ipu")
        first, second = (
            optim.SGD(each, lr=0.1) if on_device else torch.optim.SGD(each.parameters(), lr=0.1)
            for each in (net, other)
        )
        train(net, first, range(1))
        train(other, second, range(1, 2))
        if on_device:
            with pytest.raises(RuntimeError, match=re.escape(CHANGED)):
                train(net, first, range(2, 3))
            first.push()
        train(net, first, range(2, 3))
        ends.append([p.detach().clone() for p in (*net.parameters(), *other.parameters())])
    for got, expected in zip(*ends):
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-6)


def test_a_step_after_another_network_has_trained_the_layer_says_so() -> None:
    net = net_of()
    other = SNN(net.layers[0], LI(8, 2), backend="ipu")
    optimizers = optim.SGD(net, lr=0.1), optim.SGD(other, lr=0.1)
    net(frames(0)).sum().backward()
    train(other, optimizers[1], range(1))
    with pytest.raises(RuntimeError, match=re.escape(CHANGED)):
        optimizers[0].step()


def test_a_training_step_reads_no_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    read = Executable.read_parameters
    monkeypatch.setattr(
        Executable,
        "read_parameters",
        lambda self, parameters: (reads.append(1), read(self, parameters)),
    )
    net = net_of()
    optimizer = optim.AdamW(net)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    for seed in range(3):
        train(net, optimizer, range(seed, seed + 1))
        scheduler.step()
        optimizer.state_dict()
        assert {p.device.type for p in net.parameters()} == {"cpu"}
        assert net.stats()
        dict.fromkeys(net.parameters())
        assert all(isinstance(p, torch.nn.Parameter) for p in net.parameters())
    assert not reads
    assert type(net.layers[0].weight) is DeviceParameter
    net.layers[0].weight.norm()
    assert reads == [1]
    train(net, optimizer, range(3, 4))
    repr(net)  # which shows values
    assert len(reads) == 2


def test_changes_through_older_aliases_need_a_push() -> None:
    net = net_of()
    optimizer = optim.SGD(net, lr=0.1)
    alias = net.layers[0].weight.detach()
    train(net, optimizer, range(1))
    alias.zero_()
    for read in (net.state_dict, optimizer.pull, lambda: net(frames(0))):
        with pytest.raises(RuntimeError, match=re.escape(CHANGED)):
            read()
    optimizer.push()
    assert int(net.layers[0].weight.count_nonzero()) == 0  # what changed, and only that
    expected = net_of()
    train(expected, optim.SGD(expected, lr=0.1), range(1))
    assert torch.equal(net.layers[1].weight, expected.layers[1].weight)


@pytest.mark.parametrize(
    "change",
    [
        lambda weight: weight.data.clamp_(-0.1, 0.1),
        lambda weight: weight.detach().numpy().__imul__(0.5),
        lambda weight: vector_to_parameters(torch.zeros(weight.numel()), [weight]),
    ],
    ids=["clamp of the data", "numpy", "vector_to_parameters"],
)
def test_every_change_on_the_host_is_noticed(change: Callable[[Tensor], Any]) -> None:
    net = net_of()
    net.check_input = False  # which would refuse NaN first
    optimizer = optim.SGD(net, lr=0.1)
    train(net, optimizer, range(1))
    change(net.layers[0].weight)
    with pytest.raises(RuntimeError, match=re.escape(CHANGED)):
        net(frames(1))
    host = net.layers[0].weight.detach().clone()
    optimizer.push()
    net(frames(1))
    optimizer.param_groups[0]["lr"] = 0.0
    assert torch.equal(net.layers[0].weight, host)


def test_a_replaced_parameter_needs_a_push() -> None:
    net = net_of()
    optimizer = optim.SGD(net, lr=0.1)
    old = net.layers[0].weight
    train(net, optimizer, range(1))
    net.layers[0].weight = torch.nn.Parameter(torch.zeros(8, 6))
    with pytest.raises(RuntimeError, match=re.escape(CHANGED)):
        net(frames(1))
    expected = net_of()
    train(expected, optim.SGD(expected, lr=0.1), range(1))
    optimizer.push()
    assert torch.equal(old, expected.layers[0].weight)
    assert torch.equal(net.layers[1].weight, expected.layers[1].weight)
    assert int(net.layers[0].weight.count_nonzero()) == 0


def test_reads_of_gradients_on_the_device_are_refused() -> None:
    net = net_of()
    optimizer = optim.SGD(net, lr=0.1)
    for _ in range(2):
        net(frames(0)).sum().backward()
        with pytest.raises(
            RuntimeError,
            match=re.escape(
                "ipu engine: grad: expected no read between backward() and step() of a gradient "
                "that stays on the device, got one: clip_grad_norm_ and other functions of "
                "gradients need an optimizer of torch"
            ),
        ):
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        assert torch.isfinite(net.layers[0].weight).all()
        optimizer.step()
        assert net.layers[0].weight.grad is None
    net(frames(0)).sum().backward()
    optimizer.zero_grad()
    assert net.layers[0].weight.grad is None


def test_hooks_on_gradients_on_the_device_are_refused() -> None:
    net = net_of()
    optimizer = optim.SGD(net, lr=0.1)
    train(net, optimizer, range(1))
    handle = net.layers[1].bias.register_hook(lambda grad: 2 * grad)
    sentence = (
        "ipu engine: parameters: expected none with hooks on its gradient, which stays on the "
        "device that updates them, got layers.1.bias with one"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(frames(1))
    handle.remove()
    train(net, optimizer, range(1))


def test_subclasses_of_parameters_are_refused() -> None:
    class Own(torch.nn.Parameter):
        pass

    net = net_of()
    net.layers[0].weight = Own(torch.zeros(8, 6))
    optimizer = optim.SGD(net, lr=0.1)
    sentence = (
        "ipu engine: parameters: expected each to be a torch.nn.Parameter while the device updates "
        "them, got layers.0.weight of Own"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        train(net, optimizer, range(1))


def test_the_backward_pass_of_an_older_forward_pass_is_refused() -> None:
    net = net_of()
    loss = net(frames(0)).sum()
    optimizer = optim.SGD(net, lr=0.1)
    train(net, optimizer, range(1))
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_layer_that_outlives_its_network_has_the_values_of_the_device() -> None:
    expected = trained(3)["layers.0.weight"]
    net = net_of()
    layer, optimizer = net.layers[0], optim.Adam(net, lr=0.05)
    train(net, optimizer, range(3))
    session = weakref.ref(session_of(net))
    gc.collect()
    gc.disable()
    try:
        del net, optimizer
        assert torch.equal(layer.weight, expected)
        layer.bias.sum()
        assert session() is None
    finally:
        gc.enable()
