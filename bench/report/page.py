"""The report as one HTML page that needs nothing else, with a plot of each sheet that has one."""

from __future__ import annotations

import html
import re
from typing import Iterator

from bench import report
from bench.report import charts
from bench.report.tables import TABLES
from bench.report.tables.sheet import Cell, Sheet

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px; color: #222; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
td, th { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid #ddd; }
th { vertical-align: bottom; }
.modelled { background: #fdf3e4; font-style: italic; } .published { background: #eef2f6; }
.missing { color: #6b6b6b; } .from { font-size: 12px; color: #555; }
figure { margin: 1rem 0; } figcaption { font-size: 13px; max-width: 760px; }
svg { width: 100%; min-width: 640px; max-width: 800px; height: auto; }
@media (max-width: 600px) { body { margin: 1rem; } }
"""


def page(made: report.Made, command: str) -> str:
    """Return the page."""
    about = re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(report.ABOUT.format(command=command)))
    about = re.sub(r"\*(\w+)\*", r"<em>\1</em>", about)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>popsnn: benchmarks</title><style>{STYLE}</style></head>\n<body><main>\n"
        f"<h1>Benchmarks</h1>\n<p>{about}</p>\n"
        + "\n".join(_tables(made))
        + "\n</main></body></html>\n"
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
            if sheet.plot is not None and charts.drawn(sheet, sheet.plot):
                sentence = charts.sentence(sheet, sheet.plot)
                drawing = charts.svg(sheet, sheet.plot, salt=f"{name}{number}")
                yield f'<figure><div class="wide" tabindex="0">{drawing}</div>'
                yield f"<figcaption>{_text(sentence)}</figcaption></figure>"
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
    return f'<div class="wide" tabindex="0"><table><tr>{top}</tr>\n{lined}</table></div>'


def _cell(kind: str, text: str, cell: Cell | None) -> str:
    """Return a cell, which says where its figure comes from when the pointer rests on it."""
    missing = text in (*report.MISSING.values(), report.NOT_ONE_RUN)
    sources = "" if cell is None else f' title="{_text(report.source(cell.row))}"'
    return f'<td class="{kind}{" missing" if missing else ""}"{sources}>{_text(text)}</td>'


def _text(text: str) -> str:
    return html.escape(text)
