"""Builds and runs every Poplar program below a folder, and prints what came of each.

    python -m tests.conformance.survey ~/repos --json runs.json
    python -m tests.conformance.survey --rows runs.json --page docs/reference/survey.md

The programs run unchanged, with their own build files where they have them, as a user would after
`enable.sh` of the installed emulator. The table says why a program fails, and names what it needs
that the machine does not have. `notes.json` has what is known of programs that cannot run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Dict, List, Optional

from tests.conformance.attempt import Shell, attempt, copy_of
from tests.conformance.found import Program, find
from tests.conformance.page import NOTES, Row, counted, judged, page, read, unused
from tests.conformance.told import commit_of, day_of, sdk_of

import popsnn

ARGUMENTS = Path(__file__).with_name("arguments.json")


def options_of() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="a checkout, or a folder of them")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--kind", default="", help="one kind of program: cmake, make, source, ...")
    parser.add_argument("--list", action="store_true", help="print the programs and run none")
    parser.add_argument("--seconds", type=int, default=300, help="limit of a build and of a run")
    parser.add_argument(
        "--prefix", type=Path, default=popsnn.emulator_prefix(), help="the SDK, with its enable.sh"
    )
    parser.add_argument(
        "--older", default="", help="version of g++ for programs that the newest refuses: 11"
    )
    parser.add_argument("--json", type=Path, help="write the outcomes to this file too")
    parser.add_argument(
        "--rows", type=Path, nargs="+", default=[], help="files of earlier outcomes"
    )
    parser.add_argument("--page", type=Path, help="write the page of the documents to this file")
    return parser


def run(programs: List[Program], shell: Shell, file: Optional[Path]) -> List[Row]:
    """Try each program and print its row; `file` has what was tried so far at any time."""
    arguments: Dict[str, str] = json.loads(ARGUMENTS.read_text())
    rows: List[Row] = []
    print("| repository | commit | program | SDK | result | cause |\n" + "| --- " * 6 + "|")
    with tempfile.TemporaryDirectory() as scratch:
        copies: Dict[Path, Path] = {}
        for program in programs:
            root = program.root
            if root not in copies:
                copies[root] = copy_of(root, Path(scratch))
            outcome = attempt(program, copies[root], shell, arguments)
            told = (commit_of(root), day_of(root), program.kind, sdk_of(program))
            rows.append(Row(program.name, *told, outcome.result, outcome.cause))
            print(rows[-1].cells, flush=True)
            if file:
                file.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    return rows


def main() -> None:
    parser = options_of()
    options = parser.parse_args()
    known = json.loads(NOTES.read_text())
    rows = read(options.rows)
    if options.folder:
        programs = [
            program
            for program in find(options.folder.resolve())
            if options.only in program.name and options.kind in ("", program.kind)
        ]
        if options.list:
            print("\n".join(f"{program.kind:9} {program.name}" for program in programs))
            return
        shell = Shell(options.prefix.resolve(), options.seconds, options.older)
        rows += run(programs, shell, options.json)
    elif not rows:
        parser.error("expected a folder of checkouts, or --rows with earlier outcomes")
    print(f"\n{counted([judged(row, known['programs']) for row in rows])}")
    for name in unused(rows, known["programs"]):
        print(f"The note of {name} fits no failure of it.")
    if options.page:
        options.page.write_text(page(rows, known["programs"], known["left out"]))


if __name__ == "__main__":
    main()
