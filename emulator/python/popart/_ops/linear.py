"""Products, convolutions and pooling."""

from __future__ import annotations

import math
from typing import Any, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .registry import GRAPHCORE, Node, in_floats, op

_CONVOLUTIONS = {1: functional.conv1d, 2: functional.conv2d, 3: functional.conv3d}
_TRANSPOSED: dict[int, Any] = {
    1: functional.conv_transpose1d,
    2: functional.conv_transpose2d,
    3: functional.conv_transpose3d,
}
_MAX_POOLS: dict[int, Any] = {
    1: functional.max_pool1d,
    2: functional.max_pool2d,
    3: functional.max_pool3d,
}


@op("MatMul")
def matmul(node: Node, a: Tensor, b: Tensor) -> Any:
    """Multiply matrices, also in batches."""
    if not (a.dim() and b.dim()):
        raise node.error("expected tensors of at least one dimension", f"{a.shape} and {b.shape}")
    inner = b.shape[-2] if b.dim() > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise node.error(f"expected matrices that multiply, {list(a.shape)}", f"{list(b.shape)}")
    return in_floats(torch.matmul, a, b)


@op("Gemm")
def gemm(node: Node, a: Tensor, b: Tensor, c: Tensor | None = None) -> Any:
    """Return alpha A B + beta C."""
    a = a.t() if node.get("transA", 0) else a
    b = b.t() if node.get("transB", 0) else b
    out = node.get("alpha", 1.0) * matmul(node, a, b)
    return out if c is None else out + node.get("beta", 1.0) * c


