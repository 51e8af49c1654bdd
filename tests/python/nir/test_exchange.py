"""Networks to NIR graphs and files and back: the same results, and the same graphs."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import popsnn
from popsnn import nn

nir = pytest.importorskip("nir")

from tests.python.nir.graphs import (  # noqa: E402
    DT,
    NEURONS,
    Nodes,
    assert_same,
    chain,
    every_node,
    random_chain,
    recurrent,
)

GRAPHS = every_node(Nodes(1))
KINDS = (*NEURONS, "Scale", "Delay", "recurrent LIF", "recurrent CubaLIF")


def current(*shape: int, scale: float = 2.0) -> Tensor:
    return scale * torch.randn(30, 3, *shape)


@pytest.mark.parametrize("name", GRAPHS)
def test_every_node_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    shape, graph = GRAPHS[name]
    first = popsnn.nir.from_nir(graph, dt=DT)
    x = current(*shape)
    y = first(x)
    assert y.abs().sum() > 0
    assert_same(popsnn.nir.to_nir(first, dt=DT), graph)
    nir.write(tmp_path / "theirs.nir", graph)
    popsnn.nir.write(tmp_path / "ours.nir", first, dt=DT)
    for file in ("theirs.nir", "ours.nir"):
        again = popsnn.nir.read(tmp_path / file, dt=DT)
        assert torch.equal(again(x), y)
        assert_same(popsnn.nir.to_nir(again, dt=DT), graph)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_change_or_another_time_step_reaches_the_graph(name: str) -> None:
    shape, graph = GRAPHS[name]
    first = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    for module in first.modules():  # all numbers are computed anew
        vars(module).pop("nir_source", None)
    x = current(*shape).double()
    for dt in (DT, 3 * DT):
        again = popsnn.nir.from_nir(popsnn.nir.to_nir(first, dt=dt), dt=dt, dtype=torch.float64)
        if "IF" not in name and "Threshold" not in name:
            torch.testing.assert_close(again(x), first(x), rtol=1e-9, atol=1e-9)
        else:
            assert torch.equal(again(x), first(x))


@settings(max_examples=25)
@given(
    st.integers(0, 2**31), st.lists(st.sampled_from(KINDS), min_size=1, max_size=4), st.booleans()
)
def test_random_graphs_come_back_as_they_were(seed: int, kinds: Any, plain: bool) -> None:
    graph = random_chain(seed, kinds, plain)
    first = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    assert_same(popsnn.nir.to_nir(first, dt=DT), graph)
    x = torch.randn(12, 2, *first.inputs["input"], dtype=torch.float64)
    whole, (start, state) = first(x), first(x[:5], return_state=True)
    # torch's products of another number of samples round otherwise.
    torch.testing.assert_close(torch.cat([start, first(x[5:], state)]), whole)


def networks() -> dict[str, tuple[torch.nn.Module, tuple[int, ...]]]:
    torch.manual_seed(0)
    linear = torch.nn.Linear
    plif = nn.PLIF(0.7)
    plif.w.data += 0.1
    images = torch.nn.Sequential(
        nn.TimeDistributed(torch.nn.Conv2d(2, 4, (3, 1), padding="same"), torch.nn.AvgPool2d(2)),
        nn.LIF(torch.rand(4, 4, 3)),
        nn.TimeDistributed(torch.nn.LPPool2d(1, 2), torch.nn.Dropout(), torch.nn.Flatten()),
        linear(8, 3),
        nn.LeakyIntegrator(),
    )
    spikes = torch.nn.Sequential(nn.SpikeConv2d(2, 3, 3, padding=1), nn.IF(), torch.nn.Flatten(2))
    return {
        "lif": (torch.nn.Sequential(linear(5, 8), nn.LIF(0.3), linear(8, 3), nn.LIF(0.95)), (5,)),
        "own decays": (
            torch.nn.Sequential(linear(5, 8), nn.LIF(torch.rand(8), learn_beta=True)), (5,)
        ),
        "synaptic": (torch.nn.Sequential(linear(5, 8), nn.SynapticLIF(0.0, torch.rand(8))), (5,)),
        "plif": (torch.nn.Sequential(linear(5, 8), plif), (5,)),
        "spiking": (
            nn.Spiking(popsnn.neurons.LIF(), parameters={"threshold": torch.rand(5)}), (5,)
        ),
        "recurrent": (torch.nn.Sequential(linear(5, 8), nn.RecurrentLIF(8), linear(8, 2)), (5,)),
        "alone": (nn.LIF(), (4, 3)),
        "integrator": (nn.LeakyIntegrator(1.0), (4,)),
        "images": (images.eval(), (2, 8, 6)),
        "spike images": (spikes, (2, 5, 5)),
    }  # fmt: skip


@pytest.mark.parametrize("name", networks())
def test_our_networks_come_back_with_equal_bits(name: str, tmp_path: Path) -> None:
    net, shape = networks()[name]
    for weight in net.parameters():
        weight.data *= 3 if weight.dim() > 1 else 1
    x = current(*shape).relu()
    popsnn.nir.write(tmp_path / "net.nir", net, dt=DT, input_shape=shape)
    again = popsnn.nir.read(tmp_path / "net.nir", dt=DT)
    assert net(x).abs().sum() > 0
    assert torch.equal(again(x), net(x))
    assert not any(type(module).__name__ == "Resting" for module in again.modules())


@pytest.mark.parametrize(
    "options", [{}, {"gain": 0.5, "bias": False}, {"recurrent": True, "delay": 1}]
)
def test_sparse_networks_come_back_with_equal_spikes(options: Any) -> None:
    net = nn.SNN(nn.SparseLIF(5, 16, **options), nn.SparseLIF(16, 8, beta=torch.rand(8)),
                 nn.SparseNeurons(8, 8, popsnn.neurons.SynapticLIF()),
                 nn.SparseLI(8, 3, gain=2.0, bias=False)).double()  # fmt: skip
    for weight in net.parameters():
        weight.data *= 3
    again = popsnn.nir.from_nir(popsnn.nir.to_nir(net, dt=DT), dt=DT, dtype=torch.float64)
    x = (current(5) > 0).double()
    assert net(x).abs().sum() > 0
    torch.testing.assert_close(again(x), net(x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("learn", [False, True])
@pytest.mark.parametrize("kind", ["axonal", "dendritic"])
def test_delays_come_back_as_nodes(kind: str, learn: bool) -> None:
    steps = torch.tensor([0.0, 3.0, 1.0, 2.0, 2.0])
    delays = nn.Delays(kind, 3, steps + 0.3 * (steps == 1) if learn else steps, learn=learn)
    layer = nn.SparseLIF(5, 5, delay=delays, bias=kind == "axonal")
    net = nn.SNN(layer, nn.SparseLI(5, 3, delay=2), backend="torch").double().eval()
    for weight in (layer.weight, net.layers[1].weight):
        weight.data *= 4
    graph = popsnn.nir.to_nir(net, dt=DT)
    late = [node for node in graph.nodes.values() if type(node).__name__ == "Delay"]
    np.testing.assert_allclose(late[0].delay, steps.numpy() * DT)
    np.testing.assert_allclose(late[1].delay, [2 * DT] * 5)
    again = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    x = (current(5) > 0).double()
    assert net(x).abs().sum() > 0
    torch.testing.assert_close(again(x), net(x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("kind", ["axonal", "dendritic"])
def test_delays_of_loops_come_back_as_nodes(kind: str, sparse: bool, tmp_path: Path) -> None:
    steps = torch.tensor([0.0, 3.0, 1.0, 2.0, 2.0])
    delays = nn.Delays(kind, 4, steps + 0.3 * (steps == 1), learn=True)
    net: torch.nn.Module
    if sparse:
        layer = nn.SparseLIF(4, 5, recurrent=True, recurrent_delay=delays)
        net = nn.SNN(layer, backend="torch")
    else:
        net = torch.nn.Sequential(torch.nn.Linear(4, 5), nn.RecurrentLIF(5, delay=delays))
    net = net.double().eval()
    for name, weight in net.named_parameters():
        weight.data *= 3 if "weight" in name else 1
    popsnn.nir.write(tmp_path / "net.nir", net, dt=DT)
    again = popsnn.nir.read(tmp_path / "net.nir", dt=DT, dtype=torch.float64)
    x = (current(4) > 0).double()
    expected = net(x).to_dense() if sparse else net(x)
    assert expected.any()
    assert torch.equal(again(x), expected)
    parts, state = [], None
    for part in x.split([3, 1, len(x) - 4]):
        out, state = again(part, state, return_state=True)
        parts.append(out)
    assert torch.equal(torch.cat(parts), expected)
    (graph,) = (m for m in again.modules() if getattr(m, "loop_delays", None))
    (delay,) = graph.loop_delays.values()
    assert delay.first == (kind == "axonal")
    assert_same(popsnn.nir.to_nir(again, dt=DT), nir.read(tmp_path / "net.nir"))


@pytest.mark.parametrize("order", ["d", "dw", "wd"])
def test_delays_of_loops_are_in_addition_to_the_step(order: str) -> None:
    """A neuron's spikes come back 1 + d steps later, by the weights or as they are."""
    rng = np.random.default_rng(3)
    weight, delay = rng.normal(0, 2, (3, 3)), np.array([0, 2, 5])
    neuron = nir.LIF(*(np.full(3, v) for v in (3 * DT, 2.0, 0.0, 1.0, 0.0)))
    parts = {"d": nir.Delay(delay * DT), "w": nir.Linear(weight)}
    names = ["n", *order, "n"]
    graph = nir.NIRGraph(
        {
            "in": nir.Input(np.array([3])),
            "n": neuron,
            **{part: parts[part] for part in order},
            "out": nir.Output(np.array([3])),
        },
        [("in", "n"), *zip(names, names[1:]), ("n", "out")],
        {},
        type_check=False,
    )
    net = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    x = rng.normal(0.5, 1, (30, 1, 3))
    v, s, spikes = np.zeros(3), np.zeros(3), []
    for t in range(len(x)):

        def past(d: int, j: int, t: int = t) -> float:
            return float(spikes[t - 1 - d][j]) if t - 1 - d >= 0 else 0.0

        used = weight if "w" in order else np.eye(3)
        late = [
            sum(used[i, j] * past(delay[i if order == "wd" else j], j) for j in range(3))
            for i in range(3)
        ]
        v = v * (1 - s) + (2 * (x[t, 0] + late) - v * (1 - s)) / 3
        s = (v > 1).astype(float)
        spikes.append(s)
    expected = torch.tensor(np.array(spikes))[:, None]
    assert expected.any()
    assert torch.equal(net(torch.from_numpy(x)), expected)
    again = popsnn.nir.to_nir(net, dt=DT)
    assert_same(again, graph)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"delay": ("synaptic", 3, 1)}, "delay: expected axonal or dendritic Delays, .* synaptic"),
        (
            {"recurrent": True, "recurrent_delay": ("synaptic", 3, 1)},
            "recurrent_delay: expected axonal or dendritic Delays, .* synaptic",
        ),
        ({"delay": ("dendritic", 3, 1)}, "bias: expected none or zeros with dendritic Delays"),
    ],
)
def test_delays_that_nir_has_no_node_for(options: Any, sentence: str) -> None:
    made = {k: nn.Delays(*v) if isinstance(v, tuple) else v for k, v in options.items()}
    layer = nn.SparseLIF(4, 4, **made)
    torch.nn.init.ones_(layer.bias)
    with pytest.raises(ValueError, match=sentence):
        popsnn.nir.to_nir(nn.SNN(layer, backend="torch"), dt=DT)


