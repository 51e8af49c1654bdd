"""Public figures of IPU hardware next to the model's: work of a tile, and the published log.

The additions and the products of matrices are those of two notebooks of
graphcore-research/tessellate-ipu (3ab241f, 01-tessellate-ipu-tile-api-basics and IPU Peak Flops),
which count cycles on a Bow around one compute set. One constant of the model, the 82 cycles of a
compute set, is from the two additions; nothing else is fitted.
The networks of the log are of another implementation, so their ratio is a speed-up and no error.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Iterator

import popsnn
from bench.modelled import row
from bench.rows import Row
from popsnn import profiling
from popsnn.profiling.presets import PUBLISHED_MS

HERE = Path(__file__).parent
CLOCK_HZ = 1.85e9
STAMPS = 45  # cycles between two stamps with nothing between them, by the same project
# (tiles, floats of a tile): seconds that the notebook prints, its two stamps included
NOTEBOOK_S = {(3, 10): 0.1783783783783784e-6, (1024, 1024): 1.0054054054054054e-6}
# Rows of a tile's product with a matrix of 16 x 16 halves: TFLOP/s of all tiles that the other
# notebook plots, without the cycles between two stamps.
PEAK_TFLOPS = {16: 55.49366766169154, 512: 299.7758382793814, 2048: 334.9404671550231}
TILES, WIDTH = 1472, 16


def counted(seconds: float) -> float:
    """Return the cycles that the notebook's figure leaves for the addition."""
    return float(round(seconds * CLOCK_HZ) - STAMPS)


def multiplied(rows: int) -> float:
    """Return the cycles, a mean over the tiles, of a product of so many rows in the plot."""
    operations = 2 * rows * WIDTH * WIDTH * TILES
    return operations / (PEAK_TFLOPS[rows] * 1e12) * CLOCK_HZ


def modelled(source: str, *cases: tuple[int, ...]) -> list[float]:
    """Compile a program for the emulator; return the number that it prints for each case."""
    prefix = popsnn.emulator_prefix()
    library = prefix / "lib"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        command: list[str | Path] = [os.environ.get("CXX", "c++"), "-O2", "-std=c++17"]
        command += [HERE / source, "-o", program]
        command += [f"-I{prefix / 'include'}", f"-L{library}", f"-Wl,-rpath,{library}"]
        command += ["-lpoplin", "-lpopops", "-lpoputil", "-lpoplar"]
        subprocess.run(command, check=True)
        made = []
        for case in cases:
            done = subprocess.run([program, *map(str, case)], check=True, stdout=subprocess.PIPE)
            made.append(float(done.stdout))
        return made


def additions() -> dict[tuple[int, int], float]:
    """Return the modelled cycles of the notebook's sums."""
    return dict(zip(NOTEBOOK_S, modelled("additions.cpp", *NOTEBOOK_S)))


def products() -> dict[int, float]:
    """Return the modelled cycles of the other notebook's products."""
    return dict(zip(PEAK_TFLOPS, modelled("products.cpp", *((rows,) for rows in PEAK_TFLOPS))))


def compared(what: str, case: dict[str, object], hardware: float, ours: float) -> Iterator[Row]:
    """Print and yield a figure of the notebooks and the model's."""
    print(
        f"  {what:<32}{hardware:>6,.0f} cycles, modelled {ours:>6,.0f}: {ours / hardware:.2f} of it"
    )
    dtype = "float16" if case["what"] == "poplin::matMul" else "float32"
    made = row("modelled", case, "cycles", ours, dtype=dtype)
    library = str(case["what"]).split("::")[0]
    yield replace(made, subject=library, limit="the estimator of its vertices")
    yield replace(
        made,
        subject="tessellate-ipu",
        median=hardware,
        min=hardware,
        max=hardware,
        limit=None,
        modelled=False,
        machine="one Bow IPU, published",
        versions={"tessellate-ipu": "3ab241f"},
    )


def run() -> Iterator[Row]:
    """Compare the notebooks' figures; print the log's training steps: `modelled` has their rows."""
    for (tiles, floats), ours in additions().items():
        case: dict[str, object] = {"what": "popops::add", "tiles": tiles, "floats": floats}
        hardware = counted(NOTEBOOK_S[tiles, floats])
        yield from compared(f"popops::add, {floats} floats a tile", case, hardware, ours)
    for rows, ours in products().items():
        case = {"what": "poplin::matMul", "rows": rows, "inner": WIDTH, "columns": WIDTH}
        hardware = multiplied(rows)
        yield from compared(f"poplin::matMul, {rows} rows a tile", case, hardware, ours)
    factors: list[float] = []
    faster: list[float] = []
    for (name, activity), published in PUBLISHED_MS.items():
        report = profiling.profile_preset(name, "bow", max_activity=activity)
        low, high = (report.step_ms * factor for factor in report.expected_factors)
        factors += report.expected_factors
        faster += [published / high, published / low]
        what = f"{name}, {activity:.0%}, a training step"
        print(
            f"  {what:<32}{published:>6.2f} ms, modelled {report.step_ms:.2f}, expected "
            f"{low:.2g} to {high:.2g}: {published / high:.2g} to {published / low:.2g} times "
            "faster",
            flush=True,
        )
    print(
        f"  all {len(PUBLISHED_MS)}: hardware is expected to take {min(factors):.2f} to "
        f"{max(factors):.2f} of the modelled cycles, {min(faster):.2g} to {max(faster):.2g} times "
        "faster"
    )
