"""The time axis in one kernel: a layer over T, next to other libraries, and in a deep network."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence

from bench.report.reading import Record

from .sheet import Plot, Sheet, Wanted, machines, named, ratio, sheet

OURS, LOOP, ONE_THREAD = "popsnn-cuda", "torch-loop", "-one-thread"
SWEEP = tuple(1 << power for power in range(2, 13))
STEPS = (16, 128, 1024)
TYPES = ("float32", "bfloat16", "float16")
LAYER: dict[str, Any] = {"suite": "lif", "metric": "fwd_bwd_ms"}
RESNET: dict[str, Any] = {"suite": "resnet", "metric": "train_step_ms"}


def sheets(rows: Sequence[Record]) -> list[Sheet]:
    """Return the sweep over T, the layer in every library, and Spiking-ResNet-18."""
    return [
        make(rows, machine)
        for make, match in (
            (_monolayer, {**LAYER, "part": "monolayer"}),
            (_elementwise, {**LAYER, "part": "elementwise"}),
            (_resnet, RESNET),
        )
        for machine in machines(rows, Wanted("", match))
    ]


def _monolayer(rows: Sequence[Record], machine: str | None) -> Sheet:
    match = {**LAYER, "part": "monolayer", "machine": machine}
    subjects = [name + end for end in ("", ONE_THREAD) for name in (OURS, LOOP)]
    made = sheet(
        rows,
        f"One layer of 65,536 neurons over T, {named(machine)}",
        {"T": "T"},
        [Wanted(name, {**match, "subject": name}, by=()) for name in subjects],
        lines=[(steps,) for steps in SWEEP],
        note="Forward and backward in float32, next to a loop over the steps in torch. "
        "One-thread: backward runs in the calling thread.",
        plot=Plot(("T",), log_x=True, log_y=True),
    )
    columns = {column.head: column for column in made.columns}
    ratios = tuple(
        ratio(f"loop / popsnn{end}", columns[LOOP + end], columns[OURS + end])
        for end in ("", ONE_THREAD)
    )
    return replace(made, ratios=ratios)


def _elementwise(rows: Sequence[Record], machine: str | None) -> Sheet:
    match = {**LAYER, "part": "elementwise", "machine": machine}
    return sheet(
        rows,
        f"LIF in every library, 2^26 neuron-steps, {named(machine)}",
        {"subject": "subject"},
        [
            Wanted(f"T={steps}, {dtype}", {**match, "T": steps, "dtype": dtype}, by=())
            for dtype in TYPES
            for steps in STEPS
        ],
        note="Forward and backward of 2^26 / T neurons. norse's and snnTorch's neurons are others "
        "than ours, and are only timed.",
    )


def _resnet(rows: Sequence[Record], machine: str | None) -> Sheet:
    match = {**RESNET, "machine": machine}
    return sheet(
        rows,
        f"A training step of Spiking-ResNet-18, {named(machine)}",
        {"subject": "subject", "stem": "stem"},
        [
            Wanted("training step", match, by=()),
            Wanted("peak memory", match, by=(), value="peak_bytes", unit="GB", scale=1e-9),
        ],
        note="T = 32, 100 images of 32 x 32, Adam, autocast to bfloat16.",
    )
