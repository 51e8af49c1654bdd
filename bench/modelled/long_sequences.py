"""Modelled cycles of 20,000 time steps by checkpoint intervals of the host, not measured.

The published network of two hidden layers with a capacity of 5 %. The forward pass of each interval
but the last runs twice, from a state that the host sends. Cycles contain what streams to the host
and back: states, weights before each pass, and the weights' gradients after it. They are compared
with a time step of the published sequence of 100, whose states all fit, without its update.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Iterator

from bench.modelled import row
from bench.rows import Row
from popsnn import devices
from popsnn.engines.ipu_delays import delay_arrays
from popsnn.profiling.measure import measure
from popsnn.profiling.models import describe, network, neurons, weights
from popsnn.profiling.presets import PRESETS

PRESET, MAX_ACTIVITY = "nmnist-h2", 0.05
STEPS = 20_000
INTERVALS = (200, 300, 400)
BAR = 1.6  # times the cycles of a time step of the published sequence


def cycles(steps: int, interval: bool) -> Dict[str, float]:
    """Return the cycles of each program of a pass of so many steps."""
    preset = PRESETS[PRESET]
    net = network(preset, MAX_ACTIVITY, "fixed")
    spec = describe(net, steps, preset.batch, preset.input_capacity)
    if interval:  # an optimizer of torch
        spec = replace(spec, carries_state=True, optimizer="none")
    arrays = (weights(net), neurons(net), delay_arrays(net))
    measured = measure(spec, devices.parse("bow"), *arrays, net.in_features)
    result = {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for phase in measured.phases:
        result[phase.program] += phase.cycles * phase.runs
    return result


def run() -> Iterator[Row]:
    """Profile the published sequence, and passes of each interval."""
    preset = PRESETS[PRESET]
    whole = cycles(preset.steps, interval=False)
    published = (whole["forward"] + whole["backward"]) / preset.steps
    for interval in INTERVALS:
        programs = cycles(interval, interval=True)
        repeated = programs["forward"] * (STEPS / interval - 1) / (STEPS / interval)
        per_step = (programs["forward"] + programs["backward"] + repeated) / interval
        case = {
            "preset": PRESET,
            "max_activity": MAX_ACTIVITY,
            "steps": STEPS,
            "checkpoint_interval": interval,
        }
        print(
            f"  {PRESET}, {STEPS} steps in intervals of {interval}: {per_step:,.0f} cycles a time "
            f"step, {per_step / published:.2f} times the {published:,.0f} of {preset.steps} steps "
            f"(modelled; bar {BAR})",
            flush=True,
        )
        yield row("modelled_long_sequences", case, "cycles_per_timestep", per_step)
