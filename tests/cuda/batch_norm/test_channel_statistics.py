from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import most_spilt
from torch import Tensor

from popsnn.cuda.batch_norm import channel_statistics

DTYPES = [torch.float32, torch.bfloat16, torch.float16]
SHAPES = [  # rows, channels, inner
    (1, 8, 1), (2, 8, 1), (7, 16, 1), (3000, 8, 1), (2500, 64, 1), (1, 3, 8), (300, 5, 16),
]  # fmt: skip
EPS, MOMENTUM = 1e-5, 0.25


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("learnt", [False, True])
def test_statistics_are_those_of_torch(
    kernels: Engine, shape: tuple[int, int, int], dtype: torch.dtype, learnt: bool
) -> None:
    rows, channels, inner = shape
    count = rows * inner
    x = (torch.randn(shape) * 2 + 5).to(kernels.device, dtype)
    weight, bias, mean, var = torch.rand(4, channels, device=kernels.device) + 0.5
    own: tuple[Tensor | None, ...] = (weight, bias) if learnt else (None, None)
    wide = x.double().transpose(1, 2).reshape(count, channels)
    exact_mean, exact_var = wide.mean(0), wide.var(0, correction=0)
    invstd = (exact_var + EPS).rsqrt()
    scale = invstd * weight.double() if learnt else invstd
    shift = (bias.double() if learnt else 0) - exact_mean * scale
    unbiased = exact_var * count / max(1, count - 1)
    moved = [old.double().lerp(new, MOMENTUM) for old, new in ((mean, exact_mean), (var, unbiased))]
    assert channel_statistics.fits(x, channels, (*own, mean, var), inner)
    got = channel_statistics.statistics(x, *own, (mean, var), channels, MOMENTUM, EPS, inner)
    for tensor, exact in zip((*got, mean, var), (exact_mean, invstd, scale, shift, *moved)):
        torch.testing.assert_close(tensor.double(), exact, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("partials", [1, 32])
def test_gradients_of_a_channel(kernels: Engine, partials: int) -> None:
    sums = torch.randn(partials, 2, 24, device=kernels.device)
    mean, invstd, scale = torch.rand(3, 24, device=kernels.device) + 0.5
    count = 100.0
    got = channel_statistics.gradients(sums, sums, mean, invstd, scale, count)
    total, total_x = sums.double().sum(0)
    slope = -scale.double() * invstd.double() ** 2 * total_x / count
    offset = -scale.double() * total / count - slope * mean.double()
    for tensor, exact in zip(got, (total, total_x * invstd.double(), slope, offset)):
        torch.testing.assert_close(tensor.double(), exact, rtol=1e-4, atol=1e-5)


def test_parameters_of_16_bits_do_not_fit() -> None:
    x = torch.zeros(4, 8)
    assert channel_statistics.fits(x, 8, (None, torch.zeros(8)))
    assert not channel_statistics.fits(x, 8, (torch.zeros(8, dtype=torch.bfloat16),))
    assert not channel_statistics.fits(x, 8, (torch.zeros(16)[::2],))


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_compiles_for_every_architecture(arch: str, dtype: torch.dtype) -> None:
    assert most_spilt(channel_statistics.source(dtype), arch) == 0
