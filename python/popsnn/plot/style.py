"""Colours, figures and axes of all pictures."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Optional, Sequence, Tuple

from .._internal.extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2933"
INPUT = "#c2571a"
HIDDEN = "#1f5fa8"
MUTED = "#9aa5b1"
# Lines that have to be told apart; each is dark enough to be read on white.
LINES = ("#1f5fa8", "#c2571a", "#3c7a3f", "#8a4a9e", "#8c6d1f", "#3a7d8c")


def figure(width: float, height: float) -> Figure:
    """Return an empty figure of `width` x `height` inches that is on no screen.

    Raises
    ------
    ImportError
        Where matplotlib is not installed.
    """
    with extra("plot.figure", "matplotlib", "plot"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), dpi=150, layout="constrained")
    FigureCanvasAgg(made)
    return made


def axes(ax: Optional[Axes]) -> Axes:
    """Return `ax`, or the axes of a new figure.

    Where pyplot is in use, as in a notebook, the new figure is one of pyplot's and is shown.
    """
    if ax is not None:
        return ax
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        made: Axes = pyplot.figure(figsize=(4, 3), layout="constrained").add_subplot()
        return made
    return figure(4, 3).add_subplot()


def plain(ax: Axes) -> None:
    """Draw the axes without a frame."""
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=3, color=MUTED, labelsize=8)


def grid(ax: Axes) -> None:
    """Draw the axes without a frame over a light grid."""
    ax.grid(True, color="#e4e7eb", linewidth=0.8)
    plain(ax)


def whole_numbers(ax: Axes) -> None:
    """Put ticks of the horizontal axis at whole numbers."""
    ax.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]


def name_lines(ax: Axes, x: float, ends: Sequence[Tuple[str, float, str]]) -> None:
    """Write names (text, y, color) to the right of the lines' ends, none over another."""
    low, high = ax.get_ylim()
    gap = 0.05 * (high - low)
    least = float("-inf")
    for text, y, color in sorted(ends, key=lambda end: end[1]):
        least = max(y, least + gap)
        ax.annotate(
            text,
            (x, least),
            textcoords="offset points",
            xytext=(3, 0),
            va="center",
            fontsize=7,
            color=color,
            annotation_clip=False,
        )
