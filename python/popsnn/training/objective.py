"""The objective: scores of the classes, their loss, and the cost of activity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Sequence, Union

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from .._internal import checks
from ..data import SpikeDataset
from ..data.whole import IGNORED
from ..engines import LayerTrace
from ..functional import ReadoutLoss, readout_loss, step_loss
from ..nn import SNN, SparseLI
from ..spikes import SpikeTensor
from .config import SCHEDULES, Recipe


def check_readout(net: SNN, readout: str) -> None:
    """Raise where the last layer is not of the kind that the readout reads."""
    wanted = "a layer that spikes" if readout == "rate" else "a SparseLI"
    if isinstance(net.stack[-1], SparseLI) == (readout == "rate"):
        last = type(net.stack[-1]).__name__
        raise ValueError(
            f"Training: net: expected {wanted} as its last layer for the readout {readout!r}, "
            f"got {last}"
        )


def check_labels(name: str, dataset: SpikeDataset, net: SNN, readout: str) -> None:
    """Raise where a dataset's labels do not fit a network or readout, or there is none."""
    if dataset.classes > net.out_features:
        raise ValueError(
            f"Training: net: expected an output for each of the {dataset.classes} classes of "
            f"{name}, got {net.out_features}"
        )
    if dataset.step_labels and readout != "step":
        raise ValueError(
            f"Training: readout: expected 'step' for {name} with a label at every step, got "
            f"{readout!r}"
        )
    if len(dataset) and not dataset.labelled:
        raise ValueError(f"Training: {name}: expected a step with a label, got {IGNORED} at all")


def labelled(labels: Tensor, steps: int, readout: str) -> int:
    """Return how many answers the labels [B] or [T, B] of T steps count: samples, or steps."""
    counted = int((labels != IGNORED).sum())
    return counted * steps if readout == "step" and labels.dim() == 1 else counted


def scores(out: Any, readout: str) -> Tensor:
    """Return the classes' scores [B, C], or at each step [T, B, C].

    Parameters
    ----------
    out : Tensor [T, B, C] or SpikeTensor (T, B, C)
        Of the network.
    readout : {"mean", "max", "rate", "step"}
        Mean or maximum of the membrane over the steps; the number of spikes; or the membrane.
    """
    if readout == "rate":
        assert isinstance(out, SpikeTensor)
        return out.rate() * out.shape[0]
    assert isinstance(out, Tensor)
    if readout == "step":
        return out
    return out.mean(0) if readout == "mean" else out.amax(0)


@dataclass(frozen=True)
class ActivityCost:
    """An activity penalty, which may rise over the first epochs.

    Called with the traces of layers that spike it returns, of all layers together, `weight` times
    the mean square of what the neurons' rates exceed the target by. A neuron's rate is its spikes a
    step, averaged over the samples.

    Parameters
    ----------
    weight : float
    target : float
        Rate that costs nothing, in [0, 1].
    epochs : float
        Over which the weight rises from 0; with 0 it is constant.
    schedule : {"linear", "cosine"}
        It rises as a line, or as half a cosine: slowly at the beginning and at the end.

    Raises
    ------
    TypeError, ValueError
        Where a value is out of range.
    """

    weight: float
    target: float = 0.05
    epochs: float = 0.0
    schedule: str = "linear"

    def __post_init__(self) -> None:
        for name, most in (("weight", math.inf), ("target", 1.0), ("epochs", math.inf)):
            value = checks.finite("ActivityCost", name, getattr(self, name))
            if not 0.0 <= value <= most:
                wanted = "a number from 0 on" if most == math.inf else "a number in [0, 1]"
                raise ValueError(f"ActivityCost: {name}: expected {wanted}, got {value:g}")
        if self.schedule not in SCHEDULES:
            raise ValueError(
                f"ActivityCost: schedule: expected one of {', '.join(SCHEDULES)}, got "
                f"{self.schedule!r}"
            )

    def factor(self, epoch: float) -> float:
        """Return which fraction of the weight counts after so many epochs, parts of one too."""
        progress = 1.0 if self.epochs == 0 else min(1.0, epoch / self.epochs)
        return progress if self.schedule == "linear" else 0.5 * (1 - math.cos(math.pi * progress))

    def __call__(self, traces: Sequence[LayerTrace], factor: Union[float, Tensor] = 1.0) -> Tensor:
        """Return the cost, a Tensor []; layers that do not spike cost nothing.

        Parameters
        ----------
        traces : sequence of LayerTrace
            At least one of a layer that spikes.
        factor : float or Tensor []
            What `factor` returned.
        """
        rates = [trace.rate().mean(0) for trace in traces if trace.spikes is not None]
        costs = [(rate - self.target).clamp_min(0).square().mean() for rate in rates]
        return factor * self.weight * torch.stack(costs).sum()


def activity_cost(recipe: Recipe) -> ActivityCost:
    """Return the activity penalty of a recipe."""
    return ActivityCost(
        recipe.activity_weight,
        recipe.activity_target,
        recipe.activity_epochs,
        recipe.activity_schedule,
    )


def loss(
    recipe: Recipe,
    out: Any,
    labels: Tensor,
    hidden: Sequence[LayerTrace],
    weight: float = 1.0,
    activity_weight: Union[float, Tensor] = 1.0,
) -> ReadoutLoss:
    """Return the cross entropy and what the hidden layers' activity costs, and the scores.

    Parameters
    ----------
    recipe : Recipe
    out : Tensor [T, B, C] or SpikeTensor (T, B, C)
        As in `scores`.
    labels : int64 Tensor [B], or of each step [T, B]
    hidden : sequence of LayerTrace
        Empty where their activity costs nothing.
    weight, activity_weight : float, the second also Tensor []
        Factors of the two: what a chunk counts in a sequence, or a process in a batch, and where
        the penalty's schedule is.
    """
    labels = labels.to(out.device)
    if recipe.readout == "mean":
        value, score = readout_loss(out, labels, label_smoothing=recipe.label_smoothing)
    elif recipe.readout == "step":
        score = scores(out, "step")
        value = step_loss(score, labels, label_smoothing=recipe.label_smoothing)
    else:
        score = scores(out, recipe.readout)
        value = cross_entropy(score, labels, label_smoothing=recipe.label_smoothing)
    if weight != 1.0:
        value = weight * value
    if recipe.activity_weight and hidden:
        value = value + activity_cost(recipe)(hidden, activity_weight).to(value.device)
    return ReadoutLoss(value, score)
