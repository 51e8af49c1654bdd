"""The emulator's bars: graphs of a million vertices, supersteps of a whole IPU, copies.

A C++ program on the installed headers and libraries, as a user of the emulator would build it,
measures itself and checks its results; this suite compiles it and turns its figures into rows.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import popsnn
from bench import rows

HERE = Path(__file__).parent
# figure: (what is measured on, metric, seconds of its unit, what it is divided by, bar)
MILLION, TILES, COPY = "1e6 vertices", "1000 supersteps of 8832 vertices", "float [4096, 4096]"
FIGURES = {
    "million_build_s": (MILLION, "build_s", 1.0, 1, "build and compile: 10 s"),
    "million_compile_s": (MILLION, "compile_s", 1.0, 1, "build and compile: 10 s, 3 GiB"),
    "million_execute_s": (MILLION, "vertex_ns", 1e-9, 1_000_000, "60 ns"),
    "thousand_supersteps_s": (TILES, "run_s", 1.0, 1, "1 s"),
    "memcpy_s": (COPY, "memcpy_ms", 1e-3, 1, None),
    "copy_whole_s": (COPY, "whole_ms", 1e-3, 1, "twice memcpy"),
    "copy_half_rows_s": (COPY, "half_rows_ms", 1e-3, 1, "twice memcpy, by bytes"),
    "copy_16_columns_s": (COPY, "16_columns_ms", 1e-3, 1, "twice memcpy, by bytes"),
}


def figures() -> dict[str, Any]:
    """Compile and run the program; return what it prints."""
    prefix = popsnn.emulator_prefix()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "emulator_bars"
        library = prefix / "lib"
        compiler = os.environ.get("CXX", "c++")
        command: list[str | Path] = [
            compiler,
            "-O2",
            "-std=c++17",
            str(HERE / "bars.cpp"),
            "-o",
            program,
        ]
        command += [f"-I{prefix / 'include'}", f"-L{library}", f"-Wl,-rpath,{library}", "-lpoplar"]
        subprocess.run(command, check=True)
        done = subprocess.run(
            [program, str(HERE.parent / "emulator" / "codelets.cpp")],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def run() -> list[rows.Row]:
    measured = figures()
    made = []
    for name, (case, metric, unit, count, bar) in FIGURES.items():
        middle, least, most = (value / unit / count for value in measured[name])
        row = rows.Row(
            suite="emulator_bars",
            case={"what": case},
            subject="memcpy" if name == "memcpy_s" else "popsnn-emulator",
            dtype="float32" if case == COPY else "int32",
            metric=metric,
            median=middle,
            min=least,
            max=most,
            runs=1 if metric in ("build_s", "compile_s") else measured["runs"],
            peak_bytes=measured["million_peak_bytes"] if metric == "compile_s" else None,
            limit=bar,
            max_rel_error=None if name == "memcpy_s" else 0.0,
        )
        print(f"  {case:<34}{metric:<14}{middle:>10.4g}  bar {bar or '-'}")
        made.append(row)
    print(f"  peak memory of the million vertices {measured['million_peak_bytes'] / 2**20:.0f} MiB")
    return made
