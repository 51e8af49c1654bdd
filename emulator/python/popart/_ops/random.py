"""Operators that draw numbers, that make new tensors, or that talk."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch import Tensor

from .._native import native, popart_exception
from .._settings.tensorinfo import TYPES
from .registry import GRAPHCORE, Node, op
from .shape import type_of


@op("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike")
def draw(node: Node, like: Tensor | None = None) -> Any:
    """Return numbers of a normal or a uniform distribution."""
    sizes = list(node.get("shape")) if like is None else list(like.shape)
    kind = torch.float32 if like is None else like.dtype
    if "dtype" in node.attributes:
        kind = type_of(node, "dtype")
    if "seed" in node.attributes:
        raise node.error(
            "expected no seed",
            f"{node.get('seed')}: Optional seed attribute is not supported. Use "
            "session::setRandomSeed instead.",
        )
    if node.get("dtype") in (11, "DOUBLE") or kind not in (torch.float32, torch.float16):
        raise popart_exception(
            f"{node.type}: Unsupported data type requested, {node.get('dtype', kind)}. The data "
            "type DOUBLE is not supported in Poplar"
        )
    if node.type.startswith("RandomNormal"):
        out = torch.randn(sizes) * node.get("scale", 1.0) + node.get("mean", 0.0)
    else:
        low, high = node.get("low", 0.0), node.get("high", 1.0)
        out = torch.rand(sizes) * (high - low) + low
    return out.to(kind)


@op("Init", domains=GRAPHCORE)
def init(node: Node) -> Any:
    """Return a new tensor; that of no values in particular is of zeros too."""
    return torch.zeros(list(node.get("shape")), dtype=TYPES[node.get("data_type")][1])


_LAYOUT = {
    "summariseThreshold": 1000,
    "edgeItems": 3,
    "maxLineWidth": 75,
    "digits": 8,
    "floatFormat": 0,
}
_SIGNS = {"separator": " ", "openBracket": "[", "closeBracket": "]"}


class _Print(torch.autograd.Function):
    """Prints a tensor, and its gradient in the backward pass."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, title: str, of_gradient: str, layout: tuple[Any, ...]
    ) -> Tensor:
        ctx.title, ctx.layout = of_gradient, layout
        print(f"{title}: {_text(x, layout)}", file=sys.stderr)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        if ctx.title:
            print(f"{ctx.title}: {_text(grad, ctx.layout)}", file=sys.stderr)
        return grad, None, None, None


def _text(x: Tensor, layout: tuple[Any, ...]) -> str:
    return str(native.format_tensor(x.detach().numpy(), *layout))


def _sign(value: Any) -> str:
    """Return the character of an attribute, which PopART writes as a number."""
    return chr(value) if isinstance(value, int) else str(value)[:1]


@op("PrintTensor", domains=GRAPHCORE)
def print_tensor(node: Node, x: Tensor) -> Any:
    """Print a tensor to standard error, and return it."""
    if node.run.dry:
        return x
    title, source = node.get("title"), node.inputs[0]
    of_gradient = f"{title}_gradient" if title else f"Gradient___{source}"
    layout = (
        *(node.get(name, default) for name, default in _LAYOUT.items()),
        *(_sign(node.get(name, default)) for name, default in _SIGNS.items()),
    )
    shown = of_gradient if node.get("print_gradient", 1) else ""
    return _Print.apply(x, title or source, shown, layout)


@op("Abort", domains=GRAPHCORE)
def abort(node: Node, condition: Tensor | None = None) -> Any:
    """Stop the program, where there is a condition only if it holds."""
    if not node.run.dry and (condition is None or bool(condition.any())):
        raise popart_exception(f"Abort ({node.name}): the program was aborted")
    return ()


@op("ReplicatedAllReduce", "ReplicatedReduceScatter", domains=GRAPHCORE)
def collective(node: Node, x: Tensor, *_: Tensor) -> Any:
    """Return the tensor where there is one replica.

    Raises
    ------
    popart_exception
        Where there are several, which run one after another here.
    """
    if node.run.replicas > 1:
        raise node.error("expected one replica, as collectives are not emulated", node.run.replicas)
    return x
