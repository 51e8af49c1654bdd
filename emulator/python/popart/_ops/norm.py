"""Normalisation and dropout."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from .registry import GRAPHCORE, ONNX, Node, in_floats, op


def _channels(x: Tensor, values: Tensor) -> Tensor:
    return values.reshape(-1, *[1] * (x.dim() - 2))


@op("BatchNormalization", domains=(*ONNX, *GRAPHCORE))
def batch_normalization(
    node: Node, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor
) -> Any:
    """Normalise channels; with five outputs by the batch's own mean and variance, which move ours.

    The variance that moves is the unbiased one, but for aiGraphcore's.
    """
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
        return out
    count = x.numel() // x.shape[1]
    moving = used_variance * (count / max(count - 1, 1) if node.domain in ONNX else 1.0)
    running = mean * momentum + used_mean.detach().to(mean.dtype) * (1 - momentum)
    spread = variance * momentum + moving.detach().to(variance.dtype) * (1 - momentum)
    return out, running, spread, used_mean.to(mean.dtype), used_variance.to(variance.dtype)


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
    out = in_floats(lambda v, s, b: functional.group_norm(v, groups, s, b, epsilon), x, scale, bias)
    flat = x.detach().float().reshape(x.shape[0] * groups, -1)
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


@op("Dropout")
def dropout(node: Node, x: Tensor, share: Tensor | None = None, train: Tensor | None = None) -> Any:
    """Zero elements at random and scale the others; in inference none. Also return the mask."""
    ratio = node.get("ratio", 0.5) if share is None else float(share)
    if not 0 <= ratio < 1:
        raise node.error("expected a ratio of at least 0 and below 1", ratio)
    if not node.run.training or (train is not None and not bool(train)):
        return x, torch.ones_like(x, dtype=torch.bool)
    kept = torch.rand(x.shape) >= ratio
    return x * kept.to(x.dtype) / (1 - ratio), kept


@op("ShapedDropout", domains=GRAPHCORE)
def shaped_dropout(node: Node, x: Tensor) -> Any:
    """Zero slices at random, by a mask of a shape that broadcasts."""
    if not node.run.training:
        return x
    kept = torch.rand(list(node.get("shape"))) >= node.get("ratio", 0.5)
    return x * kept.to(x.dtype) / (1 - node.get("ratio", 0.5))
