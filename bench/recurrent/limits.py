"""Least time of a recurrent layer that reads the weights of active neurons alone.

A time step forward needs the weights of the neurons that fired in any sample of the step before,
and backward those of its own neurons whose spikes have a gradient in any sample. These unions are
counted, and their bytes divided by the memory's bandwidth. Weights of up to 4,096 neurons fit
the L2 of an H200, and may be read faster than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List

import torch
from torch import Tensor

from .work import GATE

HOP = 3e-6  # seconds from a neuron's step in a block to that of its target in another
WEIGHT_BYTES = 2  # of bfloat16


@dataclass(frozen=True)
class Unions:
    """Numbers of neurons whose weights are read, of each time step but one."""

    forward: List[int]  # that fired in any sample
    backward: List[int]  # whose spikes have a gradient in any sample


def unions(spikes: Tensor, v: Tensor) -> Unions:
    """Count the unions over the samples of spikes and membranes [T, B, N]."""
    fired = (spikes[:-1] > 0).any(1).sum(-1)  # the last spikes reach no step
    active = (v[:-1] >= GATE).any(1).sum(-1)  # no step sends gradients to the last
    return Unions(fired.tolist(), active.tolist())


@dataclass(frozen=True)
class Ceilings:
    """Largest rates of the GPU, measured in the same run."""

    bandwidth: float  # bytes a second of a copy, read and written
    products: float  # operations a second of a large product in bfloat16


def measured() -> Ceilings:
    """Measure the ceilings of this GPU."""
    from bench import gpu

    size = 8192
    a, b = torch.randn(2, size, size, device="cuda", dtype=torch.bfloat16).unbind()
    out = torch.empty_like(a)
    times = gpu.milliseconds(lambda: torch.mm(a, b, out=out))
    return Ceilings(
        1e9 * gpu.copy_bandwidth(), 2 * size**3 / (1e-3 * sorted(times)[len(times) // 2])
    )


def seconds(
    neurons: int, batch: int, counted: Unions, most: Ceilings, backward: bool = True
) -> Dict[str, float]:
    """Return the least seconds of each part of a pass forward, and backward with all gradients."""
    row, matrix = WEIGHT_BYTES * neurons, WEIGHT_BYTES * neurons**2
    parts = {
        "transposed copy": 2 * matrix / most.bandwidth,
        "forward rows": sum(counted.forward) * row / most.bandwidth,
        "forward hops": HOP * len(counted.forward),
    }
    if backward:
        operations = 2 * len(counted.backward) * batch * neurons**2
        parts["backward rows"] = sum(counted.backward) * row / most.bandwidth
        parts["backward hops"] = HOP * len(counted.backward)
        parts["weights' gradient"] = max(matrix / most.bandwidth, operations / most.products)
    return parts


def sentence(neurons: int, counted: Unions, most: Ceilings, parts: Dict[str, float]) -> str:
    """Return a row's limit: unions, ceilings, parts and their sum."""
    fractions = ", ".join(
        f"{name} {100 * sum(counts) / len(counts) / neurons:.1f} %"
        for name, counts in (("forward", counted.forward), ("backward", counted.backward))
    )
    times = " + ".join(f"{name} {1e3 * value:.3f}" for name, value in parts.items())
    return (
        f"unions of the samples {fractions}; {most.bandwidth / 1e12:.2f} TB/s, "
        f"{most.products / 1e12:.0f} TFLOP/s, {1e6 * HOP:.0f} us a hop: {times} = "
        f"{1e3 * sum(parts.values()):.3f} ms"
    )
