"""Cycles that a device counts itself: those of a chip are measured, those of a model modelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict

from .. import devices
from .._internal.native import native
from .._internal.paths import codelets_path
from ..engines.ipu_delays import delay_arrays
from .measure import PROGRAMS, begin, run_program
from .models import describe, network, neurons, weights
from .presets import ACTIVITY, preset_of

WARM_UP = 1  # calls before the one that counts


@dataclass(frozen=True)
class Counted:
    """Cycles of a published network's training step, as tile 0 of the device counts them.

    Parameters
    ----------
    device : str
    measured : bool
        Whether a chip counted; else a model of one.
    steps : int
        Time steps.
    cycles : dict of int
        By program, forward, backward and update: with streams from the host, without those that
        bring results to it at the end.
    """

    device: str
    measured: bool
    steps: int
    cycles: Dict[str, int]


def count_preset(
    name: str,
    device: devices.DeviceLike = "hardware",
    *,
    max_activity: float = ACTIVITY,
    steps: int = 8,
    seed: int = 0,
) -> Counted:
    """Run a published network's training step and return the cycles that the device counted.

    Parameters
    ----------
    name : str
        One of `PRESETS`.
    device : str or Device
    max_activity : float
        Fraction of a layer's neurons that its capacity is of; every list is full.
    steps : int
        Time steps.
    seed : int
        Draws the weights and the input.

    Raises
    ------
    ValueError
        Where there is no such preset.
    RuntimeError
        Where the network does not fit on the device, or where it has no free IPUs.
    """
    preset, where = preset_of(name), devices.parse(device)
    net = network(preset, max_activity, "fixed", seed, None)
    spec = describe(net, steps, preset.batch, preset.input_capacity)
    runner = native().Runner(spec, str(codelets_path()), **where.native(), count_cycles=True)
    values = begin(
        runner, spec, weights(net), neurons(net), delay_arrays(net), net.in_features, seed
    )
    for _ in range(WARM_UP + 1):
        cycles = {}
        for program in PROGRAMS:
            low, high = run_program(runner, program, values)["cycles"]
            cycles[program] = int(low) + (int(high) << 32)
    chip = where.model == devices.HARDWARE and native().poplar_hash() != "emulated"
    return Counted(str(where), chip, steps, cycles)
