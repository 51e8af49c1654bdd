"""The survey's table: outcomes, judged by what is known of the programs, as a page."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Sequence

NOTES = Path(__file__).with_name("notes.json")
# Results in the order in which the page counts them, and what each says.
MEANING = {
    "passes": "builds and ends with status 0; a library or a file of codelets builds",
    "fails": "the emulator lacks something, or the program did not end in time",
    "own fault": "the program does not run as it is in its repository: its code or its files",
    "SDK 1": "written for SDK 1, which accepted what later versions refuse",
    "needs": "a package, data, a download or hardware that the machine does not have",
}


@dataclass(frozen=True)
class Row:
    """An outcome with what the checkout tells of the program."""

    program: str
    commit: str
    day: str
    kind: str
    sdk: str
    result: str
    cause: str

    @property
    def cells(self) -> str:
        repository, _, inside = self.program.partition("/")
        sdk = self.sdk or (f"({self.day[:4]})" if self.day else "")
        # Where the machine has its files is no part of a cause: of absolute paths the name is left.
        cause = re.sub(r"(?<![\w.~-])/(?:[^\s/:()'\"]+/)+", "", self.cause)
        cause = cause.replace("|", "/").replace("`", "'")[:160].strip()
        cause = f"`{cause}`" if cause and self.result in ("fails", "needs") else cause
        name = f"`./{inside}`"
        cells = (repository.replace("+", "/"), self.commit, name, sdk, self.result, cause)
        return f"| {' | '.join(cells)} |"


def judged(row: Row, notes: Dict[str, Dict[str, str]]) -> Row:
    """Return the row with the result and the cause that a note gives this very failure.

    A note names a part of the failure's text: another failure of the same program is not excused,
    and a program that passes needs no note.
    """
    note = notes.get(row.program)
    if note is None or row.result == "passes" or note["error"] not in row.cause:
        return row
    return replace(row, result=note["result"], cause=note["why"])


def unused(rows: Sequence[Row], notes: Dict[str, Dict[str, str]]) -> List[str]:
    """Return the programs whose note no failure has matched, though they were tried."""
    tried = {row.program: row for row in rows}
    return sorted(
        name for name in notes if name in tried and judged(tried[name], notes) is tried[name]
    )


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


def counted(rows: Sequence[Row]) -> str:
    """Return the sentence with the counts: of those that can run, and of all."""
    counts = Counter(row.result for row in rows)
    tried = counts["passes"] + counts["fails"]
    return (
        f"{counts['passes']} of {tried} programs that can run here pass unchanged "
        f"({percent(counts['passes'], tried)}). Of all {len(rows)} that were found it is "
        f"{percent(counts['passes'], len(rows))}: {counts['own fault']} have faults of their own, "
        f"{counts['needs']} need what the machine does not have, {counts['SDK 1']} are of SDK 1."
    )


def read(files: Sequence[Path]) -> List[Row]:
    """Return the rows of files that a survey wrote; a later one replaces an earlier one."""
    rows: Dict[str, Row] = {}
    for file in files:
        for value in json.loads(file.read_text()):
            rows[value["program"]] = Row(**value)
    return [rows[name] for name in sorted(rows, key=str.lower)]


def page(rows: Sequence[Row], notes: Dict[str, Dict[str, str]], left_out: Dict[str, str]) -> str:
    """Return the page of the documents, in Markdown."""
    rows = [judged(row, notes) for row in rows]
    own = [row for row in rows if row.program.startswith("graphcore")]
    others = [row for row in rows if not row.program.startswith("graphcore")]
    counts = Counter(row.result for row in rows)
    lines = [
        "# Survey of public programs",
        "",
        "Public Poplar programs, built and run by [the survey]"
        "(conformance.md#survey-of-other-programs) as they are in their repositories at the named "
        "commits.",
        counted(rows),
        "",
        "| result | programs | meaning |",
        "| --- | --- | --- |",
        *(f"| {name} | {counts[name]} | {meaning} |" for name, meaning in MEANING.items()),
        "",
        f"Of people outside Graphcore: {counted(others)}",
        "",
        f"Of Graphcore: {counted(own)}",
        "",
        "The column SDK has the version that a text of the repository names, or else the year of "
        "the commit.",
        "",
        "## Programs",
        "",
        "| repository | commit | program | SDK | result | cause |",
        "| --- | --- | --- | --- | --- | --- |",
        *(row.cells for row in rows),
    ]
    if left_out:
        lines += ["", "## Left out", "", "| repository | reason |", "| --- | --- |"]
        lines += [f"| {name} | {why} |" for name, why in sorted(left_out.items())]
    return "\n".join(lines) + "\n"
