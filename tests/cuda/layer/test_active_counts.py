from __future__ import annotations

import math

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt

from popsnn.cuda.layer import active_counts as counting


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize(("steps", "batch", "size"), [(3, 2, 136), (5, 3, 33), (0, 2, 8)])
@pytest.mark.parametrize("threshold", [0.3, -math.inf])
def test_counts_are_those_of_the_definition(
    kernels: Engine, dtype: torch.dtype, steps: int, batch: int, size: int, threshold: float
) -> None:
    membrane = torch.randn(steps, batch, size)
    spikes = (torch.rand(steps, batch, size) < 0.3).to(dtype)
    if steps:
        membrane[0, 0, 0], spikes[0, 0, 0] = math.nan, 0.0  # it is not below
        membrane[1, 0, 1], spikes[1, 0, 1] = -9.0, 1.0
    counts = counting.active_counts(
        spikes.to(kernels.device), membrane.to(kernels.device), threshold
    )
    fired = spikes != 0
    active = fired | ~(membrane < threshold)
    expected = torch.stack([fired.sum(-1), active.sum(-1)], -1).int()
    assert torch.equal(counts.cpu(), expected)
    assert kernels.launched in ([], ["active_counts"])


def test_a_row_that_is_not_aligned(kernels: Engine) -> None:
    both = torch.rand(2 * 3 * 8 + 1, device=kernels.device)[1:].view(2, 3, 8)
    counts = counting.active_counts((both > 0.5).float(), both, 0.25)
    assert torch.equal(counts[..., 1], (both >= 0.25).sum(-1).int())


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    assert constants(header("layer/active_counts"))["kActiveCountsThreads"] == counting.THREADS


@pytest.mark.parametrize("vector", [1, 4])
def test_compiles(vector: int) -> None:
    assert most_spilt(counting.source(torch.bfloat16, vector), "sm_80") == 0
