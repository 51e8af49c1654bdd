"""Spikes and membranes of a network over the time steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Union

import torch
from torch import Tensor

from ..spikes import SpikeTensor
from .style import HIDDEN, INK, INPUT, LINES, MUTED, axes, figure, name_lines, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 72  # in an inch


def raster(
    spikes: Union[SpikeTensor, Tensor],
    ax: Optional[Axes] = None,
    *,
    sample: int = 0,
    color: str = HIDDEN,
) -> Axes:
    """Draw the spikes of one sample: a tick per spike, steps across, neurons upwards.

    A tick is as high and as wide as the axes have room for a neuron and a step.

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
    ax = axes(ax)
    steps, size = dense.shape
    step, neuron = torch.nonzero(dense, as_tuple=True)
    # `s` is the square of a tick's height in points.
    width, height = _points(ax)
    ax.scatter(
        step.tolist(),
        neuron.tolist(),
        s=min(12.0, max(1.0, 0.9 * height / (size + 1))) ** 2,
        c=color,
        marker="|",
        linewidths=min(2.2, max(0.4, 0.8 * width / steps)),
    )
    ax.set_xlim(-0.5, steps - 0.5)
    ax.set_ylim(-1, size)
    plain(ax)
    return ax


def membranes(
    membrane: Tensor,
    ax: Optional[Axes] = None,
    *,
    threshold: Union[float, Tensor, None] = None,
    grad_threshold: Optional[float] = None,
    neurons: Optional[Sequence[int]] = None,
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
    neurons : sequence of int [N], optional
        Numbers to write at the ends of the lines.

    Raises
    ------
    ValueError
        Where the tensor is not [T, N], or there is not one number a line.
    """
    if membrane.dim() != 2:
        raise ValueError(
            f"plot.membranes: membrane: expected shape [T, N], got {tuple(membrane.shape)}"
        )
    if neurons is not None and len(neurons) != membrane.shape[1]:
        raise ValueError(
            f"plot.membranes: neurons: expected {membrane.shape[1]} numbers, got {len(neurons)}"
        )
    ax = axes(ax)
    values = membrane.detach().cpu()
    last = len(values) - 1
    ends = []
    for index, trace in enumerate(values.T.tolist()):
        color = LINES[index % len(LINES)]
        ax.plot(range(len(trace)), trace, color=color, linewidth=1.0)
        if neurons is not None:
            ends.append((str(neurons[index]), trace[-1], color))
    name_lines(ax, last, ends)
    if isinstance(threshold, Tensor):
        threshold = float(threshold[0]) if bool((threshold == threshold[0]).all()) else None
    levels = ((threshold, "-", "threshold"), (grad_threshold, ":", "gradient threshold"))
    for level, style, name in levels:
        if level is not None:
            ax.axhline(float(level), color=INK, linewidth=1.0, linestyle=style, label=name)
    if ax.get_legend_handles_labels()[0]:  # above the axes, where there are no lines
        ax.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    ax.set_xlim(-0.5, len(values) - 0.5)
    ax.set_xlabel("step", color=INK)
    ax.set_ylabel("membrane", color=INK)
    plain(ax)
    return ax


def activity(layers: Mapping[str, SpikeTensor], ax: Optional[Axes] = None) -> Axes:
    """Draw the fraction of each layer's neurons that fire, step by step, averaged over the samples.

    Parameters
    ----------
    layers : SpikeTensors (T, B, N) by the name to show
    ax : matplotlib Axes, optional
        Default: those of a new figure.
    """
    ax = axes(ax)
    colors = (INPUT, HIDDEN, *(color for color in LINES if color not in (INPUT, HIDDEN)))
    for index, (name, spikes) in enumerate(layers.items()):
        percent = spikes.counts[..., 0].float().mean(1) * (100 / spikes.size)
        ax.plot(
            range(len(percent)),
            percent.tolist(),
            color=colors[index % len(colors)],
            linewidth=2,
            label=name,
        )
    ax.set_ylim(bottom=0)
    ax.set_xlabel("step", color=INK)
    ax.set_ylabel("neurons that fire, %", color=INK)
    ax.legend(frameon=False, fontsize=8)
    plain(ax)
    return ax


def samples(
    titles: Sequence[str],
    layers: Mapping[str, SpikeTensor],
    readout: Tensor,
    labels: Sequence[Optional[int]],
    answers: Optional[Sequence[int]] = None,
) -> Figure:
    """Draw samples side by side: the spikes of each layer, and below the readout's membrane.

    The right class has the thick line. It and the network's answer have their numbers.

    Parameters
    ----------
    titles : one a sample
    layers : SpikeTensors (T, B, N) by the name to show, the input first
    readout : Tensor [T, B, C]
    labels : the right class of each sample; None where each step has one, and no line is thick
    answers : the class that the network read in each, optional
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
        answer = labels[column] if answers is None else answers[column]
        label = labels[column]
        named = {} if label is None or answer is None else {answer: INPUT, label: INK}
        _readout(grid[-1][column], readout[:, column], named)
        grid[-1][column].set_xlabel("step", color=INK)
    grid[-1][0].set_ylabel("readout", color=INK)
    return made


def _readout(ax: Axes, membrane: Tensor, colors: Mapping[int, str]) -> None:
    """Draw membranes [T, C]; those with a color have their number, and the right class is thick."""
    values = membrane.detach().cpu()
    widths = {INK: 2.0, INPUT: 1.2}
    for index, trace in enumerate(values.T.tolist()):
        width = widths.get(colors.get(index, MUTED), 0.8)
        ax.plot(range(len(trace)), trace, color=colors.get(index, MUTED), linewidth=width)
    ends = [(str(index), float(values[-1, index]), color) for index, color in colors.items()]
    name_lines(ax, len(values) - 1, ends)
    plain(ax)


def busiest(spikes: SpikeTensor, sample: int, most: int) -> List[int]:
    """Return the neurons that fire most often in a sample (T, b, N), at most `most`."""
    counts = spikes.select_batch([sample]).detach().to_dense()[:, 0].sum(0)
    return sorted(counts.argsort(descending=True, stable=True)[:most].tolist())


def _points(ax: Axes) -> Sequence[float]:
    """Return the width and height of axes in points, before the layout makes room for texts."""
    box = ax.get_position()
    figure: Any = ax.figure
    width, height = figure.get_size_inches()
    return POINTS * box.width * width, POINTS * box.height * height
