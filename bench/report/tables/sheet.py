"""Rows laid out as a table: a line a case, a column a subject on one machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

from bench.report.reading import Record

MEASURED, MODELLED, PUBLISHED = "measured", "modelled", "published"
ORDER = (MEASURED, PUBLISHED, MODELLED)  # of columns
PUBLISHED_LOG = "published log"  # how the subjects begin that the authors measured

Label = Union[str, int, float, None]


@dataclass(frozen=True)
class Wanted:
    """A column of a sheet, or several: one for each value of `by` that has rows.

    Parameters
    ----------
    head : str
        What it is called where `by` is empty or no row is.
    match : mapping
        Value, or a predicate of it, of each named field of a row or its case.
    kind : str
        MEASURED, MODELLED or PUBLISHED; rows of another kind do not match.
    by : sequence of str
        Fields that make and name columns of their own.
    value : str
        Field of the figure: median, which comes with its spread, or peak_bytes.
    unit : str
    scale : float
        What a row's figure is multiplied by to be in `unit`.
    """

    head: str
    match: Mapping[str, Any]
    kind: str = MEASURED
    by: tuple[str, ...] = ("subject", "dtype", "machine")
    value: str = "median"
    unit: str = "ms"
    scale: float = 1.0

    def takes(self, row: Record) -> bool:
        """Return whether a row belongs here."""
        if kind_of(row) != self.kind or getattr(row, self.value) is None:
            return False
        return all(
            wanted(row.get(name)) if callable(wanted) else row.get(name) == wanted
            for name, wanted in self.match.items()
        )


@dataclass(frozen=True)
class Cell:
    """A figure in a column's unit; None as its spread where it has none."""

    value: float
    low: float | None
    high: float | None
    row: Record


@dataclass(frozen=True)
class Column:
    """A column of figures; `cells` has None where there is no row."""

    head: str
    kind: str
    unit: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Ratio:
    """A column of quotients of two figures of one run; None where they are not of one run."""

    head: str
    cells: tuple[float | None, ...]


@dataclass(frozen=True)
class Plot:
    """The picture of a sheet: the labels on the x axis, and whether the axes are logarithmic."""

    x: tuple[str, ...]
    y: str = "ms"  # the unit of the columns that are drawn
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table of figures: `lines` has the labels of each line, `index` their heads."""

    title: str
    index: tuple[str, ...]
    lines: tuple[tuple[Label, ...], ...]
    columns: tuple[Column, ...]
    ratios: tuple[Ratio, ...] = ()
    note: str = ""
    plot: Plot | None = None


def kind_of(row: Record) -> str:
    """Return whether a row is modelled, measured by the authors of a paper, or measured here."""
    if row.modelled:
        return MODELLED
    return PUBLISHED if row.subject.startswith(PUBLISHED_LOG) else MEASURED


def sheet(
    rows: Sequence[Record],
    title: str,
    index: Mapping[str, str],
    columns: Sequence[Wanted],
    *,
    lines: Sequence[tuple[Label, ...]] = (),
    note: str = "",
    plot: Plot | None = None,
) -> Sheet:
    """Return the newest row of each line and column.

    Parameters
    ----------
    rows : sequence of Record
        Older columns first.
    title, note : str
    index : mapping
        Head of each label, and the field of a row or its case that it shows.
    columns : sequence of Wanted
    lines : sequence of tuples
        Labels that are shown whether there are rows or not, first; others follow as they come.
    plot : Plot, optional
    """
    lines_found = list(lines)
    for row in rows:
        labels = _labels(row, index)
        if labels not in lines_found and any(wanted.takes(row) for wanted in columns):
            lines_found.append(labels)
    made = [column for wanted in columns for column in _columns(rows, wanted, index, lines_found)]
    made.sort(key=lambda column: ORDER.index(column.kind))
    return Sheet(title, tuple(index), tuple(lines_found), tuple(made), note=note, plot=plot)


def machines(rows: Sequence[Record], wanted: Wanted) -> list[str | None]:
    """Return the machines that have rows of a column, or None alone where there is no row."""
    return [*dict.fromkeys(row.machine for row in rows if wanted.takes(row))] or [None]


def named(machine: str | None) -> str:
    """Return a machine's name for a title."""
    return "no machine yet" if machine is None else machine


def ratio(head: str, over: Column, under: Column) -> Ratio:
    """Return the quotients of two columns; None where two figures are not of one run."""
    return Ratio(
        head,
        tuple(
            a.value / b.value
            if a is not None and b is not None and b.value and a.row.same_run(b.row)
            else None
            for a, b in zip(over.cells, under.cells)
        ),
    )


def _labels(row: Record, index: Mapping[str, str]) -> tuple[Label, ...]:
    return tuple(_label(row.get(name)) for name in index.values())


def _label(value: Any) -> Label:
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _columns(
    rows: Sequence[Record],
    wanted: Wanted,
    index: Mapping[str, str],
    lines: Sequence[tuple[Label, ...]],
) -> list[Column]:
    newest: dict[tuple[str, ...], dict[tuple[Label, ...], Cell]] = {}
    for row in filter(wanted.takes, rows):
        key = tuple(str(row.get(name)) for name in wanted.by)
        newest.setdefault(key, {})[_labels(row, index)] = _cell(row, wanted)
    of_head = {", ".join(key) or wanted.head: cells for key, cells in newest.items()}
    return [
        Column(head, wanted.kind, wanted.unit, tuple(cells.get(line) for line in lines))
        for head, cells in (of_head or {wanted.head: {}}).items()
    ]


def _cell(row: Record, wanted: Wanted) -> Cell:
    value = wanted.scale * getattr(row, wanted.value)
    if wanted.value != "median" or row.min is None or row.max is None or row.runs == 1:
        return Cell(value, None, None, row)
    return Cell(value, wanted.scale * row.min, wanted.scale * row.max, row)
