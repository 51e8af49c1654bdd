"""Graphs that are refused: one sentence names the node and the reason."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest
import torch

import popsnn

nir = pytest.importorskip("nir")

from tests.python.nir.graphs import DT, Nodes, chain, recurrent  # noqa: E402

NODES = Nodes(0)
ENDS: Dict[str, Any] = {"in": nir.Input(np.array([3])), "out": nir.Output(np.array([3]))}


def graph(edges: List[Tuple[str, str]], **nodes: Any) -> Any:
    return nir.NIRGraph({**ENDS, **nodes}, edges, {}, type_check=False)


def alone(node: Any, shape: Tuple[int, ...] = (3,)) -> Any:
    return chain(shape, node, after=shape)


def lif(**changed: Any) -> Any:
    node = NODES.neuron("LIF", (3,))
    for name, value in changed.items():
        setattr(node, name, value)
    return alone(node)


def changed(node: Any, shape: Tuple[int, ...] = (3,), **fields: Any) -> Any:
    for name, value in fields.items():
        setattr(node, name, value)
    return alone(node, shape)


class Softmax(nir.NIRNode):  # type: ignore[misc]
    def __init__(self) -> None:
        self.input_type = {"input": np.array([3])}
        self.output_type = {"output": np.array([3])}
        self.metadata = {}


def conv(**fields: Any) -> Any:
    weight = np.ones((2, 2, 3, 3), np.float32)
    given = dict(stride=1, padding=0, dilation=1, groups=1, bias=np.zeros(2), **fields)
    return nir.Conv2d(None, given.pop("weight", weight), **given)


CASES = {
    "no input": (
        nir.NIRGraph({"out": ENDS["out"]}, [], {}, type_check=False),
        "from_nir: nodes: expected at least one Input, got none",
    ),
    "no output": (
        nir.NIRGraph({"in": ENDS["in"]}, [], {}, type_check=False),
        "from_nir: nodes: expected at least one Output, got none",
    ),
    "edge to nothing": (
        graph([("in", "out"), ("in", "gone")]),
        "from_nir: edges: expected names of nodes, got 'gone' in ('in', 'gone')",
    ),
    "edge twice": (
        graph([("in", "out"), ("in", "out")]),
        "from_nir: edges: expected different edges, got ('in', 'out') twice",
    ),
    "edge into an input": (
        graph([("in", "n"), ("n", "in"), ("n", "out")], n=NODES.linear(3, 3)),
        "from_nir: edges: expected none that leaves an Output or enters an Input, got ('n', 'in')",
    ),
    "nothing enters": (
        graph([("in", "out"), ("n", "out")], n=NODES.linear(3, 3)),
        "from_nir: n: expected an edge that enters it, got none",
    ),
    "nothing leaves": (
        graph([("in", "out"), ("in", "n")], n=NODES.linear(3, 3)),
        "from_nir: n: expected an edge that leaves it, got none",
    ),
    "loop without input": (
        graph([("in", "out"), ("n", "n"), ("n", "out")], n=NODES.neuron("LIF", (3,))),
        "from_nir: n: expected an edge that enters it, got none",
    ),
    "loop without neuron": (
        graph(
            [("in", "a"), ("a", "b"), ("b", "a"), ("b", "out")],
            a=NODES.linear(3, 3), b=NODES.linear(3, 3),
        ),
        "from_nir: a: expected a neuron that spikes in every loop, got the loop of a (Affine), "
        "b (Affine)",
    ),
    "loop of integrators": (
        graph([("in", "a"), ("a", "a"), ("a", "out")], a=NODES.neuron("LI", (3,))),
        "from_nir: a: expected a neuron that spikes in every loop, got the loop of a (LI)",
    ),
    "loop of two neurons": (
        graph(
            [("in", "a"), ("a", "b"), ("b", "a"), ("b", "out")],
            a=NODES.neuron("LIF", (3,)), b=NODES.neuron("IF", (3,)),
        ),
        "from_nir: a: expected a loop of one neuron, or of one, a Linear or Affine and a Delay, or "
        "one of these, got the loop of a (LIF), b (IF)",
    ),
    "loop of two delays": (
        graph(
            [("in", "a"), ("a", "d"), ("d", "e"), ("e", "a"), ("a", "out")],
            a=NODES.neuron("LIF", (3,)), d=nir.Delay(np.zeros(3)), e=nir.Delay(np.zeros(3)),
        ),
        "from_nir: a: expected a loop of one neuron, or of one, a Linear or Affine and a Delay, or "
        "one of these, got the loop of a (LIF), d (Delay), e (Delay)",
    ),
    "weights beside the delay of a loop": (
        graph(
            [("in", "a"), ("a", "d"), ("d", "a"), ("a", "w"), ("w", "a"), ("a", "out")],
            a=NODES.neuron("LIF", (3,)), d=nir.Delay(np.zeros(3)), w=NODES.linear(3, 3),
        ),
        "from_nir: d: expected it to map the spikes of a to a alone, got other edges",
    ),
    "bias before the delay of a loop": (
        graph(
            [("in", "a"), ("a", "w"), ("w", "d"), ("d", "a"), ("a", "out")],
            a=NODES.neuron("LIF", (3,)), d=nir.Delay(np.zeros(3)), w=NODES.linear(3, 3),
        ),
        "from_nir: d (Delay): expected it before the Affine of its loop, or a bias of zeros, since "
        "it would delay the bias too, got one",
    ),
    "weights of a loop that go elsewhere": (
        graph(
            [("in", "a"), ("a", "w"), ("w", "a"), ("w", "out")],
            a=NODES.neuron("LIF", (3,)), w=NODES.linear(3, 3),
        ),
        "from_nir: w: expected it to map the spikes of a to a alone, got other edges",
    ),
    "weights of a loop of another shape": (
        graph(
            [("in", "a"), ("a", "w"), ("w", "a"), ("a", "out")],
            a=NODES.neuron("LIF", (3,)), w=NODES.linear(3, 2),
        ),
        "from_nir: a (LIF): expected weights of shape (3, 3) in its loop, got (2, 3)",
    ),
    "sum of two shapes": (
        graph(
            [("in", "a"), ("in", "b"), ("a", "out"), ("b", "out")],
            a=NODES.linear(3, 3), b=NODES.linear(3, 2),
        ),
        "from_nir: out (Output): expected inputs of one shape, got (2,), (3,)",
    ),
    "output of another shape": (
        chain((3,), NODES.linear(3, 2), after=(3,)),
        "from_nir: output (Output): expected shape (3,), got (2,)",
    ),
    "weights of another shape": (
        alone(NODES.linear(4, 3)),
        "from_nir: 0 (Affine): expected inputs of shape (4,), got (3,)",
    ),
    "bias of another shape": (
        changed(NODES.linear(3, 3), bias=np.zeros(2)),
        "from_nir: 0 (Affine): bias: expected shape (3,), got (2,)",
    ),
    "weights that are not finite": (
        changed(NODES.linear(3, 3), weight=np.full((3, 3), np.nan)),
        "from_nir: 0 (Affine): weight: expected finite numbers, got NaN or infinity",
    ),
    "unknown node": (
        alone(Softmax()),
        "from_nir: 0 (Softmax): expected a node among LI, LIF, I, IF, CubaLI, CubaLIF, Linear, "
        "Affine, Scale, Threshold, Delay, Conv1d, Conv2d, SumPool2d, AvgPool2d, Flatten, Input, "
        "Output, NIRGraph, got Softmax",
    ),
    "neurons of another shape": (
        chain((3,), NODES.neuron("LIF", (4,)), after=(3,)),
        "from_nir: 0 (LIF): tau: expected shape (3,), got (4,)",
    ),
    "time constant below dt": (
        lif(tau=np.full(3, 5e-4)),
        "from_nir: 0 (LIF): tau: expected time constants of at least dt = 0.001 s for Euler's "
        "method, got 0.0005 s",
    ),
    "time constant of 0": (
        lif(tau=np.zeros(3)),
        "from_nir: 0 (LIF): tau: expected positive time constants, got 0.0",
    ),
    "infinite time constant": (
        lif(tau=np.full(3, np.inf)),
        "from_nir: 0 (LIF): tau: expected finite numbers, got NaN or infinity",
    ),
    "no numbers": (
        lif(v_leak="none"),
        "from_nir: 0 (LIF): v_leak: expected numbers, got str",
    ),
    "delay between steps": (
        alone(nir.Delay(np.array([0.0, 1e-3, 1.5e-3]))),
        "from_nir: 0 (Delay): delay: expected whole time steps of dt = 0.001 s, got 0.0015 s",
    ),
    "negative delay": (
        alone(nir.Delay(np.array([0.0, 1e-3, -1e-3]))),
        "from_nir: 0 (Delay): delay: expected no negative one, got -0.001 s",
    ),
    "delay between many steps": (
        alone(nir.Delay(np.full(3, 500.0004))),
        "from_nir: 0 (Delay): delay: expected whole time steps of dt = 0.001 s, got 500 s",
    ),
    "long delay": (
        alone(nir.Delay(np.full(3, 1e30))),
        "from_nir: 0 (Delay): delay: expected fewer than 2**31 time steps, got 1e+30 s",
    ),
    "image of another shape": (
        changed(conv(), (2, 8, 8), input_shape=(20, 20)),
        "from_nir: 0 (Conv2d): input_shape: expected (20, 20), got (8, 8)",
    ),
    "images beyond the memory": (
        alone(conv(), (2, 2**30, 2**30)),
        "from_nir: 0 (Conv2d): expected what torch accepts, got: ",
    ),
    "channels": (
        alone(conv(), (3, 8, 8)),
        "from_nir: 0 (Conv2d): expected inputs of shape (2, H, W), got (3, 8, 8)",
    ),
    "kernel over the image": (
        alone(conv(), (2, 2, 2)),
        "from_nir: 0 (Conv2d): expected what torch accepts, got: ",
    ),
    "half a stride": (
        changed(conv(), (2, 8, 8), stride=np.array([0.5, 1])),
        "from_nir: 0 (Conv2d): stride: expected 2 whole numbers, got [0.5 1. ]",
    ),
    "pool of a vector": (
        alone(nir.AvgPool2d(*[np.array([2, 2])] * 3)),
        "from_nir: 0 (AvgPool2d): expected inputs of shape (C, H, W), got (3,)",
    ),
    "flatten beyond the axes": (
        alone(nir.Flatten(np.array([3]), 0, 1)),
        "from_nir: 0 (Flatten): end_dim: expected a dimension of (3,), got 1",
    ),
    "within another graph": (
        alone(lif(tau=np.zeros(3))),
        "from_nir: 0 (NIRGraph): 0 (LIF): tau: expected positive time constants, got 0.0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bad_graphs_are_refused_in_one_sentence(case: str) -> None:
    bad, sentence = CASES[case]
    with pytest.raises((TypeError, ValueError)) as error:
        popsnn.nir.from_nir(bad, dt=DT)
    assert str(error.value).startswith(sentence)
    assert str(error.value) == sentence or sentence.endswith(": ")


@pytest.mark.parametrize(
    ("x", "sentence"),
    [
        (torch.zeros(5, 2, 4), "Graph: x: expected shape [T, B, 3], got (5, 2, 4)"),
        (torch.zeros(3), "Graph: x: expected shape [T, B, 3], got (3,)"),
        (np.zeros((5, 2, 3)), "Graph: x: expected a tensor, got ndarray"),
        ({"x": torch.zeros(5, 2, 3)}, "Graph: x: expected a mapping of ('in',) to tensors"),
    ],
)
def test_inputs_of_another_shape(x: Any, sentence: str) -> None:
    net = popsnn.nir.from_nir(recurrent(NODES, "LIF", 3), dt=DT)
    with pytest.raises((TypeError, ValueError)) as error:
        net(x)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ("abc", "expected whole numbers, got abc"),
        (np.array([np.nan]), "expected whole numbers, got [nan]"),
        (np.array([3.7]), "expected whole numbers, got [3.7]"),
        (np.array([[3]]), "expected whole numbers, got [[3]]"),
        (np.array([-3]), "expected sizes of at least 1, got [-3]"),
    ],
)
def test_shapes_that_are_none(shape: Any, sentence: str) -> None:
    ends = {"in": nir.Input(np.array([3])), "out": nir.Output(np.array([3]))}
    for name, types in (("in", ends["in"].input_type), ("out", ends["out"].output_type)):
        before = dict(types)
        types.update(dict.fromkeys(types, shape))
        bad = nir.NIRGraph(ends, [("in", "out")], {}, type_check=False)
        with pytest.raises(ValueError, match=re.escape(f"put): shape: {sentence}")) as error:
            popsnn.nir.from_nir(bad, dt=DT)
        assert str(error.value).startswith(f"from_nir: {name} (")
        types.update(before)


@pytest.mark.parametrize("other", [(1, 2), (5, 1), (4, 2)])
def test_inputs_of_unequal_steps_or_samples(other: Tuple[int, int]) -> None:
    nodes = {"a": nir.Input(np.array([3])), "b": nir.Input(np.array([3])), "out": ENDS["out"]}
    edges = [("a", "out"), ("b", "out")]
    net = popsnn.nir.from_nir(nir.NIRGraph(nodes, edges, {}, type_check=False), dt=DT)
    sizes = {"a": (5, 2), "b": other}
    with pytest.raises(ValueError, match=re.escape("Graph: x: expected inputs of one [T, B], got")):
        net({name: torch.zeros(*size, 3) for name, size in sizes.items()})


@pytest.mark.parametrize("state", [3, {}, {"n": None, "m": None}])
def test_states_of_another_network(state: Any) -> None:
    net = popsnn.nir.from_nir(recurrent(NODES, "LIF", 3), dt=DT)
    with pytest.raises(ValueError, match=r"Graph: state: expected a dict of \('n',\), got"):
        net(torch.zeros(5, 2, 3), state)


def test_a_graph_stays_as_it_is_and_needs_no_shapes_beyond_its_input() -> None:
    pool = nir.AvgPool2d(*[np.array(2)] * 2, np.array(0))
    nodes = {"in": nir.Input(np.array([2, 8, 8])), "c": conv(), "p": pool,
             "f": nir.Flatten(None, 0), "out": nir.Output(None)}  # fmt: skip
    edges = list(zip(list(nodes), list(nodes)[1:]))
    net = popsnn.nir.from_nir(nir.NIRGraph(nodes, edges, {}, type_check=False), dt=DT)
    assert net.outputs == {"out": (18,)}
    assert net(torch.rand(4, 3, 2, 8, 8)).shape == (4, 3, 18)
    assert nodes["c"].input_shape is None
    assert nodes["f"].input_type == {"input": None}


def test_names_that_torch_does_not_take() -> None:
    names = ("a.b", "a_b", "forward", "keys", "if")
    nodes = {name: NODES.linear(3, 3) for name in names}
    ends = [("in", names[0]), *zip(names, names[1:]), (names[-1], "out")]
    net = popsnn.nir.from_nir(graph(ends, **nodes), dt=DT)
    for name in names:
        np.testing.assert_array_equal(net[name].weight.detach(), nodes[name].weight)
    again = popsnn.nir.to_nir(net, dt=DT)
    assert again.edges == ends
    with pytest.raises(KeyError, match="expected a name among"):
        net["gone"]
