"""Modelled cost of training steps on IPUs, which `popsnn profile` prints, and counts of operations.

Cycles and bytes are the emulated device's model of the graph that a real one would run; nothing
here is a measurement. `neurobench` counts synaptic operations.
"""

from __future__ import annotations

from typing import Optional

import torch

from .. import devices, nn
from ..engines.ipu_delays import delay_arrays
from .measure import layout, measure
from .models import ACTIVITIES, describe, network, neurons, weights
from .neurobench import NeuroBench, neurobench
from .presets import ACTIVITY, PRESETS, preset_of
from .report import Report

__all__ = [
    "ACTIVITIES",
    "PRESETS",
    "NeuroBench",
    "Report",
    "neurobench",
    "profile",
    "profile_preset",
]

EMULATED_STEPS = 8


def profile(
    net: nn.SNN,
    device: devices.DeviceLike,
    *,
    steps: int,
    batch: int,
    input_capacity: int,
    emulated_steps: int = EMULATED_STEPS,
    title: str = "network",
    seed: int = 0,
) -> Report:
    """Return the modelled cost of a training step with Adam on the device.

    Parameters
    ----------
    net : nn.SNN
        With its weights: they decide who spikes.
    device : str or Device
        As `devices.parse` takes it.
    steps, batch, input_capacity : int
        T, B, and input spikes of a sample and step.
    emulated_steps : int
        Time steps that run on the emulated device; times are scaled to T. All of them run where
        the plan keeps the states of a checkpoint interval and recomputes the others, or where
        exchanges are compiled for several sizes of lists.
    title : str
    seed : int
        Draws the input.

    Raises
    ------
    RuntimeError
        Where the network does not fit on the device.
    """
    return _profile(
        net, device, steps, batch, input_capacity, emulated_steps, title, "natural", seed=seed
    )


def profile_preset(
    name: str,
    device: devices.DeviceLike = "bow",
    *,
    max_activity: float = ACTIVITY,
    activity: str = "fixed",
    batch: Optional[int] = None,
    emulated_steps: int = EMULATED_STEPS,
    weight_dtype: Optional[torch.dtype] = None,
    seed: int = 0,
) -> Report:
    """Return the modelled cost of a published network's training step.

    Parameters
    ----------
    name : str
        One of `PRESETS`.
    device : str or Device
    max_activity : float
        Fraction of a layer's neurons that its capacity is of.
    activity : {"fixed", "natural"}
        Whether every list is full, or weights are as the published programs draw them.
    batch : int, optional
        Default: the preset's.
    emulated_steps : int
    weight_dtype : torch.dtype, optional
        torch.float16 for weights of 16 bits; default float32.
    seed : int

    Raises
    ------
    ValueError
        Where there is no such preset or activity.
    RuntimeError
        Where the network does not fit on the device.
    """
    preset = preset_of(name)
    if activity not in ACTIVITIES:
        wanted = " or ".join(ACTIVITIES)
        raise ValueError(f"profile: activity: expected {wanted}, got {activity!r}")
    in_log = batch in (None, preset.batch) and weight_dtype is None
    return _profile(
        network(preset, max_activity, activity, seed, weight_dtype),
        device,
        preset.steps,
        preset.batch if batch is None else batch,
        preset.input_capacity,
        emulated_steps,
        name if weight_dtype is None else f"{name}, weights {weight_dtype}",
        activity,
        max_activity=max_activity,
        published_ms=preset.published_ms(max_activity) if in_log else None,
        seed=seed,
    )


def _profile(
    net: nn.SNN,
    device: devices.DeviceLike,
    steps: int,
    batch: int,
    input_capacity: int,
    emulated_steps: int,
    title: str,
    activity: str,
    *,
    max_activity: Optional[float] = None,
    published_ms: Optional[float] = None,
    seed: int,
) -> Report:
    where = devices.parse(device)
    whole = layout(describe(net, steps, batch, input_capacity), where)
    # Steps are alike unless some are worked out again, or take another size of lists.
    alike = whole.segment >= steps and whole.sizes == (1, 1)
    run = min(steps, emulated_steps) if alike else steps
    measured = measure(
        describe(net, run, batch, input_capacity),
        where,
        weights(net),
        neurons(net),
        delay_arrays(net),
        net.in_features,
        planned_steps=steps,
        seed=seed,
    )
    return Report(
        title,
        str(where),
        activity,
        max_activity,
        steps,
        measured,
        whole.tile_bytes,
        published_ms,
        whole.code_bytes,
    )
