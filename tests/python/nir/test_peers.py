"""snnTorch, norse and SpikingJelly: the same outputs of our files there, and of theirs here.

Each package is optional. What none of them gets right is left out: snnTorch takes IF for a LIF of
its own, norse takes the resistance of LIF for 1, and both flatten the batch with the samples.
"""

from __future__ import annotations

import contextlib
import io
import logging
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, Tuple

import pytest
import torch
from torch import Tensor

import popsnn
from popsnn import neurons, nn

nir = pytest.importorskip("nir")
pytest.importorskip("nirtorch")

from tests.python.nir.graphs import assert_same  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
DT = 1e-4  # which snnTorch takes
Sequential, linear, over_time = torch.nn.Sequential, torch.nn.Linear, nn.TimeDistributed
PACKAGES = ("snntorch", "norse", "spikingjelly")


def steps(net: Any, x: Tensor) -> Tensor:
    """Return the outputs of a network that takes one time step, and a state where it gives one."""
    state, out = None, []
    for each in x:
        result = net(each) if state is None else net(each, state)
        result, state = result if isinstance(result, tuple) else (result, None)
        out.append(result)
    return torch.stack(out).detach()


def imported(package: str, graph: Any) -> Any:
    """Return the network that a package makes of a graph."""
    logging.getLogger().setLevel(logging.ERROR)
    with contextlib.redirect_stdout(io.StringIO()):
        if package == "snntorch":
            return import_module("snntorch.import_nir").import_from_nir(graph)
        if package == "norse":
            return import_module("norse.torch.utils.import_nir").from_nir(graph, dt=DT)
        exchange = import_module("spikingjelly.activation_based.nir_exchange")
        return exchange.import_from_nir(graph, dt=DT)


def convolutions() -> torch.nn.Module:
    """Return a network over images [2, 8, 8]."""
    conv = torch.nn.Conv2d(2, 4, 3, padding=1)
    return Sequential(
        over_time(conv), nn.LIF(0.8), over_time(torch.nn.Conv2d(4, 3, 3)), nn.LIF(0.7)
    )


Network = Tuple[Callable[[], torch.nn.Module], Tuple[int, ...], Tuple[str, ...]]
OURS: Dict[str, Network] = {
    "lif": (
        lambda: Sequential(linear(4, 8), nn.LIF(0.9), linear(8, 5, bias=False), nn.LIF(0.7, 0.5)),
        (4,),
        PACKAGES,
    ),
    "cuba": (
        lambda: Sequential(linear(4, 8), nn.SynapticLIF(0.8, 0.9), linear(8, 3), nn.LIF(0.7)),
        (4,),
        PACKAGES,
    ),
    "if": (lambda: Sequential(linear(4, 8), nn.IF()), (4,), ("norse", "spikingjelly")),
    "recurrent": (
        lambda: Sequential(linear(4, 8), nn.RecurrentLIF(8), linear(8, 3), nn.LIF()),
        (4,),
        PACKAGES,
    ),
    "recurrent cuba": (
        lambda: Sequential(linear(4, 8), nn.RecurrentSpiking(neurons.SynapticLIF(), 8)),
        (4,),
        PACKAGES,
    ),
    "sparse": (lambda: nn.SNN(nn.SparseLIF(4, 16), nn.SparseLIF(16, 3)), (4,), PACKAGES),
    "convolutions": (convolutions, (2, 8, 8), PACKAGES),
    "mean pool": (
        lambda: Sequential(convolutions(), over_time(torch.nn.AvgPool2d(2))),
        (2, 8, 8),
        ("snntorch", "spikingjelly"),
    ),
    "sum pool": (
        lambda: Sequential(convolutions(), over_time(torch.nn.LPPool2d(1, 2))),
        (2, 8, 8),
        PACKAGES,
    ),
    "flatten": (
        lambda: Sequential(convolutions(), torch.nn.Flatten(2), linear(108, 3), nn.LIF()),
        (2, 8, 8),
        ("spikingjelly",),
    ),
}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("name", OURS)
def test_our_files_run_there(name: str, package: str, tmp_path: Path) -> None:
    make, shape, packages = OURS[name]
    if package not in packages:
        pytest.skip(f"{package} has no {name}, or another")
    pytest.importorskip(package)
    net = make()
    for weight in net.parameters():
        weight.data *= 3
    x = (torch.randn(30, 3, *shape) > 0).float()
    popsnn.nir.write(
        tmp_path / "net.nir", net, dt=DT, input_shape=shape, strict=package != "spikingjelly",
        unit_resistance=package == "norse",
    )  # fmt: skip
    theirs = steps(imported(package, nir.read(tmp_path / "net.nir")), x)
    ours: Any = net(x)
    ours = ours.to_dense() if isinstance(ours, popsnn.SpikeTensor) else ours
    assert 0 < float(ours.mean()) < 1
    assert torch.equal(theirs, ours)


