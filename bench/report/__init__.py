"""Tables as text: Markdown, and the same as data. What has no row is not guessed."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence

from bench.report.reading import Record
from bench.report.tables import TABLES
from bench.report.tables.sheet import (
    MEASURED,
    MODELLED,
    PUBLISHED,
    Cell,
    Column,
    Label,
    Ratio,
    Sheet,
)

MISSING = {MEASURED: "not measured", MODELLED: "not modelled", PUBLISHED: "not published"}
NOT_ONE_RUN = "not in one run"
ABOUT = (
    "Made by `{command}` from the recorded rows alone: each cell is the newest row of its case, "
    "median (least to largest). Columns headed *modelled* are a model's figures, not measurements; "
    "columns headed *published* were measured by the authors of a paper on their machine. "
    "Where there is no row, the cell says so."
)

Made = Mapping[str, Sequence[Sheet]]  # by the name of a table


def make(rows: Sequence[Record]) -> dict[str, list[Sheet]]:
    """Return the sheets of all tables."""
    return {
        name: table.sheets([row for row in rows if row.suite in table.recorded])
        for name, table in TABLES.items()
    }


def number(value: float) -> str:
    """Return a figure with three digits, or whole from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def label(head: str, value: Label) -> str:
    """Return a label of a line; caps are fractions."""
    if value is None:
        return "none"
    if head == "cap" and value != "auto":
        return f"{100 * float(value):g} %"
    return value if isinstance(value, str) else f"{value:,}"


def cell(value: Cell | None, kind: str) -> str:
    """Return a figure and its spread, where the spread shows."""
    if value is None:
        return MISSING[kind]
    shown = number(value.value)
    if value.low is None or value.high is None:
        return shown
    low, high = number(value.low), number(value.high)
    return shown if low == shown == high else f"{shown} ({low} to {high})"


def head(column: Column) -> str:
    """Return a column's head: what was not measured here comes first."""
    known = column.kind == MEASURED or column.head.startswith(column.kind)
    named = column.head if known else f"{column.kind}: {column.head}"
    return ", ".join(filter(None, (named, column.unit)))


def quotient(ratio: Ratio, line: int) -> str:
    """Return a cell of a column of ratios."""
    value = ratio.cells[line]
    return NOT_ONE_RUN if value is None else number(value)


def table(sheet: Sheet) -> tuple[list[str], list[list[str]]]:
    """Return heads and lines of a sheet as text."""
    heads = [*sheet.index, *map(head, sheet.columns), *(ratio.head for ratio in sheet.ratios)]
    lines = [
        [
            *(label(name, value) for name, value in zip(sheet.index, labels)),
            *(cell(column.cells[line], column.kind) for column in sheet.columns),
            *(quotient(ratio, line) for ratio in sheet.ratios),
        ]
        for line, labels in enumerate(sheet.lines)
    ]
    return heads, lines


def source(row: Record) -> str:
    """Return command, commit and machine of a row."""
    return f"`{row.command}` at {row.commit or 'no commit'}, {row.machine}"


def sources(sheet: Sheet) -> list[str]:
    """Return those of every row that a sheet shows."""
    rows = [cell.row for column in sheet.columns for cell in column.cells if cell is not None]
    return list(dict.fromkeys(map(source, rows)))


def empty(name: str, sheet: Sheet) -> str | None:
    """Return the sentence in place of a sheet that has no row at all."""
    if any(cell is not None for column in sheet.columns for cell in column.cells):
        return None
    return f"Not measured yet: no row is recorded; `python -m bench --table {name}` measures."


def markdown(made: Made, command: str) -> str:
    """Return the report as Markdown."""
    return "\n".join(["# Benchmarks", "", ABOUT.format(command=command), *_markdown(made), ""])


def _markdown(made: Made) -> Iterator[str]:
    for name, sheets in made.items():
        yield from ("", f"## {TABLES[name].title}", "")
        yield f"`python -m bench --table {name}`; after {TABLES[name].source}."
        for sheet in sheets:
            yield from ("", f"### {sheet.title}", "", sheet.note, "")
            sentence = empty(name, sheet)
            if sentence is not None:
                yield sentence
                continue
            heads, lines = table(sheet)
            for texts in (heads, ["---"] * len(heads), *lines):
                yield "| " + " | ".join(text.replace("|", r"\|") for text in texts) + " |"
            yield from ("", "From " + ";\n".join(sources(sheet)) + ".")


def as_data(made: Made) -> dict[str, Any]:
    """Return the report for JSON; None where there is no row."""
    return {
        name: {
            "title": TABLES[name].title,
            "source": TABLES[name].source,
            "sheets": [_sheet_data(sheet) for sheet in sheets],
        }
        for name, sheets in made.items()
    }


def _sheet_data(sheet: Sheet) -> dict[str, Any]:
    return {
        "title": sheet.title,
        "note": sheet.note,
        "index": list(sheet.index),
        "lines": [list(labels) for labels in sheet.lines],
        "columns": [
            {
                "head": column.head,
                "kind": column.kind,
                "unit": column.unit,
                "cells": [_cell_data(cell) for cell in column.cells],
            }
            for column in sheet.columns
        ],
        "ratios": [{"head": ratio.head, "cells": list(ratio.cells)} for ratio in sheet.ratios],
    }


def _cell_data(cell: Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    row = cell.row
    return {
        "median": cell.value,
        "min": cell.low,
        "max": cell.high,
        "subject": row.subject,
        "machine": row.machine,
        "command": row.command,
        "commit": row.commit,
    }
