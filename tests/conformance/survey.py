"""Builds and runs every Poplar program below a folder, and prints what came of each.

    python -m tests.conformance.survey ~/repos

The programs run unchanged, with their own build files where they have them, as a user would after
`enable.sh` of the installed emulator. The table says why a program fails, and names what it needs
that the machine does not have.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Dict, List, Tuple

from tests.conformance.attempt import Outcome, Shell, attempt, copy_of
from tests.conformance.found import Program, commit_of, find

import popsnn

ARGUMENTS = Path(__file__).with_name("arguments.json")


def row(program: Program, outcome: Outcome) -> str:
    cause = outcome.cause.replace("|", "\\|")[:200]
    cells = (program.name, commit_of(program.root), program.kind, outcome.result, cause)
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="a checkout, or a folder of checkouts")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--kind", default="", help="one kind of program: cmake, make, source, ...")
    parser.add_argument("--list", action="store_true", help="print the programs and run none")
    parser.add_argument("--seconds", type=int, default=300, help="limit of a build and of a run")
    parser.add_argument(
        "--prefix", type=Path, default=popsnn.emulator_prefix(), help="the SDK, with its enable.sh"
    )
    parser.add_argument("--json", type=Path, help="write the outcomes to this file too")
    options = parser.parse_args()
    programs = [
        program
        for program in find(options.folder.resolve())
        if options.only in program.name and options.kind in ("", program.kind)
    ]
    if options.list:
        print("\n".join(f"{program.kind:9} {program.name}" for program in programs))
        return
    arguments: Dict[str, str] = json.loads(ARGUMENTS.read_text())
    shell = Shell(options.prefix.resolve(), options.seconds)
    results: List[Tuple[Program, Outcome]] = []
    print("| program | commit | kind | result | cause |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        copies: Dict[Path, Path] = {}
        for program in programs:
            if program.root not in copies:
                copies[program.root] = copy_of(program.root, Path(scratch))
            results.append((program, attempt(program, copies[program.root], shell, arguments)))
            print(row(*results[-1]), flush=True)
    counts = Counter(outcome.result for _, outcome in results)
    tried = counts["passes"] + counts["fails"]
    print(
        f"\n{counts['passes']} of {tried} pass unchanged; {counts['needs']} more need what this "
        "machine does not have."
    )
    if options.json:
        rows = [{"program": program.name, **asdict(outcome)} for program, outcome in results]
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