class Branches(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Sequential(torch.nn.Linear(4, 4), nn.LIF())
        self.second = torch.nn.Sequential(torch.nn.Linear(4, 4), nn.LIF())

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        hidden = self.first(x) + y
        return (self.second(hidden) + hidden).flatten(2)


def test_custom_modules_with_branches_and_two_inputs() -> None:
    net = Branches()
    graph = popsnn.nir.to_nir(net, dt=DT, input_shape={"x": (4,), "y": (4,)})
    assert ("y", "second.0") in graph.edges
    assert ("y", "flatten") in graph.edges
    again = popsnn.nir.from_nir(graph, dt=DT)
    x, y = current(4), current(4)
    # The graph has one sum of three.
    torch.testing.assert_close(again({"x": x, "y": y}), net(x, y))


@pytest.mark.parametrize("method", ["euler", "exponential"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_methods_and_types_come_back(method: str, dtype: torch.dtype) -> None:
    options = {"dt": DT, "method": method}
    net = torch.nn.Sequential(
        torch.nn.Linear(5, 8), nn.LIF(torch.rand(8)), nn.LeakyIntegrator(0.5)
    ).to(dtype)
    again = popsnn.nir.from_nir(popsnn.nir.to_nir(net, **options), **options, dtype=dtype)
    assert {weight.dtype for weight in again.parameters()} == {dtype}
    x = current(5).to(dtype)
    # 1 - beta and the logarithm round float64.
    tolerance = 0 if dtype == torch.float32 else 1e-12
    torch.testing.assert_close(again(x), net(x), rtol=tolerance, atol=tolerance)


def test_a_unit_resistance_has_the_same_spikes() -> None:
    net = torch.nn.Sequential(
        torch.nn.Linear(5, 8), nn.LIF(torch.rand(8), 0.7), torch.nn.Linear(8, 8), nn.SynapticLIF(),
        torch.nn.Linear(8, 8), nn.IF(),
    ).double()  # fmt: skip
    graph = popsnn.nir.to_nir(net, dt=DT, unit_resistance=True)
    assert (graph.nodes["1"].r == 1).all()
    assert (graph.nodes["3"].r == 1).all()
    again = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    x = current(5).double()
    assert torch.equal(again(x), net(x))
    unit = popsnn.nir.to_nir(again, dt=DT, unit_resistance=True)
    assert_same(unit, graph)
    voltages = popsnn.nir.from_nir(
        chain((5,), Nodes(4).neuron("LIF", (5,)), after=(5,)), dt=DT, dtype=torch.float64
    )
    graph = popsnn.nir.to_nir(voltages, dt=DT, unit_resistance=True)
    again = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    assert voltages(x).any()
    assert torch.equal(again(x), voltages(x))
    with pytest.raises(ValueError, match=r"to_nir: 0: unit_resistance: expected a resistance of 1"):
        popsnn.nir.to_nir(
            torch.nn.Sequential(nn.LeakyIntegrator()), dt=DT, input_shape=3, unit_resistance=True
        )


@pytest.mark.parametrize("name", ["LIF", "CubaLI", "IF", "Delay", "AvgPool2d"])
def test_another_time_step_gives_other_time_constants(name: str) -> None:
    shape, graph = GRAPHS[name]
    net = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    slower = popsnn.nir.to_nir(net, dt=4 * DT)
    again = popsnn.nir.from_nir(slower, dt=4 * DT, dtype=torch.float64)
    x = current(*shape).double()
    torch.testing.assert_close(again(x), net(x), rtol=1e-9, atol=1e-9)


def test_rounded_weights_are_written_rounded() -> None:
    half = torch.bfloat16
    sparse = nn.SNN(nn.SparseLIF(5, 8, recurrent=True, weight_dtype=half))
    dense = torch.nn.Sequential(torch.nn.Linear(5, 8), nn.RecurrentLIF(8, weight_dtype=half))
    graphs = [popsnn.nir.to_nir(net, dt=DT) for net in (sparse, dense)]
    layer = sparse.stack[0]
    for graph, name, weight in (
        (graphs[0], "snn.layers.0.lif", layer.recurrent_weight),
        (graphs[1], "1", dense[1].recurrent_weight),
    ):
        written = torch.tensor(graph.nodes[name].nodes["w_rec"].weight)
        assert torch.equal(written, weight.to(half).float())
    written = torch.tensor(graphs[0].nodes["snn.layers.0.linear"].weight)
    assert torch.equal(written, layer.weight.to(half).float())


def test_learnt_neurons_are_written_as_they_are_now() -> None:
    graph = chain((4,), Nodes(0, plain=True).neuron("LIF", (4,)), after=(4,))
    net = popsnn.nir.from_nir(graph, dt=DT)
    net["0"].beta = 0.5
    changed = popsnn.nir.to_nir(net, dt=DT).nodes["0"]
    np.testing.assert_allclose(changed.tau, 2 * DT)


def test_graphs_and_networks_share_no_memory() -> None:
    nodes = Nodes(3)
    graph = chain((5,), nodes.linear(5, 5), nodes.neuron("LIF", (5,)),
                  recurrent(nodes, "CubaLIF", 5), after=(5,))  # fmt: skip
    reference = copy.deepcopy(graph)
    net = popsnn.nir.from_nir(graph, dt=DT)
    x = current(5)
    y = net(x)

    def spoil(spoilt: Any) -> None:
        for node in spoilt.nodes.values():
            if isinstance(node, nir.NIRGraph):
                spoil(node)
            elif not isinstance(node, (nir.Input, nir.Output)):
                node.metadata["about"] = "spoilt"
                for value in vars(node).values():
                    if isinstance(value, np.ndarray):
                        value += 1

    spoil(graph)
    assert_same(popsnn.nir.to_nir(net, dt=DT), reference)
    spoil(popsnn.nir.to_nir(net, dt=DT))
    assert torch.equal(net(x), y)
    assert_same(popsnn.nir.to_nir(net, dt=DT), reference)


def test_neurons_that_moved_have_the_shape_of_their_new_place() -> None:
    node = nir.LIF(*[np.full(5, value) for value in (5 * DT, 2.0, 0.1, 1.0, 0.0)])
    lif = popsnn.nir.from_nir(chain((5,), node, after=(5,)), dt=DT)["0"]
    delay = nir.Delay(np.full(5, DT))
    late = popsnn.nir.from_nir(chain((5,), delay, after=(5,)), dt=DT)["0"]
    net = torch.nn.Sequential(torch.nn.Linear(3, 8), late, lif)
    graph = popsnn.nir.to_nir(net, dt=DT)
    assert graph.nodes["1"].delay.shape == (8,)
    assert graph.nodes["2"].tau.shape == (8,)
    x = current(3)
    torch.testing.assert_close(popsnn.nir.from_nir(graph, dt=DT)(x), net(x))


def test_copies_and_pickles_are_the_network() -> None:
    net = popsnn.nir.from_nir(recurrent(Nodes(0), "CubaLIF", 5), dt=DT)
    x = current(5)
    for again in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert torch.equal(again(x), net(x))
        assert_same(popsnn.nir.to_nir(again, dt=DT), popsnn.nir.to_nir(net, dt=DT))


def test_a_graph_that_was_pickled_without_delays_of_loops() -> None:
    net = popsnn.nir.from_nir(recurrent(Nodes(0), "LIF", 5), dt=DT)
    vars(net).pop("loop_delays")
    again = pickle.loads(pickle.dumps(net))
    assert_same(popsnn.nir.to_nir(again, dt=DT), recurrent(Nodes(0), "LIF", 5))


def test_gradients_reach_all_weights() -> None:
    nodes = Nodes(0)
    graph = chain((5,), nodes.linear(5, 5), recurrent(nodes, "LIF", 5), after=(5,))
    net = popsnn.nir.from_nir(graph, dt=DT, surrogate="atan")
    net(current(5)).sum().backward()
    assert {name for name, weight in net.named_parameters() if weight.grad.abs().sum() > 0} == {
        "nodes.0.weight", "nodes.0.bias", "nodes.1.nodes.n.recurrent_weight",
        "nodes.1.nodes.n.recurrent_bias",
    }  # fmt: skip


def test_a_network_within_another_is_a_graph_within_a_graph() -> None:
    inner = popsnn.nir.from_nir(recurrent(Nodes(0), "LIF", 5), dt=DT)
    net = torch.nn.Sequential(torch.nn.Linear(3, 5), inner)
    graph = popsnn.nir.to_nir(net, dt=DT)
    assert_same(graph.nodes["1"], popsnn.nir.to_nir(inner, dt=DT))
    x = current(3)
    assert torch.equal(popsnn.nir.from_nir(graph, dt=DT)(x), net(x))
    wrong = torch.nn.Sequential(torch.nn.Linear(3, 4), inner)
    with pytest.raises(ValueError, match=r"to_nir: 1: expected one Input of shape \(4,\)"):
        popsnn.nir.to_nir(wrong, dt=DT)


def test_spike_tensors_enter() -> None:
    net = popsnn.nir.from_nir(chain((5,), Nodes(0).linear(5, 3), after=(3,)), dt=DT)
    x = (current(5) > 0).float()
    assert torch.equal(net(popsnn.SpikeTensor.from_dense(x)), net(x))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"dt": 0.0}, "from_nir: dt: expected a positive number of seconds, got 0.0"),
        ({"dt": float("nan")}, "from_nir: dt: expected a finite number, got nan"),
        ({"method": "rk4"}, "from_nir: method: expected one of euler, exponential, got 'rk4'"),
        ({"strict": 1}, "from_nir: strict: expected"),
        ({"dtype": torch.float16}, "from_nir: dtype: expected torch.float32 or torch.float64"),
        ({"backend": "ipu"}, "from_nir: backend: expected one of"),
    ],
)
def test_options_are_checked(options: Any, sentence: str) -> None:
    graph = GRAPHS["Affine"][1]
    with pytest.raises((TypeError, ValueError)) as error:
        popsnn.nir.from_nir(graph, **{"dt": DT, **options})
    assert str(error.value).startswith(sentence)


def test_a_time_step_is_required() -> None:
    with pytest.raises(TypeError, match="dt"):
        popsnn.nir.from_nir(GRAPHS["Affine"][1])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"from_nir: graph: expected a nir\.NIRGraph, got Linear"):
        popsnn.nir.from_nir(torch.nn.Linear(2, 2), dt=DT)
