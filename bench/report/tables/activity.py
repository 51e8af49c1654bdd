"""A training step of the published networks: forward, backward and Adam."""

from __future__ import annotations

from typing import Any, Sequence

from bench.networks.published import NETWORKS
from bench.report.reading import Record
from popsnn.profiling.presets import PRESETS

from .sheet import MODELLED, PUBLISHED, Plot, Sheet, Wanted, sheet

PLACE = ("subject", "machine")
INDEX = {"network": "preset", "cap": "max_activity", "T": "T", "batch": "batch"}
NOTES = {
    "fixed": "Every neuron fires at every step, so every capacity is full. The log does not say "
    "how many of its neurons fired; its weights probably filled the capacities.",
    "natural": "Weights are as the published programs initialise them. The model counts a capacity "
    "as full where the graph has one bucket size: there its figures are those of fixed activity.",
}


def sheets(rows: Sequence[Record]) -> list[Sheet]:
    """Return the published networks at both activities, and the first next to dense torch."""
    return [_published(rows, "fixed"), _published(rows, "natural"), _on_gpu(rows), _on_cpu(rows)]


def _published(rows: Sequence[Record], activity: str) -> Sheet:
    match = {"metric": "train_step_ms", "preset": PRESETS.__contains__, "activity": activity}
    columns = [Wanted("popsnn-cuda", {**match, "suite": "network"})]
    if activity == "fixed":
        columns.append(Wanted("published log", {**match, "suite": "modelled"}, PUBLISHED, PLACE))
    match["suite"] = "modelled"
    columns.append(Wanted("popsnn-ipu, Bow IPU", match, MODELLED, by=()))
    columns.append(Wanted("fullest tile", match, MODELLED, (), value="peak_bytes", unit="bytes"))
    return sheet(
        rows,
        f"The published networks, {activity} activity",
        INDEX,
        columns,
        lines=[(name, cap, PRESETS[name].steps, PRESETS[name].batch) for name, cap in NETWORKS],
        note=NOTES[activity],
        plot=Plot(("network", "cap"), log_y=True),
    )


def _on_gpu(rows: Sequence[Record]) -> Sheet:
    match: dict[str, Any] = {
        "suite": "network",
        "metric": "train_step_ms",
        "network": lambda name: name is not None,
    }
    return sheet(
        rows,
        "nmnist-h2 and dense torch on a GPU",
        {"subject": "subject", "type": "dtype", "cap": "max_activity"},
        [Wanted("a GPU", match, by=("machine",)), _memory("a GPU", match)],
        note="Weights that fill the hidden capacities to about 80 %; networks without a cap are "
        "dense.",
    )


def _on_cpu(rows: Sequence[Record]) -> Sheet:
    match = {"suite": "sparse_step", "metric": "train_step_ms", "device": "host"}
    return sheet(
        rows,
        "nmnist-h2 and dense torch on a CPU",
        {"subject": "subject", "cap": "max_activity"},
        [Wanted("a CPU", match, by=("machine",))],
        note="The ipu engine emulated on the host, measured there: no time of an IPU. 1t, 2t: "
        "torch's threads. The cap is the sparse network's; dense networks have none.",
    )


def _memory(head: str, match: dict[str, Any]) -> Wanted:
    by = ("machine",)
    return Wanted(f"peak memory, {head}", match, by=by, value="peak_bytes", unit="GB", scale=1e-9)
