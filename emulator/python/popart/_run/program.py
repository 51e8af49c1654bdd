"""A model as a program of functions on torch tensors."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

import torch
from torch import Tensor

from .._build import proto
from .._native import popart_exception
from .._ops import (
    ctc,
    elementwise,
    linear,
    loss,
    norm,
    random,
    recurrent,
    reduction,
    resize,
    select,
    shape,
)
from .._ops.custom import custom, known
from .._ops.reference import evaluated
from .._ops.registry import GRAPHCORE, ONNX, Node, Pass, function_of

FAMILIES = (
    ctc,
    elementwise,
    linear,
    loss,
    norm,
    random,
    recurrent,
    reduction,
    resize,
    select,
    shape,
)
_KEEPS_INT64 = {"Constant", "Shape", "Size", "ConstantOfShape"}
_BITS = {"UINT16": 0xFFFF, "UINT32": 0xFFFFFFFF}
_OTHER_INTEGERS = {*_KEEPS_INT64, "ArgMax", "ArgMin", "Cast", "NonZero", "OneHot", "TopK"}
Values = Mapping[str, Tensor]


class Scope(dict):  # type: ignore[type-arg]
    """Tensors by name, with those of the graphs around it."""

    def __init__(self, values: Values, outer: Scope | None = None) -> None:
        super().__init__(values)
        self.outer = outer

    def find(self, name: str) -> Tensor | None:
        """Return a tensor, or None where there is none."""
        if name in self:
            value: Tensor = self[name]
            return value
        return None if self.outer is None else self.outer.find(name)


class Program:
    """The nodes of a graph.

    Parameters
    ----------
    graph : GraphProto
    versions : mapping of str to int
        Opsets by domain.
    """

    def __init__(self, graph: Any, versions: Mapping[str, int]) -> None:
        self.graph = graph
        self.versions = dict(versions)
        self.weights = {tensor.name: tensor for tensor in graph.initializer}
        self.inputs = [item.name for item in graph.input]
        self.outputs = [item.name for item in graph.output]
        self._nodes = [(node, _attributes(node)) for node in graph.node]

    def names(self) -> set[str]:
        """Return all tensors."""
        made = {name for node in self.graph.node for name in node.output}
        return made | set(self.inputs) | set(self.weights)

    def run(
        self,
        values: Values,
        state: Pass,
        outer: Scope | None = None,
        only: Iterable[str] | None = None,
    ) -> Scope:
        """Run all nodes, or those that some tensors need, and return all tensors.

        Raises
        ------
        popart_exception
            Where an operator is unknown or refuses its inputs.
        """
        scope = Scope(values, outer)
        if outer is None:
            state.streamed.update(name for name in self.inputs if name not in self.weights)
        needed = None if only is None else self._needed(only)
        for index, (node, attributes) in enumerate(self._nodes):
            if needed is None or index in needed:
                self._step(node, attributes, scope, state)
        return scope

    def differentiated(self, loss: str) -> set[str]:
        """Return the tensors that a loss may have a gradient with respect to."""
        return self._reached([loss], through_detach=False)[1]

    def _needed(self, names: Iterable[str]) -> set[int]:
        return self._reached(names)[0]

    def _reached(
        self, names: Iterable[str], through_detach: bool = True
    ) -> tuple[set[int], set[str]]:
        """Return the nodes, by index, and the tensors that some tensors are computed of."""
        wanted = set(names)
        needed: set[int] = set()
        for index in reversed(range(len(self._nodes))):
            node, attributes = self._nodes[index]
            if node.op_type == "Detach" and not through_detach:
                continue
            if wanted & set(node.output):
                needed.add(index)
                wanted |= set(node.input)
                for value in attributes.values():
                    wanted |= _free(value)
        return needed, wanted

    def _step(self, node: Any, attributes: dict[str, Any], scope: Scope, state: Pass) -> None:
        domain = node.domain
        version = self.versions.get(domain, self.versions.get("ai.onnx", 1) if not domain else 1)
        made = Node(
            domain,
            node.op_type,
            version,
            attributes,
            list(node.input),
            list(node.output),
            node.name or node.op_type,
            state,
        )
        inputs = [scope.find(name) if name else None for name in node.input]
        for name, value in zip(node.input, inputs):
            if name and value is None:
                raise made.error("expected a tensor that there is before", repr(name))
        outputs = self._called(made, node, inputs, scope)
        if not isinstance(outputs, (tuple, list)):
            outputs = (outputs,)
        if state.streamed.intersection(node.input) and node.op_type not in ("Shape", "Size"):
            state.streamed.update(node.output)
        unsigned = state.types.get(node.input[0]) if node.input else None
        first = inputs[0] if inputs else None
        for name, value in zip(node.output, outputs):
            if not name:
                continue
            same = first is not None and value.dtype == first.dtype
            if unsigned and same and node.op_type not in _OTHER_INTEGERS:
                state.types.setdefault(name, unsigned)
            if state.types.get(name) in _BITS and not value.is_floating_point():
                value = value & _BITS[state.types[name]]  # as an unsigned sum overflows
            keeps = node.op_type in _KEEPS_INT64 or name in state.types
            if value.dtype == torch.int64 and not keeps:
                value = value.int()  # as on the device
            # A tensor of its own, whose gradient is not that of the input that it is.
            scope[name] = value.view_as(value) if any(value is v for v in inputs) else value
            leaf = name in state.wanted and value.is_floating_point() and torch.is_grad_enabled()
            if leaf and not value.requires_grad:
                scope[name] = value.detach().requires_grad_()

    def _called(self, node: Node, source: Any, inputs: list[Any], scope: Scope) -> Any:
        from .control import CONTROL

        own = node.domain in (*ONNX, *GRAPHCORE)
        if own and node.type in CONTROL:
            return CONTROL[node.type](node, inputs, scope, self.versions)
        function = function_of(node.domain, node.type)
        if function is None and known(node.domain, node.type):
            return custom(node, *inputs)
        try:
            if function is not None:
                return function(node, *inputs)
        except (RuntimeError, IndexError, ValueError, TypeError, KeyError) as error:
            if isinstance(error, popart_exception):
                raise
            raise node.error("expected other inputs or attributes", error) from error
        if node.domain in ONNX:
            return evaluated(node, source, *inputs)
        raise popart_exception(
            f"session: expected a registered operator, got {node.domain}.{node.type}:{node.version}"
        )


def _attributes(node: Any) -> dict[str, Any]:
    """Return what decides what a node computes."""
    return {a.name: proto.value_of(a) for a in node.attribute if not a.name.startswith("__")}


def _free(value: Any) -> set[str]:
    """Return tensors that a graph takes from those around it."""
    if not hasattr(value, "node"):
        return set()
    made = {name for node in value.node for name in node.output}
    used = {name for node in value.node for name in node.input}
    used |= {item.name for item in (*value.output, *value.input)}
    for node in value.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                used |= _free(attribute.g)
    return used - made


def program_of(model: Any) -> Program:
    """Return the program of a model."""
    versions = {entry.domain: entry.version for entry in model.opset_import}
    return Program(model.graph, versions)
