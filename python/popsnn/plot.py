"""Pictures of spikes and of trainings. They draw on figures of their own and need no display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import torch
from torch import Tensor

from .spikes import SpikeTensor

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2933"
INPUT = "#c2571a"
HIDDEN = "#1f5fa8"
MUTED = "#9aa5b1"


def figure(width: float, height: float) -> Figure:
    """Return an empty figure of `width` x `height` inches that is on no screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), dpi=150, layout="constrained")
    FigureCanvasAgg(made)
    return made


def raster(
    spikes: Union[SpikeTensor, Tensor],
    ax: Optional[Axes] = None,
    *,
    sample: int = 0,
    color: str = HIDDEN,
) -> Axes:
    """Draw the spikes of one sample: a tick per spike, steps across, neurons upwards.

    Parameters
    ----------
    spikes : SpikeTensor (T, B, N) or Tensor [T, N]
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    sample : int
        Which b of a SpikeTensor.
    color : str

    Raises
    ------
    ValueError
        Where a tensor is not [T, N].
    """
    if isinstance(spikes, SpikeTensor):
        dense = spikes.select_batch([sample]).detach().to_dense()[:, 0]
    elif spikes.dim() == 2:
        dense = spikes.detach()
    else:
        raise ValueError(f"plot.raster: spikes: expected shape [T, N], got {tuple(spikes.shape)}")
    ax = figure(4, 3).add_subplot() if ax is None else ax
    steps, size = dense.shape
    step, neuron = torch.nonzero(dense, as_tuple=True)
    # `s` is the square of a tick's height in points: many neurons get short ticks.
    ax.scatter(
        step.tolist(),
        neuron.tolist(),
        s=max(6.0, 900.0 / size),
        c=color,
        marker="|",
        linewidths=2.2,
    )
    ax.set_xlim(-0.5, steps - 0.5)
    ax.set_ylim(-1, size)
    _plain(ax)
    return ax


def membranes(
    membrane: Tensor,
    ax: Optional[Axes] = None,
    *,
    threshold: Union[float, Tensor, None] = None,
    grad_threshold: Optional[float] = None,
) -> Axes:
    """Draw membranes over the steps, one line a neuron, and the thresholds.

    Parameters
    ----------
    membrane : Tensor [T, N]
        Of one sample; few neurons can be told apart.
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    threshold : float or Tensor [N], optional
        Drawn where it is the same for all neurons.
    grad_threshold : float, optional
        The gradient threshold, above which gradients pass.

    Raises
    ------
    ValueError
        Where the tensor is not [T, N].
    """
    if membrane.dim() != 2:
        raise ValueError(
            f"plot.membranes: membrane: expected shape [T, N], got {tuple(membrane.shape)}"
        )
    ax = figure(4, 3).add_subplot() if ax is None else ax
    values = membrane.detach().cpu()
    shades = [HIDDEN, INPUT, MUTED]
    for index, trace in enumerate(values.T.tolist()):
        ax.plot(range(len(trace)), trace, color=shades[index % len(shades)], linewidth=1.0)
    if isinstance(threshold, Tensor):
        threshold = float(threshold[0]) if bool((threshold == threshold[0]).all()) else None
    for level, style, name in ((threshold, "-", "fires"), (grad_threshold, ":", "gradient")):
        if level is not None:
            ax.axhline(float(level), color=INK, linewidth=1.0, linestyle=style, label=name)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize=8, loc="upper right")
    ax.set_xlim(-0.5, len(values) - 0.5)
    ax.set_xlabel("step", color=INK)
    ax.set_ylabel("membrane", color=INK)
    _plain(ax)
    return ax


