"""Operators that run graphs: branches, loops and calls."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import torch
from torch import Tensor

from .._ops.registry import Node
from .program import Program, Scope

Versions = Mapping[str, int]


def _run(graph: Any, values: list[Any], node: Node, scope: Scope, versions: Versions) -> list[Any]:
    """Run a graph on values in the order of its inputs, and return its outputs."""
    program = Program(graph, versions)
    named = dict(zip(program.inputs, values))
    result = program.run(named, node.run, scope)
    return [result.find(name) for name in program.outputs]


def branch(node: Node, inputs: list[Any], scope: Scope, versions: Versions) -> Any:
    """Run one of two graphs."""
    name = "then_branch" if bool(inputs[0].reshape(-1)[0]) else "else_branch"
    return _run(node.get(name), [], node, scope, versions)


def call(node: Node, inputs: list[Any], scope: Scope, versions: Versions) -> Any:
    """Run a graph."""
    return _run(node.get("callee"), inputs, node, scope, versions)


def loop(node: Node, inputs: list[Any], scope: Scope, versions: Versions) -> Any:
    """Run a graph as often as a count and a condition say; stack what it scans."""
    count = int(inputs[0].reshape(-1)[0]) if inputs[0] is not None else 2**31 - 1
    going = torch.tensor(True) if len(inputs) < 2 or inputs[1] is None else inputs[1]
    carried = list(inputs[2:])
    body = node.get("body")
    scanned: list[list[Tensor]] = [[] for _ in range(len(body.output) - 1 - len(carried))]
    step = 0
    while step < count and bool(going.reshape(-1)[0]):
        number = torch.tensor(step, dtype=torch.int32)
        outputs = _run(body, [number, going, *carried], node, scope, versions)
        going, carried = outputs[0], outputs[1 : 1 + len(carried)]
        for parts, value in zip(scanned, outputs[1 + len(carried) :]):
            parts.append(value)
        step += 1
    return [*carried, *(torch.stack(parts) if parts else torch.zeros(0) for parts in scanned)]


def scan(node: Node, inputs: list[Any], scope: Scope, versions: Versions) -> Any:
    """Run a graph over the slices of inputs; join what it gives for each.

    As PopART, which joins along a dimension that the slices have and drops the dimension of an
    input's slices only where there are others.
    """
    if node.version == 8:
        parts = inputs[1:]
        batches = [
            _scanned(node, [p[i] for p in parts], scope, versions) for i in range(parts[0].shape[0])
        ]
        return [torch.stack(values) for values in zip(*batches)]
    return _scanned(node, inputs, scope, versions)


def _scanned(node: Node, inputs: list[Any], scope: Scope, versions: Versions) -> list[Any]:
    body, count = node.get("body"), node.get("num_scan_inputs")
    states, given = list(inputs[: len(inputs) - count]), list(inputs[len(inputs) - count :])
    axes = list(node.get("scan_input_axes") or [0] * count)
    axes = [axis % x.dim() for x, axis in zip(given, axes)]
    turns = list(node.get("scan_input_directions") or node.get("directions") or [0] * count)
    given = [x.movedim(axis, 0) for x, axis in zip(given, axes)]
    given = [x.flip(0) if turn else x for x, turn in zip(given, turns)]
    number = len(body.output) - len(states)
    scanned: list[list[Tensor]] = [[] for _ in range(number)]
    for i in range(given[0].shape[0]):
        parts = [x[i] if x.dim() > 1 else x[i : i + 1] for x in given]
        outputs = _run(body, [*states, *parts], node, scope, versions)
        states = outputs[: len(states)]
        for values, value in zip(scanned, outputs[len(states) :]):
            values.append(value)
    out_axes = list(node.get("scan_output_axes") or [0] * number)
    out_turns = list(node.get("scan_output_directions") or [0] * number)
    turned = [values[::-1] if turn else values for values, turn in zip(scanned, out_turns)]
    return [*states, *(_joined(values, axis) for values, axis in zip(turned, out_axes))]


def _joined(values: list[Tensor], axis: int) -> Tensor:
    return torch.cat(values, axis) if values[0].dim() else torch.stack(values)


CONTROL: dict[str, Callable[..., Any]] = {"If": branch, "Call": call, "Loop": loop, "Scan": scan}
