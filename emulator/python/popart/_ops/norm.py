"""Normalisation and dropout."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from .._native import popart_exception
from .registry import GRAPHCORE, ONNX, Node, in_floats, op


def _channels(x: Tensor, values: Tensor) -> Tensor:
    return values.reshape(-1, *[1] * (x.dim() - 2))


@op("BatchNormalization", domains=(*ONNX, *GRAPHCORE))
def batch_normalization(
    node: Node, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor
) -> Any:
    """Normalise channels; with five outputs by the batch's own mean and variance, which move ours.

    The variance that moves is the biased one, as ONNX has it, and the unbiased one of aiGraphcore.
    Weights of running statistics take theirs in training.
    """
    if x.dim() < 3:
        raise popart_exception(f"batch norm requires X to have a rank >= 3.  x has rank {x.dim()}")
    if not node.get("spatial", 1):
        return _each_element(node, x, scale, bias, mean, variance)
    for name, values in (("scale", scale), ("B", bias), ("mean", mean), ("var", variance)):
        if list(values.shape) != [x.shape[1]]:
            raise popart_exception(
                f"expected shape of batch norm input tensor {name} ({_sizes(values)}) to be "
                f"[{x.shape[1]}] to match dimension 1 of X ({_sizes(x)})"
            )
    epsilon, momentum = node.get("epsilon", 1e-5), node.get("momentum", 0.9)
    value = x.float()
    if len(node.outputs) < 2:
        used_mean, used_variance = mean.float(), variance.float()
    else:
        dims = [i for i in range(x.dim()) if i != 1]
        used_mean = value.mean(dims)
        used_variance = value.var(dims, unbiased=False)
    inverse = (used_variance + epsilon).rsqrt()
    out = (value - _channels(x, used_mean)) * _channels(x, inverse * scale.float())
    out = (out + _channels(x, bias.float())).to(x.dtype)
    if len(node.outputs) < 2:
        if out.requires_grad:
            out.register_hook(_refuse_gradient)
        return out
    count = x.numel() // x.shape[1]
    moving = used_variance * (1.0 if node.domain in ONNX else count / max(count - 1, 1))
    running = mean * momentum + used_mean.detach().to(mean.dtype) * (1 - momentum)
    spread = variance * momentum + moving.detach().to(variance.dtype) * (1 - momentum)
    if node.run.training:
        for name, moved in zip(node.inputs[3:5], (running, spread)):
            node.run.written[node.run.detached.get(name, name)] = moved.detach()
    return out, running, spread, used_mean.to(mean.dtype), moving.to(variance.dtype)


def _refuse_gradient(grad: Tensor) -> None:
    raise popart_exception(
        "To use the BatchNorm Op in inference mode during training, it has to be detached first."
    )


def _sizes(x: Tensor) -> str:
    return "[" + " ".join(str(size) for size in x.shape) + "]"


def _each_element(node: Node, x: Tensor, *statistics: Tensor) -> Any:
    """Normalise each element of a sample as if it were a channel."""
    for name, values in zip(("scale", "B", "mean", "var"), statistics):
        if values.shape != x.shape[1:]:
            raise popart_exception(
                f"expected shape of batch norm input tensor {name} ({_sizes(values)}) to be "
                f"{_sizes(x[0])} to match all but the first dimension of X ({_sizes(x)})"
            )
    attributes = {**node.attributes, "spatial": 1}
    flat = [values.reshape(-1) for values in statistics]
    out = batch_normalization(node._replace(attributes=attributes), x.reshape(len(x), -1, 1), *flat)
    if not isinstance(out, tuple):
        return out.reshape(x.shape)
    for name in set(node.inputs[3:5]) | {node.run.detached.get(n, n) for n in node.inputs[3:5]}:
        if name in node.run.written:
            node.run.written[name] = node.run.written[name].reshape(x.shape[1:])
    return (out[0].reshape(x.shape), *(value.reshape(x.shape[1:]) for value in out[1:]))


@op("InstanceNormalization")
def instance_normalization(node: Node, x: Tensor, scale: Tensor, bias: Tensor) -> Any:
    """Normalise each channel of each sample."""
    epsilon = node.get("epsilon", 1e-5)
    return in_floats(
        lambda v, s, b: functional.instance_norm(v, weight=s, bias=b, eps=epsilon), x, scale, bias
    )


@op("GroupNormalization", domains=GRAPHCORE)
def group_normalization(node: Node, x: Tensor, scale: Tensor, bias: Tensor) -> Any:
    """Normalise groups of channels; return also mean and inverse deviation of each."""
    groups, epsilon = node.get("num_groups"), node.get("epsilon", 1e-5)
    channels = x.shape[1]
    order = torch.arange(channels)
    if node.run.strided_groups and channels % groups == 0:  # popnn's `groupActs`
        order = order.reshape(-1, groups).t().reshape(-1)
    value = x.float()[:, order]
    out = functional.group_norm(value, groups, None, None, epsilon)[:, torch.argsort(order)]
    out = out * _channels(x, scale.float()) + _channels(x, bias.float())
    out = out.to(x.dtype)
    flat = value.detach().reshape(x.shape[0] * groups, -1)
    inverse = (flat.var(1, unbiased=False) + epsilon).rsqrt()
    return out, flat.mean(1).to(x.dtype), inverse.to(x.dtype)


@op("LRN")
def lrn(node: Node, x: Tensor) -> Any:
    """Divide by a power of the sum of squares of neighbouring channels."""
    size = node.get("size")
    alpha, beta, bias = node.get("alpha", 1e-4), node.get("beta", 0.75), node.get("bias", 1.0)

    def run(value: Tensor) -> Tensor:
        squares = value.pow(2).transpose(1, -1)
        before = (size - 1) // 2
        sums = functional.pad(squares, (before, size - 1 - before)).unfold(-1, size, 1).sum(-1)
        return value / (bias + alpha / size * sums.transpose(1, -1)).pow(beta)

    return in_floats(run, x)


@op("MeanVarianceNormalization")
def mean_variance_normalization(node: Node, x: Tensor) -> Any:
    """Take off the mean and divide by the deviation along axes."""
    axes = list(node.get("axes") or [0, 2, 3])

    def run(value: Tensor) -> Tensor:
        middle = value.mean(axes, keepdim=True)
        deviation = value.var(axes, unbiased=False, keepdim=True).sqrt()
        return (value - middle) / (deviation + 1e-9)

    return in_floats(run, x)


def _check_ratio(node: Node, ratio: float) -> None:
    if not 0 <= ratio < 1:
        raise popart_exception(
            f"{node.domain or 'ai.onnx'}.{node.type}:{node.version} ratio value {ratio:.6g} is "
            "not valid. Please use a value in the interval [0,1)"
        )


@op("Dropout")
def dropout(node: Node, x: Tensor, share: Tensor | None = None, train: Tensor | None = None) -> Any:
    """Zero elements at random and scale the others; in inference none. Also return the mask."""
    ratio = node.get("ratio", 0.5) if share is None else float(share)
    _check_ratio(node, ratio)
    if not node.run.training or (train is not None and not bool(train)):
        return x, torch.ones_like(x, dtype=torch.bool)
    kept = torch.rand(x.shape) >= ratio
    return x * kept.to(x.dtype) / (1 - ratio), kept


@op("ShapedDropout", domains=GRAPHCORE)
def shaped_dropout(node: Node, x: Tensor) -> Any:
    """Zero slices at random, by a mask of a shape that broadcasts."""
    shape = list(node.get("shape"))
    _check_ratio(node, node.get("ratio", 0.5))
    sizes = zip(reversed(shape), reversed(x.shape))
    if len(shape) > x.dim() or any(size not in (1, most) for size, most in sizes):
        raise popart_exception(
            "ShapedDropout: incompatible input tensor and dropout shape. "
            f"{node.domain}.{node.type}:{node.version} is configured with shape {shape} which is "
            f"not broadcastable to the input tensor with shape {list(x.shape)}."
        )
    if not node.run.training:
        return x
    kept = torch.rand(shape) >= node.get("ratio", 0.5)
    return x * kept.to(x.dtype) / (1 - node.get("ratio", 0.5))
