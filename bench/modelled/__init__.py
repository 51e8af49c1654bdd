"""Modelled cost of the published networks on emulated IPUs: nothing here is measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator, Mapping

from bench.networks.published import CAP, NETWORKS, WIDTH, scaled
from bench.rows import Row
from popsnn import profiling
from popsnn.profiling.models import network
from popsnn.profiling.presets import PRESETS

MACHINE = "Bow IPU, modelled"
ESTIMATES = "the busiest tile of each compute set, by the codelets' estimates"

# The published multi-IPU networks: 8 neurons of a layer on a tile, 12 layers an IPU.
SCALING_IPUS = (1, 2, 4, 8, 16)
LAYERS_PER_IPU = 12


def published() -> Iterator[Row]:
    """Profile the twelve configurations of the published log, and the other published networks.

    Each with full lists ("fixed"), as the log's programs had them almost surely, and with weights
    as those programs draw them ("natural").
    """
    for name, max_activity in NETWORKS:
        for activity in ("fixed", "natural"):
            yield from configuration(name, max_activity, activity)


def configuration(name: str, max_activity: float, activity: str) -> Iterator[Row]:
    """Profile a published network."""
    report = profiling.profile_preset(name, "bow", max_activity=max_activity, activity=activity)
    preset = PRESETS[name]
    case = {
        "preset": name,
        "max_activity": max_activity,
        "activity": activity,
        "batch": preset.batch,
        "T": preset.steps,
    }
    published_ms = report.published_ms if activity == "fixed" else None
    published = f"{published_ms:.2f} in the published log, " if published_ms else ""
    print(
        f"  {name} {max_activity:.0%}, {activity}: {report.cycles_per_timestep:,.0f} cycles a time "
        f"step, {report.step_ms:.2f} ms, {report.tile_bytes_max:,} bytes on the fullest tile "
        f"({published}modelled here)",
        flush=True,
    )
    largest = report.tile_bytes_max
    yield row("modelled", case, "cycles_per_timestep", report.cycles_per_timestep, peak=largest)
    yield row("modelled", case, "train_step_ms", report.step_ms, peak=largest)
    if published_ms:
        yield replace(
            row("modelled", case, "train_step_ms", published_ms),
            subject="published log, 2022-09-12",
            limit=None,
            modelled=False,
            machine="one IPU, almost surely a Bow",
            versions={"poplar": "2.6.0"},
        )


def weak_scaling() -> Iterator[Row]:
    """Profile the published weak scaling: as many layers more as there are IPUs more."""
    first = 0.0
    for ipus in SCALING_IPUS:
        layers = LAYERS_PER_IPU * ipus
        preset = scaled(layers)
        net = network(preset, CAP, "fixed")
        report = profiling.profile(
            net,
            f"bow:ipus={ipus}",
            steps=preset.steps,
            batch=preset.batch,
            input_capacity=preset.input_capacity,
            emulated_steps=2,
        )
        first = first or report.cycles_per_timestep
        efficiency = first / report.cycles_per_timestep
        case = {"ipus": ipus, "layers": layers, "width": WIDTH, "batch": 24, "max_activity": CAP}
        print(
            f"  {ipus} IPUs, {layers * WIDTH:,} hidden neurons: "
            f"{report.cycles_per_timestep:,.0f} cycles a time step, {efficiency:.0%}; "
            f"{report.step_ms:.3f} ms a training step of T={preset.steps}, "
            f"{report.tile_bytes_max:,} bytes on the fullest tile (modelled)",
            flush=True,
        )
        cycles, largest = report.cycles_per_timestep, report.tile_bytes_max
        yield row("modelled", case, "cycles_per_timestep", cycles, peak=largest)
        yield row("modelled", case, "weak_scaling_efficiency", efficiency)
        step = {**case, "T": preset.steps}
        yield row("modelled", step, "train_step_ms", report.step_ms, peak=largest)


def run() -> Iterator[Row]:
    """Run both tables; `delays`, `calibration` and `long_sequences` are suites of their own."""
    yield from published()
    yield from weak_scaling()


def row(
    suite: str,
    case: Mapping[str, object],
    metric: str,
    value: float,
    *,
    dtype: str = "float32",
    peak: int | None = None,
    limit: str = ESTIMATES,
) -> Row:
    """Return one row of a suite.

    Parameters
    ----------
    suite, metric, limit : str
    case : mapping
    value : float
    dtype : str
        Of the weights.
    peak : int, optional
        Bytes on the fullest tile.
    """
    return Row(
        suite=suite,
        case=case,
        subject="popsnn-ipu",
        dtype=dtype,
        metric=metric,
        median=value,
        min=value,
        max=value,
        runs=1,
        peak_bytes=peak,
        limit=limit,
        modelled=True,
        machine=MACHINE,
    )