def test_leaky_integrators_run_in_norse() -> None:
    pytest.importorskip("norse")
    graph = popsnn.nir.to_nir(nn.Spiking(neurons.LI()), dt=DT, input_shape=5)
    node = graph.nodes["spiking"]
    node.r, node.v_leak = torch.ones(5).numpy(), torch.rand(5).numpy()
    x = torch.randn(30, 3, 5)
    theirs = steps(imported_li(node), x)
    torch.testing.assert_close(popsnn.nir.from_nir(graph, dt=DT)(x), theirs)


def imported_li(node: Any) -> Any:
    """Return norse's module of a node LI, which its import leaves out."""
    norse = import_module("norse.torch")
    values = norse.LIBoxParameters(
        tau_mem_inv=torch.tensor(1 / node.tau).float(), v_leak=torch.tensor(node.v_leak)
    )
    return norse.LIBoxCell(p=values, dt=DT)


def full(size: int, value: float) -> Tensor:
    return torch.full((size,), value)


def leaky(size: int, decay: float, **options: Any) -> Any:
    snntorch = import_module("snntorch")
    given = dict(init_hidden=True, reset_mechanism="zero", **options)
    return snntorch.Leaky(full(size, decay), threshold=full(size, 0.7), **given)


def snntorch_networks() -> Dict[str, torch.nn.Module]:
    snntorch = import_module("snntorch")
    given: Any = {
        "threshold": full(3, 0.5),
        "init_hidden": True,
        "reset_mechanism": "zero",
        "reset_delay": False,
        "output": True,
    }
    tails = {
        "Leaky": leaky(3, 0.8, output=True),
        "Synaptic": snntorch.Synaptic(full(3, 0.6), full(3, 0.8), **given),
        "RLeaky": snntorch.RLeaky(full(3, 0.8), linear_features=3, **given),
        "RLeaky one to one": snntorch.RLeaky(full(3, 0.8), full(3, 0.4), all_to_all=False, **given),
    }
    return {
        name: Sequential(linear(4, 8), leaky(8, 0.9), linear(8, 3), tail)
        for name, tail in tails.items()
    }


@pytest.mark.parametrize("name", ["Leaky", "Synaptic", "RLeaky", "RLeaky one to one"])
def test_files_of_snntorch_run_here(name: str, tmp_path: Path) -> None:
    pytest.importorskip("snntorch")
    net = snntorch_networks()[name]
    for weight in net.parameters():
        weight.data *= 2
    export = import_module("snntorch.export_nir").export_to_nir
    graph = export(net, torch.rand(1, 4), ignore_dims=[0])
    for module in net:
        getattr(module, "reset_mem", lambda: None)()
    x = 3 * torch.randn(40, 3, 4)
    theirs = torch.stack([net(each)[0] for each in x]).detach()
    check(graph, x, theirs, tmp_path, DT)


def test_files_of_recurrent_synapses_of_snntorch_run_here(tmp_path: Path) -> None:
    # snnTorch 1.0 neither runs them with its own reset of NIR nor reads them: SpikingJelly does.
    snntorch = pytest.importorskip("snntorch")
    pytest.importorskip("spikingjelly")
    options: Any = {"init_hidden": True, "reset_mechanism": "zero", "output": True}
    tail = snntorch.RSynaptic(
        full(3, 0.6), full(3, 0.8), threshold=full(3, 0.5), linear_features=3, **options
    )
    net = Sequential(linear(4, 3), tail)
    for weight in net.parameters():
        weight.data *= 2
    tail.recurrent.bias.data.zero_()  # nirtorch, which runs it, leaves it out of the first step
    export = import_module("snntorch.export_nir").export_to_nir
    graph = export(net, torch.rand(1, 4), ignore_dims=[0])
    x = 3 * torch.randn(40, 3, 4)
    theirs = steps(imported("spikingjelly", graph), x)
    check(graph, x, theirs, tmp_path, DT, strict=False)