def activity(layers: Mapping[str, SpikeTensor], ax: Optional[Axes] = None) -> Axes:
    """Draw the fraction of each layer's neurons that fire, step by step, averaged over the samples.

    Parameters
    ----------
    layers : SpikeTensors (T, B, N) by the name to show
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    """
    ax = figure(4, 3).add_subplot() if ax is None else ax
    shades = [INPUT, HIDDEN, MUTED, INK]
    for index, (name, spikes) in enumerate(layers.items()):
        percent = spikes.counts[..., 0].float().mean(1) * (100 / spikes.size)
        ax.plot(
            range(len(percent)),
            percent.tolist(),
            color=shades[index % len(shades)],
            linewidth=2,
            label=name,
        )
    ax.set_ylim(bottom=0)
    ax.set_xlabel("step", color=INK)
    ax.set_ylabel("neurons that fire, %", color=INK)
    ax.legend(frameon=False, fontsize=8)
    _plain(ax)
    return ax


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
    ax = figure(4, 3).add_subplot() if ax is None else ax
    scale = 100 if metric.endswith("accuracy") else 1
    shades = [INK, HIDDEN, INPUT, MUTED]
    for index, (name, rows) in enumerate(runs.items()):
        ax.plot(
            [row["epoch"] for row in rows],
            [scale * row[metric] for row in rows],
            color=shades[index % len(shades)],
            linewidth=2,
            label=name,
        )
    ax.set_xlabel("epoch", color=INK)
    ax.set_ylabel(metric.replace("_", " ") + (", %" if scale == 100 else ""), color=INK)
    ax.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    ax.legend(frameon=False, fontsize=8)
    _plain(ax)
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
    ax = figure(4, 3).add_subplot() if ax is None else ax
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
    _plain(ax)
    return ax


def samples(
    titles: Sequence[str],
    layers: Mapping[str, SpikeTensor],
    readout: Tensor,
    labels: Sequence[int],
) -> Figure:
    """Draw samples side by side: the spikes of each layer, and below the readout's membrane.

    Parameters
    ----------
    titles : one a sample
    layers : SpikeTensors (T, B, N) by the name to show, the input first
    readout : Tensor [T, B, C]
    labels : the right class of each sample
    """
    columns = len(titles)
    made = figure(2.3 * columns + 0.6, 2.0 * len(layers) + 2.0)
    grid: Any = made.subplots(len(layers) + 1, columns, squeeze=False, sharex=True, sharey="row")
    for column in range(columns):
        for row, (name, spikes) in enumerate(layers.items()):
            ax = raster(spikes, grid[row][column], sample=column, color=HIDDEN if row else INPUT)
            if column == 0:
                ax.set_ylabel(name, color=INK)
        grid[0][column].set_title(titles[column], color=INK, fontsize=10)
        _readout(grid[-1][column], readout[:, column], labels[column])
        grid[-1][column].set_xlabel("step", color=INK)
    grid[-1][0].set_ylabel("readout\n(bold: right class)", color=INK)
    return made


def _readout(ax: Axes, membrane: Tensor, label: int) -> None:
    values = membrane.detach().cpu()
    steps = range(len(values))
    for class_index, trace in enumerate(values.T.tolist()):
        if class_index != label:
            ax.plot(steps, trace, color=MUTED, linewidth=0.8)
    ax.plot(steps, values[:, label].tolist(), color=INK, linewidth=2.0)
    _plain(ax)


def curves(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw a training: loss, accuracy, and spike activity, from the rows of its metrics."""
    made = figure(10.5, 3.2)
    loss, accuracy, activity = made.subplots(1, 3)
    epoch = [row["epoch"] for row in rows]
    loss.plot(epoch, [row["loss"] for row in rows], color=INK, linewidth=2)
    loss.set_title("training loss")
    for key, color, name in (("train_accuracy", MUTED, "train"), ("test_accuracy", HIDDEN, "test")):
        percent = [100 * row[key] for row in rows]
        accuracy.plot(epoch, percent, color=color, linewidth=2, label=name)
        if key == "test_accuracy" and percent:
            accuracy.annotate(
                f"{percent[-1]:.1f} %",
                (epoch[-1], percent[-1]),
                textcoords="offset points",
                xytext=(0, -16),
                ha="right",
                color=color,
            )
    accuracy.set_title("accuracy, %")
    accuracy.legend(frameon=False, loc="lower right")
    activity.plot(epoch, [100 * row["activity"] for row in rows], color=INPUT, linewidth=2)
    activity.set_ylim(bottom=0)
    activity.set_title("hidden neurons that fire per step, %")
    for ax in (loss, accuracy, activity):
        ax.set_xlabel("epoch")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.grid(True, color="#e4e7eb", linewidth=0.8)
        _plain(ax)
    return made


def _plain(ax: Axes) -> None:
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=3, color=MUTED, labelsize=8)
