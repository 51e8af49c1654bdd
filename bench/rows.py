"""Timing, and the rows that every benchmark writes: one JSON object a line."""

from __future__ import annotations

import importlib
import json
import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Callable, Iterable, Iterator, Mapping, Sequence, TypedDict

from popsnn.training import versions

RESULTS = Path(__file__).resolve().parent / "results"  # the recorded rows, which git tracks
MEASURED = RESULTS.parents[1] / "runs" / "bench" / "rows"  # those of this machine
FOLDER = [MEASURED]  # where new rows go: `--record` makes it RESULTS
RECORD_HELP = "append the rows to bench/results/, which git tracks, and not to runs/bench/rows"
ONLY: list[str] = []  # how the names of the wanted subjects begin; all, where there is none
CASES: dict[str, object] = {}  # what the wanted cases have; all, where there is none


def wanted(subject: str) -> bool:
    """Return whether a subject of this name is to be measured."""
    return not ONLY or subject.startswith(tuple(ONLY))


def wanted_case(case: Mapping[str, object]) -> bool:
    """Return whether a case is to be measured."""
    return all(case.get(name) == value for name, value in CASES.items())


def cpu_model() -> str:
    """Name of this machine's CPU, as the kernel gives it."""
    match = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    return match.group(1).strip() if match else platform.machine()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


@lru_cache(maxsize=None)  # the rows of a run change the checkout
def commit() -> str | None:
    """Short hash of the checkout, with ``-dirty`` where it has changes; None outside of git.

    `POPSNN_COMMIT` in the environment is it where the sources came without their history.
    """
    if os.environ.get("POPSNN_COMMIT"):
        return os.environ["POPSNN_COMMIT"]
    command = ["git", "-C", str(RESULTS.parent), "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def command() -> str:
    """Return the command that rows name."""
    return " ".join(["python -m bench", *sys.argv[1:]])


@dataclass
class Row:
    """One measured (or, where ``modelled``, computed) figure. None means unknown."""

    suite: str
    case: Mapping[str, object]
    subject: str
    dtype: str
    metric: str
    median: float
    min: float
    max: float
    runs: int
    peak_bytes: int | None = None
    limit: str | None = None
    max_rel_error: float | None = None
    modelled: bool = False
    machine: str = field(default_factory=lambda: f"{cpu_model()}, {cores()} cores")
    versions: Mapping[str, str] = field(default_factory=versions)
    command: str = field(default_factory=command)
    commit: str | None = field(default_factory=commit)


def write(rows: Sequence[Row]) -> list[Path]:
    """Append `rows` to ``<suite>-<machine>.jsonl`` in `FOLDER` and return the files touched."""
    (folder,) = FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for row in rows:
        named = row.machine.replace(" cores", "c").replace("NVIDIA ", "")
        machine = re.sub(r"[^a-z0-9]+", "-", named.lower()).strip("-")
        path = folder / f"{row.suite}-{machine}.jsonl"
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")
        if path not in paths:
            paths.append(path)
    return paths


def measure(suite: str) -> Iterator[tuple[Row, Path]]:
    """Run a suite, write its rows as they come, and yield each with its file."""
    run: Callable[[], Iterable[Row]] = importlib.import_module(f"bench.{suite}").run
    for row in run():
        (path,) = write([row])
        yield row, path


def time_in_turn(
    subjects: Mapping[str, Callable[[], object]], runs: int, warmup: int = 3
) -> dict[str, list[float]]:
    """Seconds of `runs` calls of each subject.

    The subjects take turns, so that whatever else the machine does meets all of them alike.
    """
    for call in subjects.values():
        for _ in range(warmup):
            call()
    seconds: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(runs):
        for name, call in subjects.items():
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return seconds


class Spread(TypedDict):
    """The fields of a row that a series of runs gives."""

    median: float
    min: float
    max: float
    runs: int


def spread(samples: Sequence[float], scale: float) -> Spread:
    """Return the row fields median, min, max and runs of `samples` times `scale`."""
    return {
        "median": median(samples) * scale,
        "min": min(samples) * scale,
        "max": max(samples) * scale,
        "runs": len(samples),
    }
