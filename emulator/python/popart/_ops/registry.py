"""The functions that compute operators, and what each is told of its node."""

from __future__ import annotations

from typing import Any, Callable, Iterable, NamedTuple

import torch
from torch import Tensor

from .._native import popart_exception

ONNX = ("", "ai.onnx")
GRAPHCORE = ("ai.graphcore",)


class Pass:
    """One pass over a model.

    Parameters
    ----------
    training : bool
    dry : bool, optional
        For types and shapes alone: what is slow or has an effect is left out.
    device : Any, optional
        What custom operators run on.

    Attributes
    ----------
    cycles : int
        Modelled cycles of custom operators so far.
    written : dict of str to Tensor
        What operators have written into weights in place.
    detached : dict of str to str
        Outputs of Detach, and their inputs.
    types : dict of str to str
        PopART's types of outputs that torch holds in a wider type.
    streamed : set of str
        Tensors that depend on inputs, which a device knows only as it runs.
    strided_groups : bool
        Whether a group of a group norm has channels that are the number of groups apart.
    wanted : frozenset of str
        Tensors whose gradients are anchored.
    """

    def __init__(self, training: bool, dry: bool = False, device: Any = None) -> None:
        self.training = training
        self.dry = dry
        self.device = device
        self.cycles = 0
        self.replicas = 1
        self.written: dict[str, Tensor] = {}
        self.detached: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.streamed: set[str] = set()
        self.strided_groups = False
        self.wanted: frozenset[str] = frozenset()


class Node(NamedTuple):
    """An operator of a model, with the versions of its opset and the pass it runs in."""

    domain: str
    type: str
    version: int
    attributes: dict[str, Any]
    inputs: list[str]
    outputs: list[str]
    name: str
    run: Pass

    def get(self, name: str, default: Any = None) -> Any:
        """Return an attribute."""
        return self.attributes.get(name, default)

    def constant(self, index: int) -> bool:
        """Whether an input is known before the model runs, or is not given."""
        return index >= len(self.inputs) or self.inputs[index] not in self.run.streamed

    def error(self, expected: str, got: Any) -> Exception:
        """Return the exception of a wrong input or attribute."""
        error: Exception = popart_exception(f"{self.type} ({self.name}): {expected}, got {got}")
        return error


Function = Callable[..., Any]
_FUNCTIONS: dict[tuple[str, str], Function] = {}


def op(*types: str, domains: Iterable[str] = ONNX) -> Callable[[Function], Function]:
    """Register a function of a Node and its inputs for operators of these types."""

    def register(function: Function) -> Function:
        for domain in domains:
            for kind in types:
                _FUNCTIONS[domain, kind] = function
        return function

    return register


def function_of(domain: str, kind: str) -> Function | None:
    """Return the function of an operator, or None."""
    return _FUNCTIONS.get((domain, kind))


def numbers(tensor: Any) -> list[int]:
    """Return the integers of a tensor of one dimension, such as a shape."""
    return [int(value) for value in tensor.detach().reshape(-1).tolist()]


def axis_of(node: Node, axis: int, rank: int) -> int:
    """Return an axis as a number from 0 on.

    Raises
    ------
    popart_exception
        Where there is no such axis.
    """
    if not -max(rank, 1) <= axis < max(rank, 1):
        raise node.error(f"expected an axis of a tensor of {rank} dimensions", axis)
    return axis % max(rank, 1)


def in_floats(function: Callable[..., Any], *tensors: Any, **named: Any) -> Any:
    """Call a function of torch on floats where a half is among the tensors, and return halves."""
    halves = any(isinstance(t, Tensor) and t.dtype == torch.float16 for t in tensors)
    if not halves:
        return function(*tensors, **named)
    given = [
        t.float() if isinstance(t, Tensor) and t.dtype == torch.float16 else t for t in tensors
    ]
    return _halved(function(*given, **named))


def _halved(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple(_halved(entry) for entry in value)
    is_float = isinstance(value, Tensor) and value.dtype == torch.float32
    return value.half() if is_float else value
