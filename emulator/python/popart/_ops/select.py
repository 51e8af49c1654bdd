"""Operators that pick or place elements by indices, also those that a device knows late."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

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
    return out.reshape(*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


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
    """Return sums (products, largest or smallest values) of elements by index along an axis."""
    grouped = node.get("group_size", 1) > 1
    rank = source.dim()
    axis = node.get("axis", -1)
    axis = axis_of(node, axis, rank - int(grouped)) + int(grouped)
    shape = list(source.shape)
    shape[axis] = node.get("axis_size")
    where = indices.long()
    if where.shape != source.shape:
        if where.dim() < rank:
            where = where.reshape(*[1] * axis, -1, *[1] * (rank - axis - 1))
        where = where.expand(source.shape)
    reduction = node.get("reduction", "Sum")
    kinds = {"Sum": "sum", "Max": "amax", "Min": "amin", "Mul": "prod"}
    if reduction == "NoReduction":
        base = source.new_zeros(shape) if start is None else start
        return base.scatter(axis, where, source)
    base = source.new_full(shape, 1 if reduction == "Mul" else 0) if start is None else start
    if source.dtype == torch.float16:
        out = base.float().scatter_reduce(
            axis, where, source.float(), kinds[reduction], include_self=start is not None
        )
        return out.half()
    kept = start is not None or reduction == "Sum"
    return base.scatter_reduce(axis, where, source, kinds[reduction], include_self=kept)


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


@op("DynamicUpdate", "DynamicAdd", "DynamicZero", domains=GRAPHCORE)
def dynamic_update(node: Node, x: Tensor, offsets: Tensor, part: Tensor | None = None) -> Any:
    """Replace a window, add to it, or zero it."""
    window = _window(node, x, offsets)
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
