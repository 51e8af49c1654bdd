"""Rows for tests of what reads them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.report.reading import Record


def record(median: float = 1.0, **changes: Any) -> Record:
    """Return a row; a field that it does not have is part of its case."""
    inputs = {
        "suite": "lif",
        "subject": "popsnn-cuda",
        "dtype": "float32",
        "metric": "fwd_bwd_ms",
        "median": median,
        "min": 0.5 * median,
        "max": 2.0 * median,
        "runs": 3,
        "peak_bytes": None,
        "limit": None,
        "max_rel_error": None,
        "modelled": False,
        "machine": "a GPU",
        "versions": {"popsnn": "1"},
        "command": "python -m bench lif",
        "commit": "abc",
    }
    case = {name: value for name, value in changes.items() if name not in inputs}
    inputs.update({name: value for name, value in changes.items() if name in inputs})
    return Record(case=case, **inputs)


def write(rows: list[Record], path: Path) -> None:
    """Write rows as a results file."""
    path.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), encoding="utf-8")


# Of three sheets with a plot: what is measured, modelled, and missing.
ROWS = [
    record(0.25, T=4, part="monolayer"),
    record(1.0, T=4, part="monolayer", subject="torch-loop"),
    record(1234.6, T=8, part="monolayer", subject="torch-loop", min=1234.6, max=1234.6),
    record(
        1.17,
        suite="modelled",
        metric="train_step_ms",
        preset="nmnist-h2",
        max_activity=0.01,
        activity="fixed",
        T=100,
        batch=48,
        modelled=True,
        runs=1,
        subject="popsnn-ipu",
        machine="Bow IPU, modelled",
    ),
    record(
        0.985,
        suite="accuracy",
        metric="mean_accuracy",
        dataset="digits",
        network="recurrent",
        max_activity=0.05,
        grad_threshold=0.7,
        hidden=[256],
        steps=8,
        epochs=20,
        min=0.98,
        max=0.99,
    ),
]
