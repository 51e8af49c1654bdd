"""Savings of exchanges sized to their lists, modelled on an emulated IPU, not measured."""

from __future__ import annotations

from bench.modelled import row
from bench.rows import Row
from popsnn import profiling

LIMIT = "places that exchanges carry, entries or not"

# Preset, capacity as a fraction of the neurons, activity.
CASES = (
    ("nmnist-h2", 0.05, "fixed"),
    ("nmnist-h2", 0.05, "natural"),
    ("nmnist-h2", 0.1, "natural"),
    ("nmnist-h2", 0.2, "natural"),
    ("nmnist-h2", 0.5, "natural"),
    ("shd-h2", 0.1, "natural"),
    ("shd-h2", 0.2, "natural"),
    ("shd-h2", 0.5, "natural"),
)


def run() -> list[Row]:
    """Profile each case with whole lists, and with the sizes that the planner chooses."""
    rows = []
    for preset, max_activity, activity in CASES:
        for device in ("bow:sizes=1", "bow"):
            report = profiling.profile_preset(
                preset, device, max_activity=max_activity, activity=activity
            )
            forward, backward = report.measured.sizes
            longest = max(layer.longest for layer in report.measured.layers)
            case = {
                "preset": preset,
                "max_activity": max_activity,
                "activity": activity,
                "device": device,
                "sizes": [forward, backward],
                "longest_list": longest,
            }
            moved = exchange(report)
            print(
                f"  {preset} {max_activity:.0%} {activity}, longest list {longest}, sizes "
                f"{forward} and {backward}: {moved:,.0f} cycles of exchange, "
                f"{report.cycles_per_timestep:,.0f} in all (modelled)"
            )
            cycles = {
                "exchange_cycles_per_timestep": moved,
                "cycles_per_timestep": report.cycles_per_timestep,
            }
            rows += [
                row("list_sizes", case, metric, value, limit=LIMIT)
                for metric, value in cycles.items()
            ]
    return rows


def exchange(report: profiling.Report) -> float:
    """Cycles of a time step in exchanges, in partial sums of tiles, and in the choice of a size."""
    cycles = 0.0
    for phase in report.looped:
        base = phase.of_any_size
        if base.endswith("/reduce"):
            cycles += (phase.exchange + phase.compute) * phase.runs
        elif base == "branch" or base.endswith(("/list_sizes", "/size")):
            cycles += phase.cycles * phase.runs
        else:
            cycles += phase.exchange * phase.runs
    return cycles / report.measured.steps
