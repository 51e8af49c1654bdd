"""Modelled cost of delays on an emulated IPU, not measured: a published network with them."""

from __future__ import annotations

from typing import Callable, Dict, Iterator

import torch

from bench.modelled import row
from bench.rows import Row
from popsnn import profiling
from popsnn.nn import Delays
from popsnn.profiling.models import network
from popsnn.profiling.presets import PRESETS

PRESET = "nmnist-h2"
CAPACITIES = (0.01, 0.05)  # fractions of a layer's neurons
LONGEST = 16  # time steps

# Delays of a layer's inputs, neurons or weights: one step, or drawn from 1 to the longest.
KINDS: Dict[str, Callable[[int, int], int | Delays]] = {
    "delay=1": lambda inputs, neurons: 1,
    "axonal": lambda inputs, neurons: Delays("axonal", LONGEST, _whole(inputs), minimum=1),
    "axonal, learnt": lambda inputs, neurons: Delays(
        "axonal", LONGEST, learn=True, minimum=1, spread="straight_through"
    ),
    "synaptic": lambda inputs, neurons: Delays(
        "synaptic", LONGEST, _whole(neurons, inputs), minimum=1
    ),
    "dendritic": lambda inputs, neurons: Delays("dendritic", LONGEST, _whole(neurons), minimum=1),
    "dendritic, learnt": lambda inputs, neurons: Delays("dendritic", LONGEST, learn=True),
}


def _whole(*size: int) -> torch.Tensor:
    return torch.randint(1, LONGEST + 1, size).float()


def run() -> Iterator[Row]:
    """Profile the network with full lists, and its layers but the first with delays."""
    preset = PRESETS[PRESET]
    for max_activity in CAPACITIES:
        without = 0.0
        for kind, delays_of in KINDS.items():
            torch.manual_seed(0)
            net = network(preset, max_activity, "fixed")
            for layer in net.stack[1:]:
                layer.delay = delays_of(layer.in_features, layer.out_features)
            report = profiling.profile(
                net,
                "bow",
                steps=preset.steps,
                batch=preset.batch,
                input_capacity=preset.input_capacity,
            )
            cycles = report.cycles_per_timestep
            without = without or cycles
            case = {
                "preset": PRESET,
                "max_activity": max_activity,
                "delays": kind,
                "longest": 1 if kind == "delay=1" else LONGEST,
                "sizes": list(report.measured.sizes),
            }
            print(
                f"  {PRESET} {max_activity:.0%}, {kind}: {cycles:,.0f} cycles a time step, "
                f"{cycles / without:.2f} times those of delay=1 (modelled)",
                flush=True,
            )
            yield row(
                "modelled_delays", case, "cycles_per_timestep", cycles, peak=report.tile_bytes_max
            )