def test_files_of_norse_run_here(tmp_path: Path) -> None:
    # norse 1.1 writes tau dt in place of tau, and reads tau.
    norse, dt = pytest.importorskip("norse.torch"), 1e-3
    lif = norse.LIFBoxParameters(tau_mem_inv=full(8, 100), v_leak=full(8, 0.1), v_th=full(8, 0.3))
    li = norse.LIBoxParameters(tau_mem_inv=full(3, 150), v_leak=full(3, 0.2))
    net = norse.SequentialState(
        linear(4, 8), norse.LIFBoxCell(lif), linear(8, 3), norse.LIBoxCell(p=li)
    )
    graph = import_module("norse.torch.utils.export_nir").to_nir(net, torch.rand(1, 4), dt=dt)
    x = 5 * torch.randn(40, 3, 4)
    check(graph, x, steps(net, x), tmp_path, dt * dt, batch_axis=True)


def test_files_of_integrate_and_fire_neurons_of_norse_run_here(tmp_path: Path) -> None:
    norse = pytest.importorskip("norse.torch")
    cell = norse.IAFCell(norse.IAFParameters(v_th=full(8, 2)))
    net = norse.SequentialState(linear(4, 8), cell)
    graph = import_module("norse.torch.utils.export_nir").to_nir(net, torch.rand(1, 4))
    x = 3 * torch.randn(40, 3, 4)
    check(graph, x, steps(net, x), tmp_path, 1.0, batch_axis=True)  # its step has no dt


@pytest.mark.parametrize("reset", [0.0, -0.25])
def test_files_of_spikingjelly_run_here(reset: float, tmp_path: Path) -> None:
    pytest.importorskip("spikingjelly")
    package = "spikingjelly.activation_based"
    layer, neuron = import_module(f"{package}.layer"), import_module(f"{package}.neuron")
    net = Sequential(
        layer.Conv2d(2, 4, 3, padding=1), neuron.IFNode(v_reset=reset), layer.AvgPool2d(2, 2),
        layer.Conv2d(4, 4, 3, stride=2), neuron.LIFNode(tau=2.0, v_reset=reset), layer.Flatten(),
        layer.Linear(4, 8), neuron.LIFNode(3.0, False, v_threshold=0.5, v_reset=reset),
        layer.Linear(8, 3, bias=False), neuron.CUBALIFNode(v_threshold=0.1),
    )  # fmt: skip
    for weight in net.parameters():
        weight.data *= 3
    x = 3 * torch.randn(40, 3, 2, 8, 8)
    graph = import_module(f"{package}.nir_exchange").export_to_nir(net, x[0], dt=DT)
    import_module(f"{package}.functional").reset_net(net)
    theirs = torch.stack([net(each) for each in x]).detach()
    check(graph, x, theirs, tmp_path, DT, strict=False)


def check(
    graph: Any,
    x: Tensor,
    theirs: Tensor,
    folder: Path,
    dt: float,
    batch_axis: bool = False,
    **options: Any,
) -> None:
    """Compare the outputs of a file, and what we write of it."""
    nir.write(folder / "net.nir", graph)
    ours = popsnn.nir.read(folder / "net.nir", dt=dt, **options)
    assert theirs.abs().sum() > 0
    torch.testing.assert_close(ours(x), theirs, check_dtype=False)
    again = popsnn.nir.to_nir(ours, dt=dt, **options)
    if batch_axis:  # [1, ...], which other nodes of the file do not have
        for name, end in (("input", "input_type"), ("output", "output_type")):
            declared = getattr(graph.nodes[name], end)
            declared[name] = declared[name][1:]
    assert_same(again, graph)
