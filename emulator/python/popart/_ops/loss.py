"""Losses, and what reduces them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .registry import GRAPHCORE, Node, in_floats, op


def reduced(node: Node, values: Tensor, count: Any = None) -> Tensor:
    """Return a loss's sum, mean or all of its values."""
    reduction = node.get("reduction", "Mean")
    if reduction == "NoReduction":
        return values
    total = values.sum()
    if reduction == "Sum":
        return total
    if reduction != "Mean":
        raise node.error("expected a reduction Sum, Mean or NoReduction", reduction)
    return total / (values.numel() if count is None else count)


@op("L1", domains=GRAPHCORE)
def l1(node: Node, x: Tensor) -> Any:
    """Return lambda |x|, reduced."""
    return in_floats(lambda v: reduced(node, node.get("lambda") * v.abs()), x)


@op("Nll", domains=GRAPHCORE)
def nll(node: Node, probabilities: Tensor, labels: Tensor) -> Any:
    """Return the negative logarithm of the probabilities of labels, reduced."""
    if list(labels.shape) != list(probabilities.shape[:-1]):
        raise node.error(
            f"expected labels of shape {list(probabilities.shape[:-1])}", list(labels.shape)
        )
    classes = probabilities.shape[-1]
    ignored = node.get("ignoreIndex")

    def run(values: Tensor) -> Tensor:
        logs = values if node.get("inputIsLogProbability") else (values + 1e-7).log()
        if values.dtype == torch.float32 and not node.get("inputIsLogProbability"):
            logs = torch.where(values > 0, values, values + 1e-7).log()
        flat, where = logs.reshape(-1, classes), labels.reshape(-1).long()
        kept = torch.ones_like(where, dtype=torch.bool) if ignored is None else where != ignored
        inside = (where >= 0) & (where < classes)
        chosen = flat.gather(1, torch.where(inside, where, 0).unsqueeze(1)).squeeze(1)
        loss = torch.where(kept & inside, -chosen, torch.zeros_like(chosen))
        count = None if ignored is None else kept.sum().clamp(min=1)
        return reduced(node, loss.reshape(labels.shape), count)

    return in_floats(run, probabilities)


@op("IdentityLoss", domains=GRAPHCORE)
def identity_loss(node: Node, x: Tensor) -> Any:
    """Return the tensor, reduced."""
    return in_floats(lambda v: reduced(node, v), x)
