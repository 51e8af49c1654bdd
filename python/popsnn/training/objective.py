"""The objective: scores of the classes, their loss, and the cost of activity."""

from __future__ import annotations

from typing import Any, Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ..engines import LayerTrace
from ..functional import ReadoutLoss, readout_loss
from ..nn import SNN, SparseLI
from ..spikes import SpikeTensor
from .config import Recipe


def check_readout(net: SNN, readout: str) -> None:
    """Raise where the last layer is not of the kind that the readout reads."""
    wanted = "a layer that spikes" if readout == "rate" else "a SparseLI"
    if isinstance(net.stack[-1], SparseLI) == (readout == "rate"):
        last = type(net.stack[-1]).__name__
        raise ValueError(
            f"Training: net: expected {wanted} as its last layer for the readout {readout!r}, "
            f"got {last}"
        )


def scores(out: Any, readout: str) -> Tensor:
    """Return the classes' scores [B, C].

    Parameters
    ----------
    out : Tensor [T, B, C] or SpikeTensor (T, B, C)
        Of the network.
    readout : {"mean", "max", "rate"}
        Mean or maximum of the membrane over the steps; or the number of spikes.
    """
    if readout == "rate":
        assert isinstance(out, SpikeTensor)
        return out.rate() * out.shape[0]
    assert isinstance(out, Tensor)
    return out.mean(0) if readout == "mean" else out.amax(0)


def activity_cost(traces: Sequence[LayerTrace], target: float) -> Tensor:
    """Return the mean square of what the neurons' rates exceed `target` by, summed over layers.

    A neuron's rate is its spikes a step, averaged over the samples.
    """
    rates = [trace.rate().mean(0) for trace in traces if trace.spikes is not None]
    costs = [(rate - target).clamp_min(0).square().mean() for rate in rates]
    return torch.stack(costs).sum()


def loss(recipe: Recipe, out: Any, labels: Tensor, hidden: Sequence[LayerTrace]) -> ReadoutLoss:
    """Return the cross entropy and what the hidden layers' activity costs, and the scores [B, C].

    Parameters
    ----------
    recipe : Recipe
    out : Tensor [T, B, C] or SpikeTensor (T, B, C)
        As in `scores`.
    labels : int64 Tensor [B]
    hidden : sequence of LayerTrace
        Empty where their activity costs nothing.
    """
    labels = labels.to(out.device)
    if recipe.readout == "mean":
        value, score = readout_loss(out, labels, label_smoothing=recipe.label_smoothing)
    else:
        score = scores(out, recipe.readout)
        value = cross_entropy(score, labels, label_smoothing=recipe.label_smoothing)
    if recipe.activity_weight and hidden:
        cost = activity_cost(hidden, recipe.activity_target)
        value = value + recipe.activity_weight * cost.to(value.device)
    return ReadoutLoss(value, score)
