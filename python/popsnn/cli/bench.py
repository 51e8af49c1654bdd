"""`popsnn bench`: measure what fills a table of the source papers, and report all rows.

The suites are no part of the package: they stand in the repository's folder ``bench``, beside what
they measure and the rows that were recorded.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

TABLES = {
    "activity": "training steps of the published networks, at fixed and natural activity",
    "scaling": "networks by size on one device, and on several",
    "fusion": "LIF over T in one kernel, beside other libraries",
    "accuracy": "capped beside dense training, several seeds",
}
REPORT = "report"

EXAMPLES = """examples:
  popsnn bench --list              tables, their suites, and which of these run here
  popsnn bench activity            measure them; appends rows to bench/results/
  popsnn bench report --out made   made/report.md and made/report.html of all rows

needs a clone of the repository as the current folder, or one above it.
"""


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "bench",
        help="measure, and report what was measured",
        description="Run the suites that fill a table of the source papers on the engines that "
        "this machine has, or make a report of all recorded rows. Modelled figures have columns "
        "of their own; what has no row is not guessed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = command.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "table",
        metavar="TABLE",
        nargs="?",
        choices=[*TABLES, REPORT],
        help="; ".join(f"{name}: {text}" for name, text in TABLES.items()) + "; or report",
    )
    what.add_argument("--list", action="store_true", help="print the tables and their suites")
    command.add_argument(
        "--out", metavar="DIR", type=Path, help="folder of the report (default: runs/bench)"
    )
    command.add_argument(
        "--results", metavar="DIR", type=Path, help="folder of the rows (default: bench/results)"
    )
    command.add_argument(
        "--json", action="store_true", help="print JSON: rows as they come, or all tables"
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List, measure or report."""
    for option in ("out", "results"):
        if getattr(arguments, option) is not None and arguments.table != REPORT:
            raise ValueError(
                f"bench: {option}: expected it with report alone, "
                f"got it with {arguments.table or '--list'}"
            )
    suites = _suites()
    if arguments.list:
        return int(suites.show(arguments.json))
    if arguments.table == REPORT:
        out = Path("runs/bench") if arguments.out is None else arguments.out
        return int(suites.write_report(out, arguments.results, arguments.json))
    return int(suites.measure(arguments.table, arguments.json))


def _suites() -> Any:
    """Return the repository's module of this command."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "bench" / "command.py").is_file():
            sys.path.insert(0, str(folder))
            return importlib.import_module("bench.command")
    raise RuntimeError(
        "bench: folder: expected a clone of popsnn's repository, whose folder bench has the "
        f"suites, here or above, got {str(here)!r}"
    )
