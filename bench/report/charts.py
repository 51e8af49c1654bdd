"""Charts of the report: lines over a number, or rows of points over cases that are no numbers."""

from __future__ import annotations

import io
from collections import Counter
from html import escape
from typing import Any

from bench import report
from bench.report.tables.sheet import MEASURED, MODELLED, PUBLISHED, Cell, Column, Plot, Sheet
from popsnn import plot
from popsnn.plot.style import INK

COLORS = ("#1f5fa8", "#c2571a", "#2f8f5b", "#8a4fa3", "#b8860b", "#5b6770", "#c03a5b", "#158a9c")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "p")
LOOKS: dict[str, dict[str, Any]] = {
    MEASURED: {"linestyle": "-"},
    PUBLISHED: {"linestyle": ":", "markeredgecolor": "#222222"},
    MODELLED: {"linestyle": "--", "markerfacecolor": "white"},
}
WIDTH = 8.0  # inches
ROW = 0.3  # inches of a case, and of a line of the legend
HIGHER_IS_BETTER = ("%",)


def drawn(sheet: Sheet, how: Plot) -> list[Column]:
    """Return the columns that a plot shows: those in its unit that have rows."""
    return [
        column
        for column in sheet.columns
        if column.unit == how.y and any(cell is not None for cell in column.cells)
    ]


def sentence(sheet: Sheet, how: Plot) -> str:
    """Return what is better, and of times the measured column that is lowest in most cases."""
    said = f"is better ({how.y} by {', '.join(how.x)})"
    if how.y in HIGHER_IS_BETTER:
        return f"Higher {said}."
    measured = [column for column in drawn(sheet, how) if column.kind == MEASURED]
    won: Counter[str] = Counter()
    cases = 0
    for cells in zip(*(column.cells for column in measured)):
        found = {
            column.head: cell.value for cell, column in zip(cells, measured) if cell is not None
        }
        if len(found) > 1:
            cases += 1
            best = min(found.values())
            won.update(head for head, value in found.items() if value == best)
    if not won:
        return f"Lower {said}."
    head, times = won.most_common(1)[0]
    return f"Lower {said}; of the measured, {head} is lowest in {times} of {cases} cases."


def svg(sheet: Sheet, how: Plot, salt: str) -> str:
    """Return a plot of a sheet's columns in the plot's unit.

    Parameters
    ----------
    sheet : Sheet
    how : Plot
    salt : str
        Differs between the plots of a page, so that the names within them do.
    """
    import matplotlib

    # Labels stay text, and the same rows give the same bytes.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        columns = drawn(sheet, how)
        at = [sheet.index.index(name) for name in how.x]
        labels = [[line[index] for index in at] for line in sheet.lines]
        numeric = len(at) == 1 and all(isinstance(values[0], (int, float)) for values in labels)
        height = 3.5 if numeric else ROW * len(labels) + 0.8
        figure = plot.figure(WIDTH, height + ROW * len(columns))
        ax: Any = figure.add_subplot()
        if numeric:
            _lines(ax, [values[0] for values in labels], columns, how)
        else:
            _points(ax, [", ".join(map(report.label, how.x, values)) for values in labels], columns)
        across, up = (ax.xaxis, ax.yaxis) if numeric else (ax.yaxis, ax.xaxis)
        across.set_label_text(", ".join(how.x))
        up.set_label_text(how.y)
        _scale(ax, up, how)
        if numeric:
            _numbers(ax, [values[0] for values in labels], columns)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_axisbelow(True)
        ax.grid(axis="y" if numeric else "both", color="#e5e8eb")
        figure.legend(frameon=False, fontsize=8, ncol=1, loc="outside lower left")
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    named = f'<svg role="img" aria-label="{escape(sheet.title)}: {escape(sentence(sheet, how))}"'
    return named + text.getvalue().partition("<svg")[2]


def _lines(ax: Any, x: list[Any], columns: list[Column], how: Plot) -> None:
    """Draw a line a column."""
    for index, column in enumerate(columns):
        points = [(at, cell) for at, cell in zip(x, column.cells) if cell is not None]
        low, high = _spread([cell for _, cell in points])
        xs, ys = [at for at, _ in points], [cell.value for _, cell in points]
        name = f"{index + 1}  {report.head(column)}"
        ax.errorbar(xs, ys, yerr=[low, high], label=name, **_look(index, column))
    if how.log_x:
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, [f"{value:,}" for value in x])
        ax.minorticks_off()


def _numbers(ax: Any, x: list[Any], columns: list[Column]) -> None:
    """Write the numbers that the legend has at the ends of the lines; together where they meet."""
    ends: list[tuple[float, float, float, str]] = []  # height on the axes, point, number
    for index, column in enumerate(columns):
        at, cell = [(at, cell) for at, cell in zip(x, column.cells) if cell is not None][-1]
        height = ax.transAxes.inverted().transform(ax.transData.transform((at, cell.value)))[1]
        ends.append((height, at, cell.value, str(index + 1)))
    ends.sort()
    while ends:
        near = [end for end in ends if end[1] == ends[0][1] and end[0] - ends[0][0] < 0.05]
        ends = [end for end in ends if end not in near]
        ax.annotate(
            ", ".join(sorted(number for *_, number in near)),
            near[len(near) // 2][1:3],
            textcoords="offset points",
            xytext=(7, -3),
            color=_color(int(near[0][3]) - 1) if len(near) == 1 else INK,
            fontsize=9,
            fontweight="bold",
            annotation_clip=False,
        )


def _points(ax: Any, names: list[str], columns: list[Column]) -> None:
    """Draw a row a case, and in it a point a column, each a little lower than the one before."""
    for index, column in enumerate(columns):
        shift = 0.5 * ((index + 0.5) / len(columns) - 0.5)
        points = [(at + shift, cell) for at, cell in enumerate(column.cells) if cell is not None]
        low, high = _spread([cell for _, cell in points])
        look = {**_look(index, column), "linestyle": "none"}
        xs = [cell.value for _, cell in points]
        ax.errorbar(
            xs, [at for at, _ in points], xerr=[low, high], label=report.head(column), **look
        )
    ax.set_yticks(range(len(names)), names, fontsize=8)
    ax.set_ylim(len(names) - 0.5, -0.5)


def _scale(ax: Any, axis: Any, how: Plot) -> None:
    vertical = axis is ax.yaxis
    if how.log_y:
        (ax.set_yscale if vertical else ax.set_xscale)("log")
        low, high = sorted(axis.get_view_interval())
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(
            lambda x, _: f"{x:g}" if high < 100 * low and f"{x:e}"[0] in "25" else ""
        )
    elif how.y not in HIGHER_IS_BETTER:  # accuracies lie close together
        (ax.set_ylim if vertical else ax.set_xlim)(0, 1.05 * max(axis.get_view_interval()))
        axis.set_major_formatter("{x:,g}")


def _look(index: int, column: Column) -> dict[str, Any]:
    look = {"marker": MARKERS[index % len(MARKERS)], "markersize": 5, "capsize": 2, "elinewidth": 1}
    return {**look, "color": _color(index), **LOOKS[column.kind]}


def _color(index: int) -> str:
    return COLORS[index % len(COLORS)]


def _spread(cells: list[Cell]) -> tuple[list[float], list[float]]:
    """Return how far the least lies below each value, and the largest above."""
    return (
        [0.0 if cell.low is None else cell.value - cell.low for cell in cells],
        [0.0 if cell.high is None else cell.high - cell.value for cell in cells],
    )
