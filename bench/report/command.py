"""The suites of a table measured one after the other, and the report of all rows."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from bench import report, rows
from bench.report import page, reading
from bench.report.tables import TABLES, Suite
from popsnn import backends

ROOT = rows.RESULTS.parents[1]
MARKDOWN, HTML = "report.md", "report.html"


def why_not(suite: Suite) -> str | None:
    """Return why a suite cannot run on this machine; None where it can."""
    engine = backends()[suite.engine]
    if not engine.available:
        return engine.reason
    if suite.devices > torch.cuda.device_count() and suite.engine == "cuda":
        return f"it needs {suite.devices} CUDA devices and there is {torch.cuda.device_count()}"
    return None


def show(as_json: bool) -> int:
    """Print the tables, their suites, and which of these run here."""
    suites_of: dict[str, Any] = {
        name: {
            "title": table.title,
            "source": table.source,
            "suites": {suite.name: why_not(suite) for suite in table.suites},
        }
        for name, table in TABLES.items()
    }
    if as_json:
        print(json.dumps(suites_of, indent=2))
        return 0
    for name, table in suites_of.items():
        print(f"{name:<9} {table['title']} ({table['source']})")
        for suite, reason in table["suites"].items():
            print(f"  {suite:<16} {'runs here' if reason is None else f'not here: {reason}'}")
    return 0


def measure(name: str, as_json: bool) -> int:
    """Run the suites of a table that this machine can, and append their rows.

    Parameters
    ----------
    name : str
        Of a table.
    as_json : bool
        Whether stdout is the rows, one JSON line each; what suites say is on stderr then.

    Raises
    ------
    RuntimeError
        Where no suite of the table runs here, or one along several GPUs fails.
    """
    table = TABLES[name]
    reasons = {suite: why_not(suite) for suite in table.suites}
    if all(reasons.values()):
        reasons_text = "; ".join(f"{suite.name}: {reason}" for suite, reason in reasons.items())
        raise RuntimeError(
            f"bench {name}: expected a machine for one of its suites, got {reasons_text}"
        )
    out = sys.stdout
    touched: dict[Path, int] = {}
    with contextlib.redirect_stdout(sys.stderr if as_json else out):
        print(f"{rows.cpu_model()}, {rows.cores()} cores, commit {rows.commit()}")
        for suite, reason in reasons.items():
            print(
                f"\n{suite.name}" if reason is None else f"\n{suite.name}: not measured: {reason}"
            )
            if reason is None and suite.devices > 1:
                _along_gpus(suite)
            elif reason is None:
                for row, path in rows.measure(suite.name):
                    touched[path] = touched.get(path, 0) + 1
                    if as_json:
                        print(json.dumps(asdict(row)), file=out, flush=True)
        for path, count in touched.items():
            print(f"{count} rows in {path}")
        print("python -m bench --report lays out all rows")
    return 0


def _along_gpus(suite: Suite) -> None:
    """Run a suite under torchrun, on all GPUs; it writes its rows itself."""
    command = ["--standalone", "--nproc-per-node", str(torch.cuda.device_count())]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "torch.distributed.run", *command, "-m", f"bench.{suite.name}"),
            *(["--record"] if rows.FOLDER == [rows.RESULTS] else []),
        ],
        cwd=ROOT,
        stdout=sys.stderr if sys.stdout is sys.stderr else None,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(
            f"bench {suite.name}: expected torchrun to exit with 0, got {done.returncode}"
        )


def write_report(out: Path, results: Path | None, as_json: bool) -> int:
    """Write the report of all rows as Markdown and as a page.

    Parameters
    ----------
    out : Path
        Folder; it is made if need be.
    results : Path, optional
        Folder of the rows; default: that of the repository.
    as_json : bool
        Whether stdout is the tables as one JSON object, and not the files' names.

    Raises
    ------
    FileNotFoundError, ValueError
        As `reading.read`.
    """
    command = " ".join(
        [
            "python -m bench --report",
            f"--out {out}",
            *([] if results is None else [f"--results {results}"]),
        ]
    )
    made = report.make(reading.read(rows.RESULTS if results is None else results))
    out.mkdir(parents=True, exist_ok=True)
    for file, text in (
        (MARKDOWN, report.markdown(made, command)),
        (HTML, page.page(made, command)),
    ):
        (out / file).write_text(text, encoding="utf-8")
        if not as_json:
            print(out / file)
    if as_json:
        print(json.dumps(report.as_data(made), indent=2))
    return 0
