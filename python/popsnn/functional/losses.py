"""Losses of classifiers on spikes and membranes over time.

Each is the mean over the samples, and differentiable; spikes are compacted or dense. `readout_loss`
is the one that averages membranes, with kernels of its own.
"""

from __future__ import annotations

from typing import Union

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss

from ..spikes import SpikeTensor

Spikes = Union[SpikeTensor, Tensor]


def count_loss(spikes: Spikes, labels: Tensor) -> Tensor:
    """Return the cross entropy of the spike counts of each class's neuron.

    Parameters
    ----------
    spikes : SpikeTensor (T, B, C), or float Tensor [T, B, C] of 0 and 1
        Of compacted spikes the active set has a gradient.
    labels : int64 Tensor [B]

    Raises
    ------
    TypeError, ValueError
        Where shapes or types do not fit.
    """
    dense = _dense("count_loss", spikes)
    _check_labels("count_loss", labels, dense.shape[1:2])
    return cross_entropy(dense.sum(0), labels)


def rate_loss(spikes: Spikes, labels: Tensor, *, right: float = 0.8, wrong: float = 0.2) -> Tensor:
    """Return the squared error of the rates of each class's neuron.

    Parameters
    ----------
    spikes : SpikeTensor (T, B, C), or float Tensor [T, B, C] of 0 and 1
    labels : int64 Tensor [B]
    right, wrong : float
        Wanted spikes a step of the labelled neuron and of the others, in [0, 1].

    Raises
    ------
    TypeError, ValueError
        Where shapes or types do not fit, or a rate is out of range.
    """
    dense = _dense("rate_loss", spikes)
    _check_labels("rate_loss", labels, dense.shape[1:2])
    for name, rate in (("right", right), ("wrong", wrong)):
        if not 0 <= rate <= 1:
            raise ValueError(f"rate_loss: {name}: expected a rate in [0, 1], got {rate}")
    return mse_loss(dense.mean(0), _targets(dense[0], labels, right, wrong))


def latency_loss(spikes: Spikes, labels: Tensor) -> Tensor:
    """Return the cross entropy of minus the times of first spikes, in steps.

    A neuron without a spike has the time T. The gradient of a time with respect to its spikes is
    minus 1 at the first spike, or at the last step without one: the spike's own surrogate moves
    it.

    Parameters
    ----------
    spikes, labels
        As of `count_loss`, with its errors.
    """
    dense = _dense("latency_loss", spikes)
    _check_labels("latency_loss", labels, dense.shape[1:2])
    return cross_entropy(-first_spike_times(dense), labels)


def membrane_loss(
    membrane: Tensor, labels: Tensor, *, right: float = 1.0, wrong: float = 0.0
) -> Tensor:
    """Return the squared error of the membranes of each class's neuron at every step.

    Parameters
    ----------
    membrane : float Tensor [T, B, C]
    labels : int64 Tensor [B]
    right, wrong : float
        Wanted membranes of the labelled neuron and of the others.

    Raises
    ------
    TypeError, ValueError
        Where shapes or types do not fit.
    """
    _check_scores("membrane_loss", membrane)
    _check_labels("membrane_loss", labels, membrane.shape[1:2])
    target = _targets(membrane[0], labels, right, wrong)
    return mse_loss(membrane, target.expand_as(membrane))


def step_loss(
    scores: Union[SpikeTensor, Tensor],
    labels: Tensor,
    *,
    ignore: int = -100,
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return the cross entropy of every step, with one label a sample or one a step.

    Parameters
    ----------
    scores : float Tensor [T, B, C], or SpikeTensor (T, B, C)
        Membranes of a readout, or spikes.
    labels : int64 Tensor [B] or [T, B]
    ignore : int
        Label of steps that do not count; a loss of none is 0.
    label_smoothing : float
        Fraction of the target that is distributed over all classes, in [0, 1].

    Raises
    ------
    TypeError, ValueError
        Where shapes or types do not fit, or the fraction is out of range.
    """
    dense = _dense("step_loss", scores)
    if not 0 <= label_smoothing <= 1:
        raise ValueError(
            f"step_loss: label_smoothing: expected a number in [0, 1], got {label_smoothing}"
        )
    shape = dense.shape[:2]
    if isinstance(labels, Tensor) and labels.dim() == 1:
        _check_labels("step_loss", labels, shape[1:])
        labels = labels.expand(shape)
    _check_labels("step_loss", labels, shape)
    counted = (labels != ignore).sum().clamp_min(1)
    total = cross_entropy(
        dense.flatten(0, 1),
        labels.flatten(),
        ignore_index=ignore,
        reduction="sum",
        label_smoothing=label_smoothing,
    )
    return total / counted


def first_spike_times(spikes: Spikes) -> Tensor:
    """Return the step of each neuron's first spike, T where it has none, float [B, C].

    Differentiable as `latency_loss` says.

    Parameters
    ----------
    spikes : SpikeTensor (T, B, C), or float Tensor [T, B, C] of 0 and 1

    Raises
    ------
    TypeError, ValueError
        Where shapes or types do not fit.
    """
    dense = _dense("first_spike_times", spikes)
    steps = dense.shape[0]
    fired = dense.detach() != 0
    first = fired.to(torch.uint8).argmax(0)
    silent = ~fired.any(0)
    times = first.masked_fill(silent, steps).to(dense.dtype)
    at = first.masked_fill(silent, steps - 1)
    moved = dense.gather(0, at[None])[0]
    return times - (moved - moved.detach())


def _dense(operation: str, spikes: Spikes) -> Tensor:
    dense = spikes.to_dense() if isinstance(spikes, SpikeTensor) else spikes
    _check_scores(operation, dense)
    return dense


def _check_scores(operation: str, scores: Tensor) -> None:
    if not isinstance(scores, Tensor) or not scores.is_floating_point():
        got = scores.dtype if isinstance(scores, Tensor) else type(scores).__name__
        raise TypeError(f"{operation}: expected spikes or a float tensor, got {got}")
    if scores.dim() != 3 or not scores.shape[0] or not scores.shape[1]:
        raise ValueError(
            f"{operation}: expected shape [T, B, C] with a step and a sample, got "
            f"{tuple(scores.shape)}"
        )


def _check_labels(operation: str, labels: Tensor, shape: torch.Size) -> None:
    if not isinstance(labels, Tensor):
        raise TypeError(f"{operation}: labels: expected a tensor, got {type(labels).__name__}")
    if labels.dtype != torch.int64 or labels.shape != shape:
        raise ValueError(
            f"{operation}: labels: expected int64 of shape {tuple(shape)}, got {labels.dtype} of "
            f"shape {tuple(labels.shape)}"
        )


def _targets(like: Tensor, labels: Tensor, right: float, wrong: float) -> Tensor:
    """Return [B, C] with `right` at the labels and `wrong` elsewhere."""
    values = torch.full_like(like, wrong, requires_grad=False)
    return values.scatter(-1, labels.unsqueeze(-1), right)
