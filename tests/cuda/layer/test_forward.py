"""Neurons with a capacity limit, and the next steps of dropped neurons."""

from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine

from popsnn._internal.compaction import begins, keep
from popsnn.cuda.layer import launch as layer_launch
from popsnn.cuda.layer.launch import ACTIVE, FIRED, DropSeed, Neurons
from popsnn.cuda.layer.padded_rows import padded
from popsnn.functional import neuron

BATCH, SEED, LAYER, FIRST_STEP, GRAD_THRESHOLD = 2, 5, 1, 3, 0.75


def neurons(size: int, capacity: int) -> Neurons:
    """Return neurons that add up their currents without decay, so that no sum is rounded."""
    return Neurons(
        neuron=str(neuron.LIF("zero", True).cuda_source), states=2, spiking=True, size=size,
        tensor_indices=(), values=(1.0, 1.0), shape="using Shape = popsnn::Rectangle;",
        surrogate=1.0, grad_threshold=GRAD_THRESHOLD, gain=1.0, capacity=capacity,
        product=torch.float32, spikes=torch.float32,
    )  # fmt: skip


def definition(x: torch.Tensor, capacity: int) -> tuple[torch.Tensor, ...]:
    """Return membranes, spikes and flags [T, B, N], counts and dropped [T, B, 2]."""
    steps, batch, size = x.shape
    begin = begins(SEED, LAYER, FIRST_STEP, steps, batch, size)
    v, spikes = torch.zeros_like(x[0]), torch.zeros_like(x[0])
    result = []
    for t in range(steps):
        v = torch.where(spikes > 0, 0.0, v) + x[t]
        kept = keep(v >= 1.0, (v >= GRAD_THRESHOLD) & (v < 1.0), capacity, begin[t])
        spikes = kept.fired.float()
        flags = kept.fired * (FIRED | ACTIVE) + kept.subthreshold * ACTIVE
        fired, subthreshold = kept.fired.sum(-1), kept.subthreshold.sum(-1)
        result.append(
            (v, spikes, flags, torch.stack([fired, fired + subthreshold], -1), kept.dropped)
        )
    return tuple(torch.stack(tensor) for tensor in zip(*result))


@pytest.mark.parametrize(
    ("size", "steps", "capacity", "pieces", "crowded"),
    [
        (70, 45, 60, 1, (0.0, 0.0)),
        (70, 45, 70, 2, (0.0, 0.0)),
        (70, 45, 22, 2, (0.05, 0.5)),
        (70, 45, 3, 1, (0.9, 1.0)),
        (2060, 11, 600, 1, (0.05, 0.5)),
    ],
    ids=["room", "free", "some", "crowd", "wide"],
)
def test_places_over_many_steps(
    layer_kernels: Engine,
    size: int,
    steps: int,
    capacity: int,
    pieces: int,
    crowded: tuple[float, float],  # least and most fraction of the lists from which spikes drop
) -> None:
    generator = torch.Generator().manual_seed(size + capacity)
    x = torch.randint(-4, 16, (steps, BATCH, size), generator=generator) / 32
    x += 0.25 * (torch.rand(steps, BATCH, 1, generator=generator) < 0.1)  # many fire at once
    expected = definition(x, capacity)
    dropped = (expected[-1][..., 0] > 0).float().mean()
    assert crowded[0] <= dropped <= crowded[1]
    membrane = torch.zeros(steps, BATCH, padded(size))
    membrane[..., :size] = x
    membrane = membrane.to(layer_kernels.device)
    of = neurons(size, capacity)
    out = layer_launch.outputs(of, membrane)
    cuts = [steps * i // pieces for i in range(pieces + 1)]
    for begin, end in zip(cuts, cuts[1:]):
        layer_launch.forward_into(
            out, of, DropSeed(SEED, None, LAYER, FIRST_STEP), membrane, 0, None, (), (), begin, end
        )
    for mine, other in zip((membrane, *out), expected):
        assert torch.equal(mine.cpu()[..., : other.shape[-1]], other.to(mine.dtype))
