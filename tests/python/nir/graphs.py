"""Graphs of NIR for tests: every node, and random chains."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np
import pytest

nir = pytest.importorskip("nir")

DT = 1e-3
Shape = Tuple[int, ...]
NEURONS = ("LI", "LIF", "I", "IF", "CubaLI", "CubaLIF")


class Nodes:
    """Nodes with random numbers.

    `plain` neurons have the numbers of popsnn's own: no voltages, and the current whole.
    """

    def __init__(self, seed: int, plain: bool = False, dtype: Any = np.float32) -> None:
        self.random = np.random.default_rng(seed)
        self.plain = plain
        self.dtype = dtype

    def uniform(self, low: float, high: float, shape: Shape) -> np.ndarray:
        return self.random.uniform(low, high, shape).astype(self.dtype)

    def neuron(self, kind: str, shape: Shape) -> Any:
        tau, tau_syn = (self.uniform(2 * DT, 20 * DT, shape) for _ in range(2))
        fields: Dict[str, np.ndarray] = {"tau": tau, "tau_mem": tau, "tau_syn": tau_syn}
        if kind in ("I", "IF"):
            fields["r"] = self.uniform(0.5 / DT, 1.5 / DT, shape)
        else:
            fields["r"] = self.uniform(0.5, 1.5, shape) * tau / self.dtype(DT)
        fields["w_in"] = self.uniform(0.5, 1.5, shape) * tau_syn / self.dtype(DT)
        fields["v_leak"] = self.uniform(-0.1, 0.1, shape)
        fields["v_reset"] = self.uniform(-0.2, 0.1, shape)
        fields["v_threshold"] = self.uniform(0.5, 1.5, shape)
        if self.plain:
            one = np.ones(shape, self.dtype)
            fields["r"] = one / self.dtype(DT) if kind in ("I", "IF") else tau / self.dtype(DT)
            fields["w_in"] = tau_syn / self.dtype(DT)
            fields["v_leak"] = fields["v_reset"] = 0 * one
        cls = getattr(nir, kind)
        names = cls.__dataclass_fields__
        return cls(**{name: value for name, value in fields.items() if name in names})

    def linear(self, size: int, after: int, bias: bool = True) -> Any:
        weight = self.uniform(-2, 2, (after, size)) / self.dtype(np.sqrt(size))
        return nir.Affine(weight, self.uniform(-0.2, 0.5, (after,))) if bias else nir.Linear(weight)


def chain(shape: Shape, *nodes: Any, after: Shape) -> Any:
    """Return a graph of nodes that follow each other."""
    named = {f"{index}": node for index, node in enumerate(nodes)}
    names = ["input", *named, "output"]
    return nir.NIRGraph(
        {"input": nir.Input(np.array(shape)), **named, "output": nir.Output(np.array(after))},
        list(zip(names, names[1:])),
        {},
        type_check=False,
    )


def recurrent(nodes: Nodes, kind: str, size: int, feedback: str = "Affine") -> Any:
    """Return a graph of neurons whose spikes come back by weights, or as they are."""
    loop = {"w": nodes.linear(size, size, feedback == "Affine")} if feedback != "self" else {}
    back = [("n", "w"), ("w", "n")] if loop else [("n", "n")]
    ends = {"in": nir.Input(np.array([size])), "out": nir.Output(np.array([size]))}
    edges = [("in", "n"), *back, ("n", "out")]
    nodes_of = {**ends, "n": nodes.neuron(kind, (size,)), **loop}
    return nir.NIRGraph(nodes_of, edges, {}, type_check=False)


def every_node(nodes: Nodes) -> Dict[str, Tuple[Shape, Any]]:
    """Return a graph of every node by its name, and the shape of its input."""
    images: List[Tuple[str, Callable[[], Any], Shape]] = [
        (
            "Conv2d",
            lambda: nir.Conv2d(
                (8, 6), nodes.uniform(-1, 1, (4, 1, 3, 2)), (2, 1), (1, 0), (1, 2), 2,
                nodes.uniform(-1, 1, (4,)),
            ),
            (4, 4, 4),
        ),
        ("SumPool2d", lambda: nir.SumPool2d(*pairs((3, 2), (2, 2), (1, 0))), (2, 4, 3)),
        ("AvgPool2d", lambda: nir.AvgPool2d(*pairs((3, 2), (2, 2), (1, 0))), (2, 4, 3)),
        ("Flatten", lambda: nir.Flatten(np.array([2, 8, 6]), 1, -1), (2, 48)),
    ]  # fmt: skip
    graphs = {name: ((2, 8, 6), chain((2, 8, 6), make(), after=to)) for name, make, to in images}
    line = nir.Conv1d(9, nodes.uniform(-1, 1, (4, 2, 3)), 2, 1, 1, 1, nodes.uniform(-1, 1, (4,)))
    graphs["Conv1d"] = (2, 9), chain((2, 9), line, after=(4, 5))
    vectors = {
        "Linear": nodes.linear(5, 3, bias=False),
        "Affine": nodes.linear(5, 3),
        "Scale": nir.Scale(nodes.uniform(-2, 2, (5,))),
        "Threshold": nir.Threshold(nodes.uniform(-1, 1, (5,))),
        "Delay": nir.Delay(np.array([0, 1, 2, 3, 7]) * DT),
        **{kind: nodes.neuron(kind, (5,)) for kind in NEURONS},
    }
    for name, node in vectors.items():
        after = (3,) if name in ("Linear", "Affine") else (5,)
        graphs[name] = (5,), chain((5,), node, after=after)
    for kind in ("LIF", "IF", "CubaLIF"):
        for feedback in ("Linear", "Affine", "self"):
            graphs[f"{kind} {feedback}"] = (5,), recurrent(nodes, kind, 5, feedback)
    inner = recurrent(nodes, "LIF", 5)
    graphs["NIRGraph"] = (5,), chain((5,), inner, nodes.linear(5, 2), after=(2,))
    graphs["branches"] = (5,), branches(nodes)
    return graphs


def branches(nodes: Nodes) -> Any:
    """Return a graph in which two paths, and a third around them, end in one node."""
    named = {
        "input": nir.Input(np.array([5])),
        "left.w": nodes.linear(5, 5),
        "left.n": nodes.neuron("LIF", (5,)),
        "right": nodes.linear(5, 5, bias=False),
        "sum": nodes.neuron("CubaLIF", (5,)),
        "output": nir.Output(np.array([5])),
    }
    edges = [
        ("input", "left.w"), ("left.w", "left.n"), ("left.n", "sum"), ("input", "right"),
        ("right", "sum"), ("input", "sum"), ("sum", "output"), ("left.n", "output"),
    ]  # fmt: skip
    return nir.NIRGraph(named, edges, {"about": "branches"}, type_check=False)


def pairs(*values: Tuple[int, int]) -> List[np.ndarray]:
    return [np.array(value) for value in values]


def random_chain(seed: int, kinds: Sequence[str], plain: bool) -> Any:
    """Return a graph of layers of the kinds, each with weights, of random sizes."""
    nodes = Nodes(seed, plain)
    sizes = [int(size) for size in nodes.random.integers(1, 7, len(kinds) + 1)]
    layers: List[Any] = []
    for kind, size, after in zip(kinds, sizes, sizes[1:]):
        layers.append(nodes.linear(size, after, bias=bool(nodes.random.integers(2))))
        if kind.startswith("recurrent "):
            layers.append(recurrent(nodes, kind.split()[1], after))
        elif kind == "Scale":
            layers.append(nir.Scale(nodes.uniform(-2, 2, (after,))))
        elif kind == "Delay":
            layers.append(nir.Delay(nodes.random.integers(0, 4, (after,)) * DT))
        else:
            layers.append(nodes.neuron(kind, (after,)))
    return chain((sizes[0],), *layers, after=(sizes[-1],))


def assert_same(got: Any, expected: Any) -> None:
    """Compare two graphs node for node."""
    assert sorted(got.nodes) == sorted(expected.nodes)
    assert sorted(map(tuple, got.edges)) == sorted(map(tuple, expected.edges))
    assert got.metadata == expected.metadata
    for name, node in expected.nodes.items():
        other = got.nodes[name]
        assert type(other) is type(node)
        if isinstance(node, nir.NIRGraph):
            assert_same(other, node)
            continue
        mine, theirs = other.to_dict(), node.to_dict()
        assert set(mine) == set(theirs)
        for field, value in theirs.items():
            assert np.array_equal(np.asarray(mine[field]), np.asarray(value)), (name, field)
