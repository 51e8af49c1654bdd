"""Operators that move elements: shapes, slices, joins and padding."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from .._native import popart_exception
from .._settings.tensorinfo import TYPES, WIDER
from .linear import padded
from .registry import GRAPHCORE, ONNX, Node, axis_of, numbers, op


def type_of(node: Node, name: str, default: Any = None) -> Any:
    """Return the torch type of an attribute: PopART's name of it, or ONNX's number."""
    value = node.get(name, default)
    if isinstance(value, int):
        value = _NUMBERS.get(value, value)
    if value not in TYPES:
        raise node.error(f"expected a type of PopART as {name}", value)
    return TYPES[value][1]


_NUMBERS = {1: "FLOAT", 2: "UINT8", 3: "INT8", 4: "UINT16", 5: "INT16", 6: "INT32", 7: "INT64"}
_NUMBERS.update({9: "BOOL", 10: "FLOAT16", 11: "FLOAT", 12: "UINT32", 13: "UINT64"})


@op("Constant")
def constant(node: Node) -> Any:
    """Return the value of an attribute."""
    for name in ("value", "value_float", "value_int", "value_floats", "value_ints"):
        if name in node.attributes:
            array = np.array(node.get(name))
            if array.dtype == np.float64:
                array = array.astype(np.float32)
            return torch.from_numpy(array.copy())
    raise node.error("expected a value", sorted(node.attributes))


@op("ConstantOfShape")
def constant_of_shape(node: Node, shape: Tensor) -> Any:
    """Return a tensor of one value."""
    value = np.asarray(node.get("value", np.zeros(1, np.float32)))
    return torch.from_numpy(np.full(numbers(shape), value.reshape(-1)[0], value.dtype))


@op("Cast")
def cast(node: Node, x: Tensor) -> Any:
    """Return other types; floats are cut to integers towards zero."""
    kind = node.get("to")
    kind = _NUMBERS.get(kind, kind) if isinstance(kind, int) else kind
    if kind in WIDER:
        node.run.types[node.outputs[0]] = kind
    return x.to(type_of(node, "to"))


@op("Shape")
def shape(node: Node, x: Tensor) -> Any:
    """Return the shape."""
    return torch.tensor(list(x.shape), dtype=torch.int64)


@op("Size")
def size(node: Node, x: Tensor) -> Any:
    """Return the number of elements."""
    return torch.tensor(x.numel(), dtype=torch.int64)


@op("Reshape", domains=(*ONNX, *GRAPHCORE))
def reshape(node: Node, x: Tensor, wanted: Tensor | None = None) -> Any:
    """Return another shape; 0 is the size of the input, -1 what is left."""
    sizes = list(node.get("shape", [])) if wanted is None else numbers(wanted)
    for i, number in enumerate(sizes):
        if number == 0 and i < x.dim():
            sizes[i] = x.shape[i]
    try:
        return x.reshape(sizes)
    except RuntimeError as error:
        raise node.error(f"expected a shape of {x.numel()} elements", sizes) from error


@op("Flatten")
def flatten(node: Node, x: Tensor) -> Any:
    """Return a matrix."""
    axis = node.get("axis", 1)
    axis = axis + x.dim() if axis < 0 else axis
    return x.reshape(int(np.prod(x.shape[:axis], dtype=np.int64)), -1)


@op("Squeeze")
def squeeze(node: Node, x: Tensor) -> Any:
    """Take out dimensions of 1."""
    axes = node.get("axes")
    if not axes:
        return x.reshape([number for number in x.shape if number != 1])
    gone = {axis_of(node, axis, x.dim()) for axis in axes}
    if any(x.shape[axis] != 1 for axis in gone):
        raise node.error("expected axes of size 1", f"{sorted(gone)} of {list(x.shape)}")
    return x.reshape([number for i, number in enumerate(x.shape) if i not in gone])


@op("Unsqueeze")
def unsqueeze(node: Node, x: Tensor) -> Any:
    """Put in dimensions of 1."""
    axes = list(node.get("axes"))
    rank = x.dim() + len(axes)
    for axis in sorted(axis_of(node, axis, rank) for axis in axes):
        x = x.unsqueeze(axis)
    return x


@op("Transpose")
def transpose(node: Node, x: Tensor) -> Any:
    """Permute dimensions; by default backwards."""
    return x.permute(list(node.get("perm") or reversed(range(x.dim()))))


@op("Expand")
def expand(node: Node, x: Tensor, wanted: Tensor) -> Any:
    """Broadcast in both directions."""
    return x.broadcast_to(torch.broadcast_shapes(x.shape, tuple(numbers(wanted))))


@op("Tile")
def tile(node: Node, x: Tensor, repeats: Tensor) -> Any:
    """Repeat."""
    name, counts = node.inputs[1], numbers(repeats)
    if not node.constant(1):
        raise popart_exception(f"'Repeats' tensor `{name}' must be of type Constant")
    if len(counts) != x.dim():
        raise popart_exception(
            f"'Repeats' tensor `{name}' should have one element for each dimension of the data "
            "tensor"
        )
    if any(count < 0 for count in counts):
        raise popart_exception(
            f"'Repeats' tensor `{name}' has negative numbers, {counts}. Values must be "
            "non-negative in each shape dimension"
        )
    return x.repeat(counts)


@op("Concat")
def concat(node: Node, *inputs: Tensor) -> Any:
    """Join along an axis."""
    kinds = {tensor.dtype for tensor in inputs}
    if kinds <= {torch.int32, torch.int64}:  # shapes are both
        inputs = tuple(tensor.long() for tensor in inputs)
    return torch.cat(inputs, axis_of(node, node.get("axis", 1), inputs[0].dim()))


@op("Split")
def split(node: Node, x: Tensor) -> Any:
    """Cut along an axis, into equal parts or those of an attribute."""
    axis = axis_of(node, node.get("axis", 0), x.dim())
    sizes = node.get("split") or [x.shape[axis] // len(node.outputs)] * len(node.outputs)
    if sum(sizes) != x.shape[axis]:
        raise node.error(f"expected parts that add up to {x.shape[axis]}", sizes)
    return torch.split(x, list(sizes), axis)


@op("Slice", domains=(*ONNX, *GRAPHCORE))
def slice_(node: Node, x: Tensor, *bounds: Tensor) -> Any:
    """Return every step-th element from start to end of axes."""
    if bounds:
        starts, ends = numbers(bounds[0]), numbers(bounds[1])
        axes = numbers(bounds[2]) if len(bounds) > 2 and bounds[2] is not None else None
        steps = numbers(bounds[3]) if len(bounds) > 3 and bounds[3] is not None else None
    else:
        starts, ends = list(node.get("starts")), list(node.get("ends"))
        axes, steps = node.get("axes"), None
    axes = list(axes) if axes else list(range(len(starts)))
    for axis, start, end, step in zip(axes, starts, ends, steps or [1] * len(starts)):
        axis = axis_of(node, axis, x.dim())
        where = range(x.shape[axis])[slice(start, None if end < -x.shape[axis] else end, step)]
        if step == 1:
            x = x.narrow(axis, where.start if len(where) else 0, len(where))
        else:
            x = x.index_select(axis, torch.tensor(list(where), dtype=torch.int64))
    return x


@op("Pad")
def pad(node: Node, x: Tensor, pads: Tensor | None = None, value: Tensor | None = None) -> Any:
    """Pad with a constant, with the edge or by reflection."""
    amounts = list(node.get("pads")) if pads is None else numbers(pads)
    filler = node.get("value", 0.0) if value is None else value.item()
    mode = node.get("mode", "constant")
    if mode == "constant":
        return padded(x, amounts, filler)
    rank = x.dim()
    for dim in range(rank):
        before, after = amounts[dim], amounts[rank + dim]
        where = torch.arange(-before, x.shape[dim] + after)
        last = x.shape[dim] - 1
        edge = mode == "edge"
        where = where.clamp(0, last) if edge else last - (last - where.abs()).abs()
        x = x.index_select(dim, where)
    return x


@op("Reverse", domains=GRAPHCORE)
def reverse(node: Node, x: Tensor) -> Any:
    """Turn dimensions around."""
    dims = list(node.get("dimensions"))
    for dim in dims:
        if dim < 0:
            got = f"invalid dimension '{dim}'. Only positive dimensions are supported"
        elif dim >= x.dim():
            got = f"invalid dimension '{dim}' for input tensor of rank {x.dim()}"
        elif dims.count(dim) > 1:
            got = f"Dimension {dim} appears multiple times"
        else:
            continue
        raise node.error("expected dimensions of its input", got)
    return x.flip(dims)


@op("Subsample", domains=GRAPHCORE)
def subsample(node: Node, x: Tensor) -> Any:
    """Return every so-manieth element of each dimension."""
    for index, stride in enumerate(node.get("strides")):
        if stride == 0:
            raise popart_exception(f"Strides invalid. 0 stride at index {index}")
    return x[tuple(slice(None, None, stride) for stride in node.get("strides"))]


@op("DepthToSpace", domains=(*ONNX, *GRAPHCORE))
def depth_to_space(node: Node, x: Tensor) -> Any:
    """Move channels into blocks of pixels."""
    size = node.get("blocksize")
    n, channels, height, width = x.shape
    if node.get("mode", "DCR") == "DCR":
        blocks = x.reshape(n, size, size, channels // size**2, height, width)
        moved = blocks.permute(0, 3, 4, 1, 5, 2)
    else:
        blocks = x.reshape(n, channels // size**2, size, size, height, width)
        moved = blocks.permute(0, 1, 4, 2, 5, 3)
    return moved.reshape(n, channels // size**2, height * size, width * size)


@op("SpaceToDepth")
def space_to_depth(node: Node, x: Tensor) -> Any:
    """Move blocks of pixels into channels."""
    size = node.get("blocksize")
    n, channels, height, width = x.shape
    blocks = x.reshape(n, channels, height // size, size, width // size, size)
    moved = blocks.permute(0, 3, 5, 1, 2, 4)
    return moved.reshape(n, channels * size**2, height // size, width // size)


@op("OneHot")
def one_hot(node: Node, indices: Tensor, depth: Tensor, values: Tensor) -> Any:
    """Return one value where an index points to, another elsewhere."""
    classes = numbers(depth)[0]
    axis = node.get("axis", -1)
    where = indices.long()
    where = torch.where(where < 0, where + classes, where)
    hot = where.unsqueeze(-1) == torch.arange(classes)
    out = torch.where(hot, values[1], values[0])
    return out.movedim(-1, axis if axis >= 0 else out.dim() + axis)


@op("Range")
def range_(node: Node, start: Tensor, limit: Tensor, delta: Tensor) -> Any:
    """Return numbers at equal distances."""
    return torch.arange(start.item(), limit.item(), delta.item(), dtype=start.dtype)


@op("EyeLike")
def eye_like(node: Node, x: Tensor) -> Any:
    """Return 1 on a diagonal and 0 elsewhere."""
    kind = type_of(node, "dtype") if "dtype" in node.attributes else x.dtype
    out = torch.zeros(x.shape)
    out.diagonal(node.get("k", 0)).fill_(1)
    return out.to(kind)


@op("RoiAlign")
def roi_align(node: Node, x: Tensor, rois: Tensor, batches: Tensor) -> Any:
    """Return bilinear samples of regions, averaged (or the largest) in bins."""
    height, width = node.get("output_height", 1), node.get("output_width", 1)
    ratio, factor = node.get("sampling_ratio", 0), node.get("spatial_scale", 1.0)
    outputs = []
    for box, batch in zip(rois, batches):
        x1, y1, x2, y2 = [float(value) * factor for value in box]
        tall, wide = max(y2 - y1, 1.0), max(x2 - x1, 1.0)
        rows = ratio or int(np.ceil(tall / height))
        columns = ratio or int(np.ceil(wide / width))
        ys = y1 + (torch.arange(height * rows) + 0.5) * (tall / (height * rows))
        xs = x1 + (torch.arange(width * columns) + 0.5) * (wide / (width * columns))
        image = x[int(batch)]
        grid_y = 2 * ys.clamp(0, image.shape[1] - 1) / max(image.shape[1] - 1, 1) - 1
        grid_x = 2 * xs.clamp(0, image.shape[2] - 1) / max(image.shape[2] - 1, 1) - 1
        grid = torch.stack(torch.meshgrid(grid_y, grid_x, indexing="ij")[::-1], -1)
        samples = functional.grid_sample(
            image[None].float(), grid[None].float(), align_corners=True
        )[0]
        inside = ((ys > -1) & (ys < image.shape[1]))[:, None] & ((xs > -1) & (xs < image.shape[2]))
        bins = (samples * inside).reshape(-1, height, rows, width, columns)
        largest = node.get("mode", "avg") == "max"
        outputs.append(bins.amax((2, 4)) if largest else bins.mean((2, 4)))
    return torch.stack(outputs).to(x.dtype)
