"""Run benchmark suites, those that fill a table of the source papers, or report all rows."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bench import rows
from bench.report import command
from bench.report.tables import TABLES

SUITES = (
    "emulator", "emulator_bars", "demo_step", "sparse_step", "lif", "modelled", "list_sizes",
    "half_weights", "dense_gradients", "resnet", "data", "recurrent", "accuracy", "network",
    "planning", "host_time", "first_call", "convert", "delays",
)  # fmt: skip
HOURS = ("accuracy",)  # suites that run only when named


def _case(text: str) -> tuple[str, object]:
    """Return a name and a value: a number, null, or a text."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    made = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    made.add_argument(
        "suites",
        nargs="*",
        metavar="suite",
        help=", ".join(SUITES)
        + ", or a part as in lif.elementwise; default: all but "
        + ", ".join(HOURS),
    )
    what = made.add_mutually_exclusive_group()
    what.add_argument("--table", choices=TABLES, help="run the suites that fill this table")
    what.add_argument(
        "--list", action="store_true", help="print the tables, their suites, and which run here"
    )
    what.add_argument("--report", action="store_true", help="make the report of all rows")
    made.add_argument("--record", action="store_true", help=rows.RECORD_HELP)
    made.add_argument(
        "--only",
        metavar="prefix",
        action="append",
        default=[],
        help="measure the subjects of lif, resnet, recurrent, accuracy, host_time, first_call, "
        "convert alone whose names begin so",
    )
    made.add_argument(
        "--case",
        type=_case,
        metavar="name=value",
        action="append",
        default=[],
        help="measure the cases of accuracy, recurrent or recurrent.large alone that have this, as "
        "network=recurrent or neurons=8192",
    )
    made.add_argument(
        "--out", type=Path, default=Path("runs/bench"), help="folder of the report: %(default)s"
    )
    made.add_argument(
        "--results",
        type=Path,
        help="folder of the report's rows: bench/results, which are recorded",
    )
    made.add_argument(
        "--json", action="store_true", help="with --table, --list or --report: print JSON"
    )
    return made


def main() -> int:
    """Run what the command line asks for."""
    asked = parser()
    arguments = asked.parse_args()
    rows.ONLY.extend(arguments.only)
    rows.CASES.update(arguments.case)
    if arguments.record:
        rows.FOLDER[:] = [rows.RESULTS]
    if arguments.list:
        return command.show(arguments.json)
    if arguments.report:
        return command.write_report(arguments.out, arguments.results, arguments.json)
    if arguments.table is not None:
        return command.measure(arguments.table, arguments.json)
    chosen = arguments.suites or [name for name in SUITES if name not in HOURS]
    unknown = sorted(name for name in chosen if name.split(".")[0] not in SUITES)
    if unknown:
        asked.error(f"unknown suite {', '.join(unknown)}: expected {', '.join(SUITES)}")
    print(f"{rows.cpu_model()}, {rows.cores()} cores, commit {rows.commit()}")
    for name in chosen:
        print(f"\n{name}")
        for path in sorted({path for _, path in rows.measure(name)}):
            print(f"  rows in {path}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, RuntimeError, ValueError) as error:
        sys.exit(f"python -m bench: {error}")
