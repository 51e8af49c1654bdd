from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import most_spilt

from popsnn.cuda.batch_norm import channel_sums

DTYPES = [torch.float32, torch.bfloat16, torch.float16]
SHAPES = [  # rows, channels, inner
    (1, 8, 1), (7, 16, 1), (3000, 8, 1), (2500, 64, 1), (1, 3, 8), (7, 5, 16), (3000, 2, 8),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_over_rows(kernels: Engine, shape: tuple[int, int, int], dtype: torch.dtype) -> None:
    x, other = torch.randn(2, *shape).to(kernels.device, dtype)
    _, channels, inner = shape
    assert channel_sums.fits(x, channels, inner)
    wide = x.double()
    away = wide - wide[0, :, :1]
    for partials, expected in (
        (channel_sums.squares(x, channels, inner), (away, away.square())),
        (channel_sums.pairs(x, other, channels, inner), (wide, other.double())),
    ):
        assert partials.shape[1:] == (2, channels)
        assert len(partials) <= channel_sums.LAST_PARTIALS
        for tensor, exact in zip(partials.sum(0), expected):
            torch.testing.assert_close(tensor.double(), exact.sum((0, 2)), rtol=1e-5, atol=2e-3)


def test_parts_of_many_threads_are_summed_again_and_again(
    kernels: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_sums, "THREADS_PER_MULTIPROCESSOR", 1 << 14)
    launches = len(kernels.launched)
    x = torch.randn(5000, 8, device=kernels.device)
    partials = channel_sums.pairs(x, 2 * x, 8)
    assert len(partials) <= channel_sums.LAST_PARTIALS
    for tensor, exact in zip(partials.sum(0), (x.double().sum(0), 2 * x.double().sum(0))):
        torch.testing.assert_close(tensor.double(), exact, rtol=1e-5, atol=1e-3)
    if kernels.name == "host":
        assert len(kernels.launched) - launches == 3


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_line_a_channel(kernels: Engine, shape: tuple[int, int, int], dtype: torch.dtype) -> None:
    grad, x = torch.randn(2, *shape).to(kernels.device, dtype)
    own = torch.randn(3, shape[1], device=kernels.device)
    scale, slope, offset = own.double().unsqueeze(-1)
    exact = grad.double() * scale + x.double() * slope + offset
    got = channel_sums.line(grad, x, *own, inner=shape[2])
    assert got.dtype == dtype
    torch.testing.assert_close(got, exact.to(dtype), rtol=1e-2, atol=1e-2)


def test_what_does_not_fit() -> None:
    assert not channel_sums.fits(torch.zeros(4, 6), 6)  # no whole vectors
    assert not channel_sums.fits(torch.zeros(4, 8, 6), 8, 6)
    assert not channel_sums.fits(torch.zeros(33)[1:].view(4, 8), 8)  # not aligned
    assert not channel_sums.fits(torch.zeros(0, 8), 8)
    assert not channel_sums.fits(torch.zeros(4, 8, dtype=torch.float64), 8)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_compiles_for_every_architecture(arch: str, dtype: torch.dtype) -> None:
    assert most_spilt(channel_sums.source(dtype), arch) == 0
