"""Matrices as pictures: weights, and the classes that a network confuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import torch
from torch import Tensor

from .style import INK, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS = 20  # classes up to which a cell has its count written in it


def confusion(
    counts: Union[Tensor, Sequence[Sequence[int]]],
    ax: Optional[Axes] = None,
    *,
    names: Optional[Sequence[str]] = None,
) -> Axes:
    """Draw the confusion matrix: a row for each class, a column for each answer.

    The shade is the fraction of the row's samples; the number is their count.

    Parameters
    ----------
    counts : Tensor or sequence [C, C]
        Samples of class c that the network read as class k.
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    names : sequence of str, optional
        Of the classes; default: their numbers.

    Raises
    ------
    ValueError
        Where the matrix is not square, or there is not one name a class.
    """
    matrix = torch.as_tensor(counts, device="cpu")
    if matrix.dim() != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"plot.confusion: counts: expected shape [C, C], got {tuple(matrix.shape)}"
        )
    classes = len(matrix)
    if names is not None and len(names) != classes:
        raise ValueError(f"plot.confusion: names: expected {classes} names, got {len(names)}")
    ax = axes(ax)
    fractions = matrix.double() / matrix.sum(1, keepdim=True).clamp_min(1)
    ax.imshow(fractions.tolist(), cmap="Blues", vmin=0.0, vmax=1.0)
    if classes <= MOST_NUMBERS:
        for row, line in enumerate(matrix.tolist()):
            for column, count in enumerate(line):
                if count:
                    light = float(fractions[row, column]) > 0.5
                    color = "white" if light else INK
                    ax.text(column, row, str(count), ha="center", va="center", color=color, size=7)
        labels = [str(index) for index in range(classes)] if names is None else list(names)
        turned = 90 if max(map(len, labels)) > 3 else 0
        ax.set_xticks(range(classes), labels, fontsize=8, rotation=turned)
        ax.set_yticks(range(classes), labels, fontsize=8)
    ax.set_xlabel("answer", color=INK)
    ax.set_ylabel("class", color=INK)
    ax.tick_params(length=0)
    return ax


def weights(weight: Tensor, ax: Optional[Axes] = None) -> Axes:
    """Draw a matrix of weights: red for positive, blue for negative, white for zero.

    Parameters
    ----------
    weight : Tensor [N, M]
        From M inputs to N neurons.
    ax : matplotlib Axes, optional
        Default: those of a new figure.

    Raises
    ------
    ValueError
        Where the tensor is not a matrix.
    """
    if weight.dim() != 2:
        raise ValueError(f"plot.weights: weight: expected shape [N, M], got {tuple(weight.shape)}")
    ax = axes(ax)
    values = weight.detach().float().cpu()
    # One large weight in a thousand would leave the others white.
    most = float(values.abs().flatten()[: 1 << 20].quantile(0.999)) if values.numel() else 0.0
    image = ax.imshow(
        values.numpy(), cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto", interpolation="none"
    )
    figure: Any = ax.figure
    bar = figure.colorbar(image, ax=ax, shrink=0.8)
    bar.ax.tick_params(labelsize=7)
    ax.set_xlabel("input", color=INK)
    ax.set_ylabel("neuron", color=INK)
    ax.tick_params(labelsize=8)
    return ax
