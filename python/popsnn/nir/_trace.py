"""Graph of any network that torch.fx can trace."""

from __future__ import annotations

import operator
from typing import Any, List, Mapping, Sequence, Tuple

import numpy as np
import torch
from torch import nn
from torch.fx import Graph as TracedGraph
from torch.fx import Node, Proxy, Tracer

from ..nn import SNN, RecurrentSpiking, SpikeConv2d, TimeDistributed
from ..nn._sparse_layer import SparseLayer
from ..nn.sparse_li import SparseLI
from ._discretization import Discretization
from ._export import NEURONS, OVER_TIME, chain, graph_node, plain, unhooked
from ._layers import Delay, Scale
from ._values import Shape
from .graph import Graph

Value = Tuple[List[str], Shape]
"""The nodes whose sum a tensor is, and its shape [...]."""

LEAVES = (*NEURONS, SNN, SparseLayer, SparseLI, TimeDistributed, Graph, Scale, Delay, SpikeConv2d)
ADDITIONS = (operator.add, torch.add)


class _Proxy(Proxy):
    """A value that is being traced, of which torch.fx takes `h += y` for `h = h + y`."""

    def __iadd__(self, other: Any) -> Proxy:
        return self.tracer.create_proxy("call_function", operator.iadd, (self, other), {})


