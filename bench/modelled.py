"""Modelled cost of the published networks on emulated IPUs: nothing here is measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Mapping

from bench.rows import Row
from popsnn import profiling
from popsnn.profiling.models import network
from popsnn.profiling.presets import PUBLISHED_MS, Preset

MACHINE = "Bow IPU, modelled"
ESTIMATES = "the busiest tile of each compute set, by the codelets' estimates"

# The published multi-IPU networks: 8 neurons of 984-wide layers on a tile, 12 layers an IPU.
SCALING_IPUS = (1, 2, 4, 8, 16)
LAYERS_PER_IPU = 12
WIDTH = 984


def published() -> list[Row]:
    """Profile the twelve configurations of the published log."""
    rows = []
    for (name, activity), published_ms in PUBLISHED_MS.items():
        report = profiling.profile_preset(name, "bow", max_activity=activity)
        case = {
            "preset": name,
            "max_activity": activity,
            "activity": "fixed",
            "batch": 48,
            "T": 100,
        }
        print(
            f"  {name} {activity:.0%}: {report.cycles_per_timestep:,.0f} cycles a time step, "
            f"{report.step_ms:.2f} ms ({published_ms:.2f} in the published log, modelled here)"
        )
        rows += [
            row("modelled", case, "cycles_per_timestep", report.cycles_per_timestep),
            row("modelled", case, "train_step_ms", report.step_ms, peak=report.tile_bytes_max),
            replace(
                row("modelled", case, "train_step_ms", published_ms),
                subject="published log, 2022-09-12",
                modelled=False,
                machine="one IPU, almost surely a Bow",
                versions={"poplar": "2.6.0"},
            ),
        ]
    return rows


def weak_scaling() -> list[Row]:
    """Profile the published weak scaling: as many layers more as there are IPUs more."""
    rows = []
    first = 0.0
    for ipus in SCALING_IPUS:
        layers = LAYERS_PER_IPU * ipus
        preset = Preset("shd-scaling", 700, (WIDTH,) * layers, 20, 10, 48, 24)
        net = network(preset, 0.05, "fixed")
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
        case = {"ipus": ipus, "layers": layers, "width": WIDTH, "batch": 24, "max_activity": 0.05}
        print(
            f"  {ipus} IPUs, {layers * WIDTH:,} hidden neurons: "
            f"{report.cycles_per_timestep:,.0f} cycles a time step, {efficiency:.0%}; "
            f"{report.step_ms:.3f} ms a training step of T={preset.steps} (modelled)"
        )
        rows += [
            row(
                "modelled",
                case,
                "cycles_per_timestep",
                report.cycles_per_timestep,
                peak=report.tile_bytes_max,
            ),
            row("modelled", case, "weak_scaling_efficiency", efficiency),
            row("modelled", {**case, "T": preset.steps}, "train_step_ms", report.step_ms),
        ]
    return rows


def run() -> list[Row]:
    """Run both tables."""
    return published() + weak_scaling()


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
    """Return one row of a suite; `dtype` is that of the weights."""
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
