"""Recorded rows, read back and checked: what every report is made of."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Mapping


@dataclass(frozen=True)
class Record:
    """A row of a results file; its fields are those of `bench.rows.Row`."""

    suite: str
    case: Mapping[str, Any]
    subject: str
    dtype: str
    metric: str
    median: float
    min: float | None  # None in the rows of runs whose spread is lost
    max: float | None
    runs: int | None
    peak_bytes: int | None
    limit: str | None
    max_rel_error: float | None
    modelled: bool
    machine: str
    versions: Mapping[str, str]
    command: str
    commit: str | None

    def get(self, name: str) -> Any:
        """Return a value of the case, or else a field; None where there is neither."""
        return self.case[name] if name in self.case else getattr(self, name, None)

    def same_run(self, other: Record) -> bool:
        """Return whether both come from one command at one commit on one machine."""
        return (self.machine, self.commit, self.command) == (
            other.machine,
            other.commit,
            other.command,
        )


KINDS: Mapping[str, tuple[type, ...]] = {
    "case": (dict,),
    "versions": (dict,),
    "modelled": (bool,),
    "median": (int, float),
    **dict.fromkeys(("min", "max", "max_rel_error"), (int, float, type(None))),
    **dict.fromkeys(("runs", "peak_bytes"), (int, type(None))),
    **dict.fromkeys(("limit", "commit"), (str, type(None))),
}


def read(folder: Path) -> list[Record]:
    """Return the rows of a folder's ``*.jsonl``, oldest first within a file.

    Raises
    ------
    FileNotFoundError
        Where there is no such folder, or no results file in it.
    ValueError
        Where a line is no row; the sentence names file and line.
    """
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise FileNotFoundError(
            f"bench report: results: expected a folder with *.jsonl files, got {str(folder)!r}"
        )
    return [
        _record(line, path, number)
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    ]


def _record(line: str, path: Path, number: int) -> Record:
    where = f"bench report: {path.name} line {number}: expected a row as one JSON object"
    try:
        row = json.loads(line)
    except ValueError:
        raise ValueError(f"{where}, got {_short(line)}") from None
    if not isinstance(row, dict):
        raise ValueError(f"{where}, got {_short(line)}")
    for field in fields(Record):
        if field.name not in row:
            raise ValueError(f"{where} with {field.name!r}, got none")
        kinds = KINDS.get(field.name, (str,))
        value = row[field.name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
            raise ValueError(f"{where} with {names} as {field.name!r}, got {_short(repr(value))}")
    record = Record(**{field.name: row[field.name] for field in fields(Record)})
    low, high = (record.median if value is None else value for value in (record.min, record.max))
    if not low <= record.median <= high or not math.isfinite(high - low):
        got = f"{record.min}, {record.median} and {record.max}"
        raise ValueError(f"{where} with min <= median <= max, all finite, got {got}")
    return record


def _short(text: str) -> str:
    return (text if len(text) <= 40 else f"{text[:37]}...") or "an empty line"
