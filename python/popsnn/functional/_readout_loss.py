"""The loss of a classifier that reads membranes over time."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from .._internal import checks
from .._internal.dispatch import Operator

READOUTS = ("mean", "sum")


class ReadoutLoss(NamedTuple):
    """The mean `loss` [] over the samples, and the `scores` [B, C] of their classes."""

    loss: Tensor
    scores: Tensor


def readout_loss(
    membrane: Tensor,
    labels: Tensor,
    *,
    readout: str = "mean",
    label_smoothing: float = 0.0,
    backend: str = "auto",
) -> ReadoutLoss:
    """Cross entropy of membranes that are averaged or summed over the steps.

    `cross_entropy(membrane.mean(0), labels)`, which on GPUs is a dozen kernels forward and
    backward; here they are three.

    Parameters
    ----------
    membrane : float Tensor [T, B, C]
        Of a readout, such as an `SNN` returns whose last layer is an `LI`.
    labels : int64 Tensor [B]
        In 0..C-1; of any other the CUDA kernels give a loss that is not a number.
    readout : {"mean", "sum"}
        What the steps' membranes are made into scores by.
    label_smoothing : float
        Fraction of the target that all classes have alike, in [0, 1] (Szegedy et al., 2016).
    backend : {"auto", "torch", "cuda"}
        "torch" is the reference. "auto" takes the CUDA kernels where they can run, else the
        reference. A backend that is named runs or raises with the reason.

    Returns
    -------
    ReadoutLoss
        Both are differentiable.

    Raises
    ------
    ValueError
        Where an argument is not as said.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    operation = "readout_loss"
    if membrane.dim() != 3 or not membrane.is_floating_point():
        raise ValueError(
            f"{operation}: membrane: expected a float tensor [T, B, C], got {membrane.dtype} of "
            f"shape {tuple(membrane.shape)}"
        )
    if labels.shape != membrane.shape[1:2] or labels.dtype != torch.int64:
        raise ValueError(
            f"{operation}: labels: expected int64 of shape {tuple(membrane.shape[1:2])}, got "
            f"{labels.dtype} of shape {tuple(labels.shape)}"
        )
    checks.choice(operation, "readout", readout, READOUTS)
    smoothing = checks.finite(operation, "label_smoothing", label_smoothing)
    if not 0.0 <= smoothing <= 1.0:
        raise ValueError(
            f"{operation}: label_smoothing: expected a number in [0, 1], got {smoothing}"
        )
    return READOUT_LOSS.run(operation, backend, membrane, labels, readout, smoothing)


def _reference(
    membrane: Tensor, labels: Tensor, readout: str, label_smoothing: float
) -> ReadoutLoss:
    scores = membrane.mean(0) if readout == "mean" else membrane.sum(0)
    return ReadoutLoss(cross_entropy(scores, labels, label_smoothing=label_smoothing), scores)


READOUT_LOSS = Operator(_reference)
