"""Larger networks on one device, and networks on several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence

from bench.report.reading import Record

from .sheet import MEASURED, MODELLED, Column, Plot, Sheet, Wanted, machines, named, ratio, sheet

ON_GPUS: dict[str, Any] = {"suite": "time_parallel", "metric": "train_step_ms"}
RANKS = (1, 2, 4, 8)
OURS, BY_BATCH, MODEL = "popsnn-time-parallel", "popsnn-by-batch", "pipeline-model"
BF16, IN_BF16 = "popsnn-time-parallel-bf16-weights", ", bf16 weights"


def sheets(rows: Sequence[Record]) -> list[Sheet]:
    """Return one GPU by size, several GPUs along time, and several IPUs."""
    names = machines(rows, Wanted("", ON_GPUS))
    return [_by_size(rows), *(_along_time(rows, machine) for machine in names), _ipus(rows)]


def _by_size(rows: Sequence[Record]) -> Sheet:
    match: dict[str, Any] = {
        "suite": "network",
        "metric": "train_step_ms",
        "weights": lambda count: count is not None,
    }
    index = ("layers", "neurons", "weights", "T", "batch")
    return sheet(
        rows,
        "Networks by number of layers on one GPU",
        {**dict(zip(index, index)), "cap": "max_activity"},
        [
            Wanted("popsnn-cuda", match),
            Wanted("peak memory", match, value="peak_bytes", unit="GB", scale=1e-9),
        ],
        note="Layers of 984 neurons as in the published weak scaling, natural activity.",
        plot=Plot(("neurons",), log_x=True, log_y=True),
    )


def _along_time(rows: Sequence[Record], machine: str | None) -> Sheet:
    match = {**ON_GPUS, "machine": machine}
    measured = {row.get("ranks") for row in rows if Wanted("", match).takes(row)}
    ranks = [number for number in RANKS if number in measured] or [1, 2]
    bf16 = {row.get("ranks") for row in rows if Wanted("", {**match, "subject": BF16}).takes(row)}

    def column(subject: str, count: int, what: str = "", kind: str = MEASURED) -> Wanted:
        wanted = {**match, "subject": subject, "ranks": count}
        return Wanted(f"{_ranks(count)}{what}", wanted, kind, by=())

    made = sheet(
        rows,
        f"Several GPUs along time, {named(machine)}",
        {"layers": "layers", "width": "width", "batch": "batch", "T": "steps"},
        [
            *(column(OURS, count) for count in ranks),
            *(column(BF16, count, IN_BF16) for count in ranks if count in bf16),
            *(column(BY_BATCH, count, ", by batch") for count in ranks[1:]),
            *(column(MODEL, count, ", pipeline model", MODELLED) for count in ranks[1:]),
        ],
        note="Layers of Linear and LIF in bfloat16, a step as one CUDA graph. Speed-ups are over "
        "the faster variant on one rank, in the same run.",
        plot=Plot(("layers", "width", "batch")),
    )
    columns = {column.head: column for column in made.columns}
    single = columns[_ranks(1)]
    if 1 in bf16:
        single = _faster(single, columns[_ranks(1) + IN_BF16])
    ratios = [ratio(f"speed-up on {n}", single, columns[_ranks(n)]) for n in ranks[1:]]
    ratios += [
        ratio(f"speed-up on {n}{IN_BF16}", single, columns[_ranks(n) + IN_BF16])
        for n in ranks[1:]
        if n in bf16
    ]
    return replace(made, ratios=tuple(ratios))


def _faster(column: Column, other: Column) -> Column:
    """Return a column of the lesser figures of two."""
    cells = (
        min((cell for cell in pair if cell is not None), key=lambda cell: cell.value, default=None)
        for pair in zip(column.cells, other.cells)
    )
    return replace(column, cells=tuple(cells))


def _ranks(count: int) -> str:
    return "1 rank" if count == 1 else f"{count} ranks"


def _ipus(rows: Sequence[Record]) -> Sheet:
    def column(head: str, metric: str, unit: str = "ms", scale: float = 1.0) -> Wanted:
        match = {"suite": "modelled", "metric": metric, "ipus": lambda count: count is not None}
        return Wanted(head, match, MODELLED, by=(), unit=unit, scale=scale)

    return sheet(
        rows,
        "Weak scaling over IPUs",
        {"IPUs": "ipus", "layers": "layers", "batch": "batch"},
        [
            column("training step of T=10", "train_step_ms"),
            column("time step", "cycles_per_timestep", "cycles"),
            column("efficiency", "weak_scaling_efficiency", "%", 100.0),
        ],
        note="The published weak scaling: 12 layers of 984 neurons an IPU, a cap of 5 %, fixed "
        "activity, on Bow IPUs. Efficiency is the cycles on one IPU over those on several.",
        plot=Plot(("IPUs",), y="cycles", log_x=True),
    )
