"""The cost of the emulator itself: a superstep, and a vertex with its call.

Whole GC200s (1,472 tiles of 6 workers) run superstep after superstep of one vertex a worker. The
wall clock over the vertices is what one of them costs, with everything that goes around it: taking
batches, the call, the barrier. `Count` does next to nothing; `Accumulate` reads and adds n values.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from bench import rows

TILES, WORKERS = 1472, 6
SUPERSTEPS = 200
RUNS = 9
CASES = (  # vertex, elements a vertex, vertices
    ("Count", 1, 1),
    ("Count", 1, TILES * WORKERS),
    ("Accumulate", 8, TILES * WORKERS),
    ("Accumulate", 256, TILES * WORKERS),
)


def engine_of(vertex: str, width: int, vertices: int, threads: int) -> Any:
    """Return a loaded engine whose program is SUPERSTEPS supersteps."""
    poplar = importlib.import_module("popsnn_test_poplar")
    device = poplar.IPUModel("ipu2").create_device()
    graph = poplar.Graph(device.target)
    graph.add_codelets(str(Path(__file__).with_name("codelets.cpp")))
    total = graph.add_variable(poplar.INT, [vertices, width], "total")
    step = graph.add_variable(poplar.INT, [vertices, width], "step")
    compute_set = graph.add_compute_set("step")
    for i in range(vertices):
        edges = {"total": total[i][0]}
        if vertex == "Accumulate":
            edges = {"total": total[i], "step": step[i]}
        made = graph.add_vertex(compute_set, vertex, edges)
        for mapped in (made, total[i], step[i]):
            graph.set_tile_mapping(mapped, i // WORKERS)
    graph.create_host_read("total", total)
    graph.create_host_write("step", step)
    program = poplar.Repeat(SUPERSTEPS, poplar.Execute(compute_set))
    engine = poplar.Engine(graph, [program], {"emulator.threads": str(threads)})
    engine.load(device)
    engine.write_tensor("step", np.ones((vertices, width), np.int32))
    return engine


def measure(vertex: str, width: int, vertices: int, threads: int) -> rows.Row:
    engine = engine_of(vertex, width, vertices, threads)
    seconds = rows.time_in_turn({"run": engine.run}, RUNS, warmup=1)["run"]
    total = engine.read_tensor("total", np.empty((vertices, width), np.int32))
    expected = SUPERSTEPS * (RUNS + 1)
    if not (total == expected).all():
        raise RuntimeError(f"{vertex}: totals: expected {expected} everywhere, got {total}")
    return rows.Row(
        suite="emulator",
        case={
            "vertex": vertex,
            "elements": width,
            "vertices": vertices,
            "supersteps": SUPERSTEPS,
            "threads": threads,
        },
        subject="popsnn-emulator",
        dtype="int32",
        metric="superstep_ns" if vertices == 1 else "vertex_ns",
        max_rel_error=0.0,
        **rows.spread(seconds, 1e9 / (SUPERSTEPS * vertices)),
    )


def run() -> list[rows.Row]:
    measured = [
        measure(*case, threads=threads) for case in CASES for threads in sorted({1, rows.cores()})
    ]
    print("  vertex     elements vertices threads  metric          median      min      max")
    for row in measured:
        case = row.case
        print(
            f"  {case['vertex']:<11}{case['elements']:>8}{case['vertices']:>9}{case['threads']:>8}"
            f"  {row.metric:<13}{row.median:>9.2f}{row.min:>9.2f}{row.max:>9.2f}"
        )
    return measured
