"""Public figures of IPU hardware next to the model's: additions on a tile, and the published log.

Nothing is fitted. The additions are those of a notebook of graphcore-research/tessellate-ipu
(3ab241f, 01-tessellate-ipu-tile-api-basics), which counts cycles on a Bow around one compute set.
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


def counted(seconds: float) -> float:
    """Return the cycles that the notebook's figure leaves for the addition."""
    return float(round(seconds * CLOCK_HZ) - STAMPS)


def additions() -> dict[tuple[int, int], float]:
    """Compile a program for the emulator; return its modelled cycles of the notebook's sums."""
    prefix = popsnn.emulator_prefix()
    library = prefix / "lib"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "additions"
        command: list[str | Path] = [os.environ.get("CXX", "c++"), "-O2", "-std=c++17"]
        command += [HERE / "additions.cpp", "-o", program]
        command += [f"-I{prefix / 'include'}", f"-L{library}", f"-Wl,-rpath,{library}"]
        subprocess.run([*command, "-lpopops", "-lpoputil", "-lpoplar"], check=True)
        made = {}
        for case in NOTEBOOK_S:
            done = subprocess.run([program, *map(str, case)], check=True, stdout=subprocess.PIPE)
            made[case] = float(done.stdout)
        return made


def run() -> Iterator[Row]:
    """Compare the additions; print the log's training steps, whose rows `modelled` has."""
    modelled = additions()
    for (tiles, floats), seconds in NOTEBOOK_S.items():
        hardware, ours = counted(seconds), modelled[tiles, floats]
        what = f"popops::add, {floats} floats a tile"
        ratio = f"{ours / hardware:.2f} of it"
        print(f"  {what:<32}{hardware:>6,.0f} cycles, modelled {ours:>6,.0f}: {ratio}")
        case = {"what": "popops::add", "tiles": tiles, "floats": floats}
        made = row("modelled", case, "cycles", ours)
        yield replace(made, subject="popops", limit="the estimator of its vertices")
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
