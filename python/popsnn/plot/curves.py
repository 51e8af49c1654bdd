"""Metrics over the epochs of trainings, and accuracies of several trainings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Tuple

from .style import HIDDEN, INK, INPUT, LINES, MUTED, axes, figure, grid, plain, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACCURACIES = (
    ("train_accuracy", MUTED, "train"),
    ("validation_accuracy", INPUT, "validation"),
    ("test_accuracy", HIDDEN, "test"),
)


def learning_curves(
    runs: Mapping[str, Sequence[Mapping[str, Any]]],
    ax: Optional[Axes] = None,
    *,
    metric: str = "test_accuracy",
) -> Axes:
    """Draw a metric of several runs over the epochs, one line a run.

    Parameters
    ----------
    runs : rows of metrics.jsonl by the name to show
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    metric : str
        Field of the rows; accuracies are drawn in percent.
    """
    ax = axes(ax)
    scale = 100 if metric.endswith("accuracy") else 1
    for index, (name, rows) in enumerate(runs.items()):
        ax.plot(
            [row["epoch"] for row in rows],
            [scale * row[metric] for row in rows],
            color=INK if index == 0 else LINES[(index - 1) % len(LINES)],
            linewidth=2,
            label=name,
        )
    ax.set_xlabel("epoch", color=INK)
    ax.set_ylabel(metric.replace("_", " ") + (", %" if scale == 100 else ""), color=INK)
    whole_numbers(ax)
    ax.legend(frameon=False, fontsize=8)
    plain(ax)
    return ax


def sparse_and_dense(accuracies: Mapping[str, Sequence[float]], ax: Optional[Axes] = None) -> Axes:
    """Draw the accuracies of several seeds for each kind of training, the dense kind first.

    Each seed is a dot, their mean a line; the shaded band reaches from the least to the largest of
    the first kind's.

    Parameters
    ----------
    accuracies : accuracies in 0 to 1, one a seed, by the name to show
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    """
    ax = axes(ax)
    for index, values in enumerate(accuracies.values()):
        percent = [100 * value for value in values]
        color = INK if index == 0 else HIDDEN
        if index == 0:
            ax.axhspan(min(percent), max(percent), color=MUTED, alpha=0.25, linewidth=0)
        ax.plot([index] * len(percent), percent, "o", color=color, markersize=4, alpha=0.6)
        mean = sum(percent) / len(percent)
        ax.plot([index - 0.25, index + 0.25], [mean, mean], color=color, linewidth=2)
    ax.set_xticks(range(len(accuracies)), list(accuracies), fontsize=8)
    ax.set_ylabel("accuracy, %", color=INK)
    plain(ax)
    return ax


def curves(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw a training: loss, accuracies, and spike activity, from the rows of its metrics."""
    made = figure(10.5, 3.2)
    draws = (loss, accuracy, activity)
    for ax, draw in zip(made.subplots(1, len(draws)), draws):
        ax.set_title(draw(rows, ax))
    return made


def loss(rows: Sequence[Mapping[str, Any]], ax: Axes) -> str:
    """Draw the training loss over the epochs, and return a title."""
    _over_epochs(rows, ax, [("training loss", INK, [row["loss"] for row in rows])])
    return "training loss"


def accuracy(rows: Sequence[Mapping[str, Any]], ax: Axes) -> str:
    """Draw the accuracies over the epochs, and return a title."""
    lines = [
        (name, color, [100 * row[key] for row in rows])
        for key, color, name in ACCURACIES
        if rows and rows[0].get(key) is not None
    ]
    _over_epochs(rows, ax, lines)
    if lines:
        _, color, percent = lines[-1]
        ax.annotate(
            f"{percent[-1]:.1f} %",
            (rows[-1]["epoch"], percent[-1]),
            textcoords="offset points",
            xytext=(0, -16),
            ha="right",
            color=color,
        )
        ax.legend(frameon=False, loc="lower right", fontsize=8)
    return "accuracy, %"


def activity(rows: Sequence[Mapping[str, Any]], ax: Axes) -> str:
    """Draw the fraction of neurons that fire over the epochs, and return a title."""
    percent = [100 * row["activity"] for row in rows]
    _over_epochs(rows, ax, [("activity", INPUT, percent)])
    ax.set_ylim(bottom=0)
    return "neurons that fire per step, %"


def drops(rows: Sequence[Mapping[str, Any]], ax: Axes) -> str:
    """Draw what the capacity limit drops over the epochs, and return a title."""
    lines = [
        ("spikes", INPUT, [100 * row["dropped_spike_fraction"] for row in rows]),
        ("gradients", HIDDEN, [100 * row["dropped_gradient_fraction"] for row in rows]),
    ]
    _over_epochs(rows, ax, lines)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False, fontsize=8)
    return "dropped by the capacity limit, %"


def _over_epochs(
    rows: Sequence[Mapping[str, Any]], ax: Axes, lines: Sequence[Tuple[str, str, Sequence[float]]]
) -> None:
    epoch = [row["epoch"] for row in rows]
    marker = "o" if len(epoch) == 1 else ""
    for name, color, values in lines:
        ax.plot(epoch, values, color=color, linewidth=2, label=name, marker=marker)
    ax.set_xlabel("epoch")
    whole_numbers(ax)
    grid(ax)
