"""The report as one HTML page that needs nothing else, with a plot of each sheet that has one."""

from __future__ import annotations

import html
import io
import re
from typing import Any, Iterator

from bench import report
from bench.report.tables import TABLES
from bench.report.tables.sheet import MEASURED, MODELLED, PUBLISHED, Cell, Column, Plot, Sheet
from popsnn import plot

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px; color: #222; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
td, th { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid #ddd; }
th { vertical-align: bottom; }
.modelled { background: #fdf3e4; font-style: italic; } .published { background: #eef2f6; }
.missing { color: #888; } .from { font-size: 12px; color: #555; }
svg { max-width: 100%; height: auto; }
"""
COLORS = ("#1f5fa8", "#c2571a", "#2f8f5b", "#8a4fa3", "#b8860b", "#5b6770", "#c03a5b", "#158a9c")
LOOKS: dict[str, dict[str, Any]] = {
    MEASURED: {"marker": "o", "linestyle": "-"},
    PUBLISHED: {"marker": "x", "linestyle": ":"},
    MODELLED: {"marker": "o", "linestyle": "--", "markerfacecolor": "white"},
}


def page(made: report.Made, command: str) -> str:
    """Return the page."""
    about = re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(report.ABOUT.format(command=command)))
    about = re.sub(r"\*(\w+)\*", r"<em>\1</em>", about)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        f"<title>popsnn: benchmarks</title><style>{STYLE}</style></head>\n<body>\n"
        f"<h1>Benchmarks</h1>\n<p>{about}</p>\n" + "\n".join(_tables(made)) + "\n</body></html>\n"
    )


def _tables(made: report.Made) -> Iterator[str]:
    for name, sheets in made.items():
        yield f"<h2>{_text(TABLES[name].title)}</h2>"
        source = _text(TABLES[name].source)
        yield f"<p><code>python -m bench --table {name}</code>; after {source}.</p>"
        for number, sheet in enumerate(sheets):
            yield f"<h3>{_text(sheet.title)}</h3>\n<p>{_text(sheet.note)}</p>"
            sentence = report.empty(name, sheet)
            if sentence is not None:
                yield f"<p class='missing'>{_text(sentence.replace('`', ''))}</p>"
                continue
            if sheet.plot is not None and _drawn(sheet, sheet.plot):
                yield svg(sheet, sheet.plot, salt=f"{name}{number}")
            yield _table(sheet)
            sources = "; ".join(report.sources(sheet)).replace("`", "")
            yield f"<p class='from'>From {_text(sources)}.</p>"


def _table(sheet: Sheet) -> str:
    heads, lines = report.table(sheet)
    first, last = len(sheet.index), len(sheet.index) + len(sheet.columns)
    kinds = ["" for _ in heads]
    kinds[first:last] = [column.kind for column in sheet.columns]
    top = "".join(f'<th class="{kind}">{_text(text)}</th>' for kind, text in zip(kinds, heads))
    body = []
    for line, texts in enumerate(lines):
        rows: list[Cell | None] = [None for _ in heads]
        rows[first:last] = [column.cells[line] for column in sheet.columns]
        body.append("".join(map(_cell, kinds, texts, rows)))
    lined = "".join(f"<tr>{cells}</tr>\n" for cells in body)
    return f'<div class="wide"><table><tr>{top}</tr>\n{lined}</table></div>'


def _cell(kind: str, text: str, cell: Cell | None) -> str:
    """Return a cell, which says where its figure comes from when the pointer rests on it."""
    missing = text in (*report.MISSING.values(), report.NOT_ONE_RUN)
    sources = "" if cell is None else f' title="{_text(report.source(cell.row))}"'
    return f'<td class="{kind}{" missing" if missing else ""}"{sources}>{_text(text)}</td>'


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
    from matplotlib.ticker import LogFormatter

    # Labels stay text, and the same rows give the same bytes.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        figure = plot.figure(9, 4)
        ax: Any = figure.add_subplot()
        positions = [sheet.index.index(name) for name in how.x]
        labels = [[labels[position] for position in positions] for labels in sheet.lines]
        numeric = len(positions) == 1 and all(
            isinstance(label[0], (int, float)) for label in labels
        )
        x = [label[0] for label in labels] if numeric else list(range(len(labels)))
        for index, column in enumerate(_drawn(sheet, how)):
            _draw(ax, x, column, COLORS[index % len(COLORS)], numeric)
        if not numeric:
            texts = [", ".join(map(report.label, how.x, label)) for label in labels]
            ax.set_xticks(x, texts, rotation=45, ha="right", fontsize=8)
        elif how.log_x:
            ax.set_xscale("log", base=2)
            ax.set_xticks(x, [f"{name:,}" for name in x])
            ax.minorticks_off()
        if how.log_y:
            ax.set_yscale("log")
            ax.yaxis.set_major_formatter("{x:g}")
            ax.yaxis.set_minor_formatter(LogFormatter())
        elif how.y != "%":  # accuracies lie close together
            ax.set_ylim(0, 1.05 * ax.get_ylim()[1])
        ax.set_xlabel(", ".join(how.x))
        ax.set_ylabel(how.y)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color="#e5e8eb")
        ax.set_axisbelow(True)
        ax.legend(frameon=False, fontsize=8, ncol=3, loc="lower left", bbox_to_anchor=(0, 1))
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return "<svg" + text.getvalue().partition("<svg")[2]


def _draw(ax: Any, x: list[Any], column: Column, color: str, joined: bool) -> None:
    points = [(at, cell) for at, cell in zip(x, column.cells) if cell is not None]
    style = {**LOOKS[column.kind], **({} if joined else {"linestyle": "none"})}
    ax.errorbar(
        [at for at, _ in points],
        [point.value for _, point in points],
        yerr=[[_below(point) for _, point in points], [_above(point) for _, point in points]],
        color=color,
        capsize=2,
        elinewidth=1,
        label=report.head(column),
        **style,
    )


def _below(cell: Cell) -> float:
    return 0.0 if cell.low is None else cell.value - cell.low


def _above(cell: Cell) -> float:
    return 0.0 if cell.high is None else cell.high - cell.value


def _drawn(sheet: Sheet, how: Plot) -> list[Column]:
    """Return the columns that a plot shows: those in its unit that have rows."""
    return [
        column
        for column in sheet.columns
        if column.unit == how.y and any(cell is not None for cell in column.cells)
    ]


def _text(text: str) -> str:
    return html.escape(text)