class _Tracer(Tracer):
    """Enters the modules of users and containers of torch, and no others."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        own = isinstance(m, LEAVES) or type(m).__module__.startswith("popsnn.nn.")
        return own or super().is_leaf_module(m, module_qualified_name)

    def proxy(self, node: Node) -> Proxy:
        return _Proxy(node, self)


def nir_graph(model: nn.Module, options: Discretization, input_shape: Any) -> Any:
    """Return the NIR graph of a network.

    Parameters
    ----------
    model : nn.Module
    options : Discretization
    input_shape : tuple of int, or mapping of str to tuple of int, or None

    Raises
    ------
    TypeError, ValueError
        Where NIR has no equal.
    """
    where = options.operation
    if not isinstance(model, nn.Module):
        raise TypeError(f"{where}: model: expected a torch module, got {type(model).__name__}")
    if isinstance(model, Graph):
        plain(where, model)
        shapes = model.inputs
        given = shapes if input_shape is None else _shapes(where, input_shape, list(shapes))
        if given != shapes:
            raise ValueError(f"{where}: input_shape: expected {shapes}, got {input_shape}")
        return graph_node(where, model, options)
    written = _Writer(where, options)
    if isinstance(model, LEAVES) or _Tracer().is_leaf_module(model, ""):
        known = _size(model) if input_shape is None else input_shape
        shape = _shapes(where, known, ["input"])["input"]
        value = written.module(type(model).__name__.lower(), model, written.input("input", shape))
        return written.finish(value)
    unhooked(f"{where}: model", model)  # torch.fx calls forward of its class alone
    try:
        traced = _Tracer().trace(model)
    except Exception as error:
        raise ValueError(
            f"{where}: model: expected one that torch.fx can trace, got: {error}"
        ) from error
    return written.finish(_walk(model, traced, written, input_shape))


def _walk(model: nn.Module, traced: TracedGraph, written: _Writer, input_shape: Any) -> Value:
    """Write the nodes of a traced network, and return its output."""
    where = written.where
    live = _live(traced)
    inputs = [node for node in traced.nodes if node.op == "placeholder" and node in live]
    names = ["input"] if len(inputs) == 1 else [str(node.target) for node in inputs]
    if input_shape is None and len(inputs) == 1:
        input_shape = _first_size(model, inputs[0])
    shapes = _shapes(where, input_shape, names)
    values: dict[Node, Value] = {
        node: written.input(name, shapes[name]) for node, name in zip(inputs, names)
    }
    for node in traced.nodes:
        if node.op == "placeholder" or (node.op == "call_module" and node not in live):
            continue
        taken = [values.get(arg) if isinstance(arg, Node) else None for arg in node.args]
        if node.op == "output":
            if len(taken) != 1 or taken[0] is None:
                raise ValueError(f"{where}: model: expected one tensor as its result, got others")
            return taken[0]
        called = str(getattr(node.target, "__name__", node.target))
        if node.op == "call_module":
            if len(taken) != 1 or taken[0] is None or node.kwargs:
                raise ValueError(f"{where}: {called}: expected a call with x alone, got others")
            values[node] = written.module(called, model.get_submodule(called), taken[0])
        elif node.target in ADDITIONS and not node.kwargs and len(taken) == 2 and all(taken):
            first, second = (value for value in taken if value is not None)
            values[node] = written.sum(called, first, second)
        elif node.target is operator.iadd:
            raise ValueError(
                f"{where}: {node.name}: expected h = h + y, got h += y, which changes h wherever "
                "else it is used"
            )
        elif node.target in (torch.flatten, "flatten") and taken[0] is not None:
            flatten = nn.Flatten(*_dimensions(where, node))
            values[node] = written.module(node.name, flatten, taken[0])
        elif node.target == "to_dense" and taken[0] is not None:
            values[node] = taken[0]
        else:
            raise ValueError(
                f"{where}: {called}: expected modules, sums of two tensors and flatten, got an "
                "operation that NIR has no node for"
            )
    raise ValueError(f"{where}: model: expected a result, got none")


def _live(traced: TracedGraph) -> set[Node]:
    """Return the nodes that the result depends on."""
    live: set[Node] = set()
    waiting = [node for node in traced.nodes if node.op == "output"]
    while waiting:
        node = waiting.pop()
        if node not in live:
            live.add(node)
            waiting += node.all_input_nodes
    return live


class _Writer:
    """The nodes and the edges of a graph that is being written."""

    def __init__(self, where: str, options: Discretization) -> None:
        self.where = where
        self.options = options
        self.nodes: dict[str, Any] = {}
        self.edges: list[tuple[str, str]] = []

    def input(self, name: str, shape: Shape) -> Value:
        """Add a node Input."""
        import nir

        return [self._add(name, nir.Input(np.array(shape)), [])], shape

    def module(self, name: str, module: nn.Module, value: Value) -> Value:
        """Add the nodes of a module that takes `value`."""
        before, shape = value
        nodes, shape = chain(f"{self.where}: {name}", module, shape, self.options, OVER_TIME)
        for inner, node in nodes:
            before = [self._add(f"{name}.{inner}" if inner else name, node, before)]
        return before, shape

    def sum(self, name: str, first: Value, second: Value) -> Value:
        """Return the sum of two values."""
        if first[1] != second[1]:
            raise ValueError(
                f"{self.where}: {name}: expected two tensors of one shape, got {first[1]} and "
                f"{second[1]}"
            )
        twice = set(first[0]) & set(second[0])
        if twice:
            raise ValueError(
                f"{self.where}: {name}: expected different tensors, since NIR has one edge between "
                f"two nodes, got the output of {min(twice)} twice"
            )
        return first[0] + second[0], first[1]

    def finish(self, value: Value) -> Any:
        """Return the graph whose result is `value`."""
        import nir

        self._add("output", nir.Output(np.array(value[1])), value[0])
        return nir.NIRGraph(nodes=self.nodes, edges=self.edges, metadata={}, type_check=False)

    def _add(self, name: str, node: Any, before: list[str]) -> str:
        unique, number = name, 1
        while unique in self.nodes:
            unique, number = f"{name}_{number}", number + 1
        self.nodes[unique] = node
        self.edges += [(start, unique) for start in before]
        return unique


def _shapes(where: str, shapes: Any, names: list[str]) -> dict[str, Shape]:
    if shapes is None:
        raise ValueError(
            f"{where}: input_shape: expected the shape [...] of x [T, B, ...], which the model "
            "does not tell, got None"
        )
    if not isinstance(shapes, Mapping) and len(names) == 1:
        shapes = {names[0]: shapes}
    if not isinstance(shapes, Mapping) or set(shapes) != set(names):
        raise ValueError(f"{where}: input_shape: expected shapes of {names}, got {shapes}")
    result = {}
    for name, shape in shapes.items():
        try:
            sizes = tuple(map(operator.index, shape if isinstance(shape, Sequence) else (shape,)))
        except TypeError:
            sizes = ()
        if not sizes or min(sizes) < 1:
            raise ValueError(
                f"{where}: input_shape: expected one or more sizes of at least 1, got {shape!r}"
            )
        result[name] = sizes
    return result


def _first_size(model: nn.Module, placeholder: Node) -> int | None:
    """Return the size of inputs that a module tells which takes them, if one does."""
    users = [user for user in placeholder.users if user.op == "call_module"]
    sizes = [_size(model.get_submodule(str(user.target))) for user in users]
    return next((size for size in sizes if size is not None), None)


def _size(module: nn.Module) -> int | None:
    """Return the size of inputs that a module tells, if it does."""
    if isinstance(module, TimeDistributed) and len(module):
        return _size(module[0])
    if isinstance(module, (nn.Linear, SNN, SparseLayer, SparseLI)):
        return int(module.in_features)
    return module.size if isinstance(module, RecurrentSpiking) else None


def _dimensions(where: str, node: Node) -> tuple[int, int]:
    ends = dict(zip(("start_dim", "end_dim"), node.args[1:]), **node.kwargs)
    start, end = ends.get("start_dim", 0), ends.get("end_dim", -1)
    if not isinstance(start, int) or not isinstance(end, int):
        raise ValueError(f"{where}: {node.name}: expected whole numbers, got {start} and {end}")
    return start, end