def sized(
    node: Node,
    sizes: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> list[int]:
    """Return pads before all dimensions and then after them, also those that auto_pad asks for."""
    auto = node.get("auto_pad", "NOTSET")
    rank = len(kernel)
    if auto in ("NOTSET", ""):
        return [int(pad) for pad in node.get("pads") or [0] * (2 * rank)]
    before, after = [0] * rank, [0] * rank
    if auto != "VALID":
        for i, size in enumerate(sizes):
            steps = math.ceil(size / strides[i])
            reach = dilations[i] * (kernel[i] - 1) + 1
            total = max((steps - 1) * strides[i] + reach - size, 0)
            less, more = total // 2, total - total // 2
            before[i], after[i] = (less, more) if auto == "SAME_UPPER" else (more, less)
    return before + after


def padded(x: Tensor, pads: Sequence[int], value: float = 0.0) -> Tensor:
    """Return the tensor with its last dimensions padded; pads below 0 cut."""
    rank = len(pads) // 2
    order = [pad for i in reversed(range(rank)) for pad in (pads[i], pads[rank + i])]
    return functional.pad(x, order, value=value) if any(order) else x


def convolved(
    node: Node, x: Tensor, weight: Tensor, bias: Tensor | None, parts: dict[str, Any]
) -> Any:
    """Return a convolution by the attributes of a node."""
    rank = x.dim() - 2
    if rank not in _CONVOLUTIONS:
        raise node.error("expected inputs of 3 to 5 dimensions", list(x.shape))
    node = node._replace(attributes=parts)
    strides = list(node.get("strides") or [1] * rank)
    dilations = list(node.get("dilations") or [1] * rank)
    pads = sized(node, x.shape[2:], weight.shape[2:], strides, dilations)
    groups = x.shape[1] // weight.shape[1]
    convolution = _CONVOLUTIONS[rank]

    def run(value: Tensor, kernel: Tensor, offset: Tensor | None) -> Any:
        return convolution(padded(value, pads), kernel, offset, strides, 0, dilations, groups)

    return in_floats(run, x, weight, bias)


@op("Conv")
def conv(node: Node, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """Convolve."""
    if weight.shape[1] * node.get("group", 1) != x.shape[1]:
        raise node.error(
            f"expected weights of {x.shape[1] // node.get('group', 1)} input channels",
            list(weight.shape),
        )
    return convolved(node, x, weight, bias, node.attributes)


@op("MultiConv", domains=GRAPHCORE)
def multiconv(node: Node, *inputs: Any) -> Any:
    """Convolve several tensors; attributes of all stand in one list."""
    outputs = []
    used = dict.fromkeys(("strides", "dilations", "inDilations", "pads", "outPads"), 0)
    for i in range(node.get("numConvs")):
        x, weight, bias = inputs[3 * i : 3 * i + 3]
        parts: dict[str, Any] = {}
        for name in used:
            count = (x.dim() - 2) * (2 if name.lower().endswith("pads") else 1)
            values = node.get(name) or []
            parts[name] = values[used[name] : used[name] + count]
            used[name] += count
        widths = parts["inDilations"]
        if any(width != 1 for width in widths):
            x = _spread(x, widths)
        out = convolved(node, x, weight, bias, parts)
        outputs.append(padded(out, parts["outPads"]) if parts["outPads"] else out)
    return tuple(outputs)


def _spread(x: Tensor, widths: Sequence[int]) -> Tensor:
    """Return a tensor with zeros between its elements."""
    sizes = [(size - 1) * width + 1 for size, width in zip(x.shape[2:], widths)]
    out = x.new_zeros(*x.shape[:2], *sizes)
    out[(slice(None), slice(None), *(slice(None, None, width) for width in widths))] = x
    return out


@op("ConvTranspose")
def conv_transpose(node: Node, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """Convolve backwards; auto_pad says where what is over is cut, where there is output_shape."""
    rank = x.dim() - 2
    strides = list(node.get("strides") or [1] * rank)
    dilations = list(node.get("dilations") or [1] * rank)
    extra = list(node.get("output_padding") or [0] * rank)
    pads = [int(pad) for pad in node.get("pads") or [0] * (2 * rank)]
    if any(dilation != 1 for dilation in dilations):
        raise node.error("expected dilations of 1", dilations)
    shape = list(node.get("output_shape") or [])
    sizes = [
        s * (n - 1) + e + k for s, n, e, k in zip(strides, x.shape[2:], extra, weight.shape[2:])
    ]
    if len(shape) == rank:
        for i in range(rank):
            total = sizes[i] - shape[i]
            less, more = total // 2, total - total // 2
            upper = node.get("auto_pad", "NOTSET") == "SAME_UPPER"
            pads[i], pads[rank + i] = (more, less) if upper else (less, more)
    elif shape:  # of batch and channels too: the pads stay
        made = [size - pads[i] - pads[rank + i] for i, size in enumerate(sizes)]
        if shape[2:] != made:
            raise node.error(f"expected an output_shape of {made} as the pads have it", shape)
    convolution = _TRANSPOSED[rank]

    def run(value: Tensor, kernel: Tensor, offset: Tensor | None) -> Any:
        groups = node.get("group", 1)
        out = convolution(value, kernel, None, strides, 0, 0, groups, dilations)
        out = padded(out, [0] * rank + extra)
        out = padded(out, [-pad for pad in pads])
        return out if offset is None else out + offset.reshape(-1, *[1] * rank)

    return in_floats(run, x, weight, bias)


def _windows(node: Node, x: Tensor) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return kernel, strides, dilations and pads of a pooling operator."""
    kernel = list(node.get("kernel_shape"))
    strides = list(node.get("strides") or [1] * len(kernel))
    dilations = list(node.get("dilations") or [1] * len(kernel))
    if any(dilation != 1 for dilation in dilations):
        raise node.error(
            "expected dilations of 1",
            f"{dilations}: Dilations of value other than 1 are currently not supported.",
        )
    pads = sized(node, x.shape[2:], kernel, strides, dilations)
    rank = len(kernel)
    if node.get("ceil_mode", 0):
        for i in range(rank):
            reach = dilations[i] * (kernel[i] - 1) + 1
            size = x.shape[2 + i] + pads[i] + pads[rank + i]
            pads[rank + i] += -(size - reach) % strides[i]
    return kernel, strides, dilations, pads


@op("MaxPool")
def max_pool(node: Node, x: Tensor) -> Any:
    """Return the largest value of each window, and where it is if that is asked for."""
    kernel, strides, dilations, pads = _windows(node, x)
    least = float("-inf") if x.is_floating_point() else float(torch.iinfo(x.dtype).min)
    value = padded(x, pads, least)
    pool = _MAX_POOLS[len(kernel)]
    if len(node.outputs) < 2:
        return in_floats(lambda v: pool(v, kernel, strides, 0, dilations), value)
    out, where = in_floats(
        lambda v: pool(v, kernel, strides, 0, dilations, return_indices=True), value
    )
    return out, _unpadded(where, value.shape[2:], x, pads)


def _unpadded(where: Tensor, sizes: Sequence[int], x: Tensor, pads: Sequence[int]) -> Tensor:
    """Return positions in a padded image as those in the whole tensor, as ONNX counts them."""
    flat = torch.zeros_like(where)
    left = where
    width = 1
    for i in reversed(range(len(sizes))):
        flat = flat + (left % sizes[i] - pads[i]) * width
        left, width = left // sizes[i], width * x.shape[2 + i]
    images = torch.arange(x.shape[0] * x.shape[1]) * width
    return flat + images.reshape(*x.shape[:2], *[1] * len(sizes))


@op("AveragePool")
def average_pool(node: Node, x: Tensor) -> Any:
    """Return the mean of each window; without padding unless count_include_pad is set."""
    kernel, strides, _, pads = _windows(node, x)
    rank = len(kernel)
    weight = torch.ones(1, 1, *kernel)

    def sums(value: Tensor) -> Any:
        flat = value.reshape(-1, 1, *value.shape[2:])
        return _CONVOLUTIONS[rank](flat, weight, None, strides)

    def run(value: Tensor) -> Any:
        total = sums(padded(value, pads))
        counted = torch.ones(1, 1, *value.shape[2:])
        if node.get("count_include_pad", 0):
            given = [int(pad) for pad in node.get("pads") or [0] * (2 * rank)]
            counted = padded(counted, given, 1.0)
            beyond = [pad - own for pad, own in zip(pads, given)]
            count = sums(padded(counted, beyond))
        else:
            count = sums(padded(counted, pads))
        return (total / count).reshape(*value.shape[:2], *total.shape[2:])

    return in_floats(run, x)


@op("LpPool")
def lp_pool(node: Node, x: Tensor) -> Any:
    """Return the p-norm of each window."""
    kernel, strides, _, pads = _windows(node, x)
    p = node.get("p", 2)

    def run(value: Tensor) -> Any:
        power = padded(value, pads).abs().pow(p)
        flat = power.reshape(-1, 1, *power.shape[2:])
        out = _CONVOLUTIONS[len(kernel)](flat, torch.ones(1, 1, *kernel), None, strides)
        return out.pow(1 / p).reshape(*value.shape[:2], *out.shape[2:])

    return in_floats(run, x)


@op("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(node: Node, x: Tensor) -> Any:
    """Return the mean, the largest value or the p-norm of each channel."""
    dims = list(range(2, x.dim()))
    if node.type == "GlobalAveragePool":
        return in_floats(torch.mean, x, dim=dims, keepdim=True)
    if node.type == "GlobalMaxPool":
        return torch.amax(x, dims, keepdim=True)
    p = node.get("p", 2)
    return in_floats(lambda v: v.abs().pow(p).sum(dims, keepdim=True).pow(1 / p), x)
