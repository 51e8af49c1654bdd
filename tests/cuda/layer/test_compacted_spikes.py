from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import most_spilt

from popsnn import SpikeTensor
from popsnn.cuda.layer import compacted_spikes
from popsnn.cuda.layer.launch import ACTIVE, FIRED
from popsnn.cuda.layer.padded_rows import padded


@pytest.mark.parametrize(
    ("size", "places", "dtype"),
    [
        (10, 10, torch.float32),
        (70, 40, torch.bfloat16),
        (33, 33, torch.float16),
        (700, 300, torch.bfloat16),
    ],
)
def test_lists_are_those_of_the_masks(
    kernels: Engine, size: int, places: int, dtype: torch.dtype
) -> None:
    kind = torch.rand(3, 2, size)
    fired, subthreshold = kind < 0.2, (kind >= 0.2) & (kind < 0.35)
    rows = torch.zeros(3, 2, padded(size))
    rows[..., :size] = fired.float()
    flags = torch.zeros(rows.shape, dtype=torch.uint8)
    flags[..., :size] = fired * FIRED + (fired | subthreshold) * ACTIVE
    dropped = torch.zeros(3, 2, 2, dtype=torch.int32)
    spikes = rows.to(kernels.device, dtype).requires_grad_()
    expected = SpikeTensor.from_masks(
        spikes[..., :size].float().cpu(), fired, subthreshold, dropped, places
    )
    ids, values = compacted_spikes.compact_spikes(
        spikes, flags.to(kernels.device), expected.counts.to(kernels.device), size, places
    )
    assert torch.equal(ids.cpu(), expected.ids)
    assert torch.equal(values.cpu(), expected.values)
    weights = torch.randn(expected.values.shape)
    (grad,) = torch.autograd.grad(values, spikes, weights.to(kernels.device))
    (expected_grad,) = torch.autograd.grad(expected.values, spikes, weights)
    assert torch.equal(grad, expected_grad)


def test_compiles() -> None:
    assert most_spilt(compacted_spikes.SOURCE, "sm_80") == 0
