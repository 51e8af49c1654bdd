"""Operators that pick or place elements by indices, also those that a device knows late."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .._native import popart_exception
from .registry import GRAPHCORE, Node, axis_of, numbers, op


@op("Gather", "TiedGather", "GroupedGather", domains=("", "ai.onnx", *GRAPHCORE))
def gather(node: Node, x: Tensor, indices: Tensor) -> Any:
    """Return slices; indices below 0 count from the end."""
    groups = node.type == "GroupedGather"
    axis = axis_of(node, node.get("axis", 0), x.dim())
    if groups:  # dimension 0 of data and indices is over the groups
        return torch.stack([_taken(part, axis - 1, which) for part, which in zip(x, indices)])
    return _taken(x, axis, indices)


def _taken(x: Tensor, axis: int, indices: Tensor) -> Tensor:
    size = x.shape[axis]
    where = indices.reshape(-1).long()
    out = x.index_select(axis, torch.where(where < 0, where + size, where))
    return out.reshape([*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]])


def _along(x: Tensor, axis: int, indices: Tensor) -> Tensor:
    where = indices.long()
    return torch.where(where < 0, where + x.shape[axis], where)


@op("GatherElements")
def gather_elements(node: Node, x: Tensor, indices: Tensor) -> Any:
    """Return elements along an axis."""
    axis = axis_of(node, node.get("axis", 0), x.dim())
    return x.gather(axis, _along(x, axis, indices))


@op("Scatter", "ScatterElements")
def scatter(node: Node, x: Tensor, indices: Tensor, updates: Tensor) -> Any:
    """Replace elements along an axis."""
    axis = axis_of(node, node.get("axis", 0), x.dim())
    return x.scatter(axis, _along(x, axis, indices), updates)


@op("ScatterReduce", domains=GRAPHCORE)
def scatter_reduce(node: Node, source: Tensor, indices: Tensor, start: Tensor | None = None) -> Any:
    """Return sums (products, largest or smallest values) of elements by index along an axis.

    With groups, dimension 0 is over them, and the axis counts it.
    """
    axis, size = node.get("axis", -1), node.get("axis_size")
    if not -source.dim() <= axis < source.dim():
        raise popart_exception(
            f"ScatterReduceOp::setup axis = {axis} is outside the acceptable range "
            f"[{-source.dim()}, {source.dim() - 1}]"
        )
    if size < 1:
        raise popart_exception(f"ScatterReduceOp axis_size = {size} is not valid: must be > 0.")
    axis %= source.dim()
    where = _scattered_to(node, source, indices.long(), axis)
    shape = [*where.shape[:axis], size, *where.shape[axis + 1 :]]
    reduction = node.get("reduction", "Sum")
    kinds = {"Sum": "sum", "Max": "amax", "Min": "amin", "Mul": "prod"}
    if reduction == "NoReduction":
        base = source.new_zeros(shape) if start is None else start
        return base.scatter(axis, where, source)
    base = source.new_full(shape, 1 if reduction == "Mul" else 0) if start is None else start
    kept = start is not None or reduction == "Sum"
    if source.dtype == torch.float16:
        return _reduced(base.float(), axis, where, source.float(), kinds[reduction], kept).half()
    return _reduced(base, axis, where, source, kinds[reduction], kept)


def _reduced(
    base: Tensor, axis: int, where: Tensor, source: Tensor, kind: str, kept: bool
) -> Tensor:
    """Reduce by index; torch differentiates no source that is larger than the index."""
    source = source[tuple(slice(size) for size in where.shape)]
    return base.scatter_reduce(axis, where, source, kind, include_self=kept)


def _scattered_to(node: Node, source: Tensor, indices: Tensor, axis: int) -> Tensor:
    """Return an index for each element of the source, or of the first elements along other axes.

    PopART's `op/scatterreduce.cpp`: `expandIndicesBcastNdShape` and `checkIndexBroadcasted`.
    """
    if indices.shape == source.shape:
        return indices
    rank = source.dim()
    grouped = int(node.get("group_size", 1) > 1)
    if indices.dim() > rank:
        raise popart_exception(
            "Invalid rank for indices input. "
            f"Indices rank {indices.dim()} must be <= data input rank {rank}."
        )
    shape = list(indices.shape)
    if len(shape) - grouped == 1:
        shape[grouped:grouped] = [1] * (axis - grouped)
    shape += [1] * (rank - len(shape))
    if any(size > most for size, most in zip(shape, source.shape)):
        raise popart_exception(
            f"Failed to expand 'indices' shape {list(indices.shape)} to match 'src' shape "
            f"{list(source.shape)} using reduction axis = {axis}."
        )
    where = indices.reshape(shape)
    if not node.get("enable_index_broadcast", 1):
        return where
    wide = [dim for dim, size in enumerate(shape) if size != 1]
    if len(wide) != 1 + grouped or wide[grouped] != axis:
        raise popart_exception("Partial broadcasting of indices is not currently supported.")
    sizes = list(source.shape)
    sizes[axis] = shape[axis]
    return where.expand(sizes)


def _window(node: Node, x: Tensor, offsets: Tensor) -> tuple[Any, ...]:
    """Return the index of a window; a start beyond the end counts as 0, the rest wraps around."""
    window: list[Tensor] = [torch.arange(size) for size in x.shape]
    starts = numbers(offsets)
    for axis, size, start in zip(node.get("axes"), node.get("sizes"), starts):
        length = x.shape[axis]
        first = start if 0 <= start < length else 0
        window[axis] = (torch.arange(size) + first) % length
    return tuple(
        part.reshape(*[1] * i, -1, *[1] * (len(window) - i - 1)) for i, part in enumerate(window)
    )


@op("DynamicSlice", domains=GRAPHCORE)
def dynamic_slice(node: Node, x: Tensor, offsets: Tensor, into: Tensor | None = None) -> Any:
    """Return a window that begins where a tensor says; a tensor to write it into may be given."""
    out = x[_window(node, x, offsets)]
    return out if into is None else out.reshape(into.shape)


class _Placed(torch.autograd.Function):
    """Replaces a window that no other update is to write, whose gradient PopART does not zero."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, part: Tensor, window: Any) -> Tensor:
        ctx.window = window
        out = x.clone()
        out[window] = part
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return grad, grad[ctx.window], None


@op("DynamicUpdate", "DynamicAdd", "DynamicZero", domains=GRAPHCORE)
def dynamic_update(node: Node, x: Tensor, offsets: Tensor, part: Tensor | None = None) -> Any:
    """Replace a window, add to it, or zero it."""
    window = _window(node, x, offsets)
    if node.type == "DynamicUpdate" and node.get("noOverlap", 0) and part is not None:
        return _Placed.apply(x, part, window)
    out = x.clone()
    if node.type == "DynamicAdd":
        out[window] = x[window] + (0 if part is None else part)
    else:
        out[window] = torch.zeros_like(x[window]) if part is None else part
    return out


@op("SequenceSlice", domains=GRAPHCORE)
def sequence_slice(
    node: Node, x: Tensor, target: Tensor, counts: Tensor, starts: Tensor, places: Tensor
) -> Any:
    """Copy runs of slices of a tensor into another."""
    out = torch.zeros_like(target) if node.get("zeroUnused", 0) else target.clone()
    for count, start, place in zip(numbers(counts), numbers(starts), numbers(places)):
        out[place : place + count] = x[start : start + count]
    return out


@op("CopyVarUpdate", domains=GRAPHCORE)
def copy_var_update(node: Node, weight: Tensor, value: Tensor) -> Any:
    """Replace a weight."""
    node.run.written[node.inputs[0]] = value.detach()
    return value
