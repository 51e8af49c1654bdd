"""Modelled cost of delays on an emulated IPU, not measured: a published network with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Dict, Iterator, NamedTuple

import torch

from bench.modelled import row
from bench.rows import Row
from popsnn import devices, profiling
from popsnn.nn import Delays
from popsnn.profiling.models import network
from popsnn.profiling.presets import PRESETS

PRESET = "nmnist-h2"
CAPACITIES = (0.01, 0.05)  # fractions of a layer's neurons
BETWEEN = (0.02, 0.03)  # of these, designs of axonal delays alone
LONGEST = 16  # time steps


class Kind(NamedTuple):
    """Delays of a layer's inputs, neurons or weights, by their numbers, and how a device has them.

    One step, or drawn from 1 to the longest.
    """

    delays_of: Callable[[int, int], int | Delays]
    rows_ahead: bool | str = "auto"


def _axonal(inputs: int, neurons: int) -> Delays:
    return Delays("axonal", LONGEST, _whole(inputs), minimum=1)


KINDS: Dict[str, Kind] = {
    "delay=1": Kind(lambda inputs, neurons: 1),
    "axonal": Kind(_axonal),
    "axonal, rows ahead": Kind(_axonal, rows_ahead=True),
    "axonal, lists of arrivals": Kind(_axonal, rows_ahead=False),
    # Then every list of arrivals is as long as the list that fired.
    "axonal, equal, lists of arrivals": Kind(
        lambda inputs, neurons: Delays(
            "axonal", LONGEST, torch.full((inputs,), float(LONGEST)), minimum=1
        ),
        rows_ahead=False,
    ),
    "axonal, learnt": Kind(
        lambda inputs, neurons: Delays(
            "axonal", LONGEST, learn=True, minimum=1, spread="straight_through"
        )
    ),
    "synaptic": Kind(
        lambda inputs, neurons: Delays("synaptic", LONGEST, _whole(neurons, inputs), minimum=1)
    ),
    "dendritic": Kind(
        lambda inputs, neurons: Delays("dendritic", LONGEST, _whole(neurons), minimum=1)
    ),
    "dendritic, learnt": Kind(lambda inputs, neurons: Delays("dendritic", LONGEST, learn=True)),
}


DESIGNS = ("delay=1", "axonal", "axonal, rows ahead", "axonal, lists of arrivals")


def _whole(*size: int) -> torch.Tensor:
    return torch.randint(1, LONGEST + 1, size).float()


def run() -> Iterator[Row]:
    """Profile the network with full lists, and its layers but the first with delays."""
    preset = PRESETS[PRESET]
    for max_activity in sorted((*CAPACITIES, *BETWEEN)):
        without = 0.0
        for name, kind in KINDS.items():
            if max_activity in BETWEEN and name not in DESIGNS:
                continue
            torch.manual_seed(0)
            net = network(preset, max_activity, "fixed")
            for layer in net.stack[1:]:
                layer.delay = kind.delays_of(layer.in_features, layer.out_features)
            report = profiling.profile(
                net,
                replace(devices.parse("bow"), rows_ahead=kind.rows_ahead),
                steps=preset.steps,
                batch=preset.batch,
                input_capacity=preset.input_capacity,
            )
            cycles = report.cycles_per_timestep
            without = without or cycles
            case = {
                "preset": PRESET,
                "max_activity": max_activity,
                "delays": name,
                "longest": 1 if name == "delay=1" else LONGEST,
                "sizes": list(report.measured.sizes),
            }
            print(
                f"  {PRESET} {max_activity:.0%}, {name}: {cycles:,.0f} cycles a time step, "
                f"{cycles / without:.2f} times those of delay=1 (modelled)",
                flush=True,
            )
            yield row(
                "modelled_delays", case, "cycles_per_timestep", cycles, peak=report.tile_bytes_max
            )
