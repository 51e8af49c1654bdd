"""Operators that reduce dimensions, sort or rank."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor

from .._native import popart_exception
from .registry import GRAPHCORE, ONNX, Node, axis_of, in_floats, numbers, op


def _prod(x: Tensor, dims: list[int]) -> Tensor:
    for dim in dims:
        x = x.prod(dim, keepdim=True)
    return x


_REDUCTIONS: dict[str, Callable[[Tensor, list[int]], Tensor]] = {
    "ReduceL1": lambda x, d: x.abs().sum(d, keepdim=True),
    "ReduceL2": lambda x, d: x.pow(2).sum(d, keepdim=True).sqrt(),
    "ReduceLogSum": lambda x, d: x.sum(d, keepdim=True).log(),
    "ReduceLogSumExp": lambda x, d: torch.logsumexp(x, d, keepdim=True),
    "ReduceMax": lambda x, d: torch.amax(x, d, keepdim=True),
    "ReduceMean": lambda x, d: x.mean(d, keepdim=True),
    "ReduceMin": lambda x, d: torch.amin(x, d, keepdim=True),
    "ReduceProd": _prod,
    "ReduceSum": lambda x, d: x.sum(d, keepdim=True),
    "ReduceSumSquare": lambda x, d: x.pow(2).sum(d, keepdim=True),
}


def dims_of(node: Node, x: Tensor) -> list[int]:
    """Return the dimensions of a node's axes; without axes all."""
    axes = node.get("axes")
    if axes is None:
        return list(range(x.dim()))
    if not x.dim() and axes:
        raise popart_exception("Reduce input rank must be greater than 0, invalid Reduce.")
    for axis in axes:
        if not -x.dim() <= axis < x.dim():
            raise popart_exception(
                f"Axis {axis} is out of acceptable range [{-x.dim()}, {x.dim() - 1}]"
            )
    return sorted({axis % x.dim() for axis in axes})


@op(*_REDUCTIONS)
def reduce(node: Node, x: Tensor, axes: Tensor | None = None) -> Any:
    """Reduce dimensions."""
    if axes is not None:  # since opset 13
        node = node._replace(attributes={**node.attributes, "axes": numbers(axes)})
    dims = dims_of(node, x)
    # Of no axes torch would reduce all: each element is then a reduction of one.
    value = x if dims else x.unsqueeze(-1)
    function = _REDUCTIONS[node.type]
    out = in_floats(lambda v: function(v, dims or [-1]), value)
    if not x.is_floating_point():
        out = out.to(x.dtype)
    kept = [1 if i in dims else size for i, size in enumerate(x.shape)]
    if node.get("keepdims", 1):
        return out.reshape(kept)
    return out.reshape([size for i, size in enumerate(x.shape) if i not in dims])


@op("ReduceMedian", domains=GRAPHCORE)
def reduce_median(node: Node, x: Tensor) -> Any:
    """Return medians (of two middle values the lower one) and where they are."""
    dims = dims_of(node, x)
    kept = [i for i in range(x.dim()) if i not in dims]
    flat = x.permute(*kept, *dims).reshape(*[x.shape[i] for i in kept], -1)
    values, where = in_floats(torch.median, flat, dim=-1)
    if node.get("keepdims", 1):
        shape = [1 if i in dims else size for i, size in enumerate(x.shape)]
        values, where = values.reshape(shape), where.reshape(shape)
    return values, where.int()


@op("ArgMax", "ArgMin")
def arg(node: Node, x: Tensor) -> Any:
    """Return where the largest or smallest value is, the first of several."""
    dim = axis_of(node, node.get("axis", 0), x.dim())
    function = torch.argmax if node.type == "ArgMax" else torch.argmin
    return function(
        x.float() if x.dtype == torch.float16 else x, dim, bool(node.get("keepdims", 1))
    )


@op("TopK")
def top_k(node: Node, x: Tensor, k: Tensor | None = None) -> Any:
    """Return the k largest or smallest values and where they are."""
    count = node.get("k") if k is None else numbers(k)[0]
    dim = axis_of(node, node.get("axis", -1), x.dim())
    return in_floats(
        lambda v: torch.topk(
            v, count, dim, bool(node.get("largest", 1)), bool(node.get("sorted", 1))
        ),
        x,
    )


@op("Sort", domains=GRAPHCORE)
def sort(node: Node, x: Tensor) -> Any:
    """Return sorted values and where they were."""
    dim = axis_of(node, node.get("axis", -1), x.dim())
    descending = bool(node.get("descending", 0))
    values, where = in_floats(lambda v: torch.sort(v, dim=dim, descending=descending), x)
    return values, where.int()


def _flat(node: Node, x: Tensor, default: int = 1) -> tuple[Tensor, Any]:
    """Return the tensor as a matrix, as softmax saw it before opset 13."""
    axis = axis_of(node, node.get("axis", default), x.dim())
    rows = 1
    for size in x.shape[:axis]:
        rows *= size
    return x.reshape(rows, -1), x.shape


@op("Softmax", "LogSoftmax", "Hardmax", domains=ONNX)
def softmax(node: Node, x: Tensor) -> Any:
    """Return softmax or its logarithm, or 1 at the first largest value."""
    if node.version >= 13:
        axis = axis_of(node, node.get("axis", -1), x.dim())
        moved = x.movedim(axis, -1)
        flat, shape = moved.reshape(-1, x.shape[axis]), moved.shape
    else:
        axis = -1
        flat, shape = _flat(node, x)
    if node.type == "Hardmax":
        out = torch.zeros_like(flat).scatter(1, flat.float().argmax(1, keepdim=True), 1.0)
    else:
        function = torch.softmax if node.type == "Softmax" else torch.log_softmax
        out = in_floats(lambda v: function(v, 1), flat)
    return out.reshape(shape).movedim(-1, axis)


@op("LpNormalization")
def lp_normalization(node: Node, x: Tensor) -> Any:
    """Divide by the p-norm along an axis."""
    dim = axis_of(node, node.get("axis", -1), x.dim())
    return in_floats(lambda v: v / v.norm(node.get("p", 2), dim, keepdim=True), x)
