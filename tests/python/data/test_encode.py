"""Encoders against plain formulas."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from popsnn import SpikeTensor
from popsnn.data import encode


def signals(seed: int, steps: int = 20) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(steps, 2, 3, 2, generator=generator).cumsum(0)


def test_rates() -> None:
    x = torch.tensor([[0.0, 0.25], [1.0, 0.5]])
    spikes = encode.rate(x, 4000, generator=torch.Generator().manual_seed(1))
    assert spikes.shape == (4000, 2, 2)
    mean = spikes.rate()
    assert mean[0, 0] == 0
    assert mean[1, 0] == 1
    assert torch.allclose(mean, x, atol=0.03)  # four standard deviations


def test_rates_that_change_and_a_generator() -> None:
    x = torch.zeros(5, 3, 2, 4)
    x[2, 1] = 1
    assert torch.equal(encode.rate(x).to_dense(), x.flatten(2))
    half = torch.full((2, 50), 0.5)
    first, again, other = (
        encode.rate(half, 9, generator=torch.Generator().manual_seed(seed)).to_dense()
        for seed in (3, 3, 4)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@given(st.integers(1, 30), st.sampled_from([None, 1.0, 5.0]), st.sampled_from([0.01, 0.3]))
def test_latencies(steps: int, tau: float | None, threshold: float) -> None:
    x = torch.rand(3, 7, generator=torch.Generator().manual_seed(steps))
    x[0, 0], x[0, 1] = 0.0, 1.0
    dense = encode.latency(x, steps, threshold=threshold, tau=tau).to_dense()
    for b in range(3):
        for n in range(7):
            value = float(x[b, n])
            wanted = []
            if value > threshold:
                time = (1 - value) * (steps - 1)
                if tau is not None:
                    time = tau * math.log(value / (value - threshold))
                wanted = [min(round(time), steps - 1)]
            assert dense[:, b, n].nonzero().flatten().tolist() == wanted


@given(st.integers(0, 20), st.sampled_from([0.5, 1.5]), st.booleans())
def test_changes(seed: int, threshold: float, off: bool) -> None:
    x = signals(seed)
    dense = encode.delta(x, threshold, off=off).to_dense()
    change = torch.diff(x, dim=0, prepend=x[:1]).flatten(2)
    wanted = [change >= threshold, change <= -threshold] if off else [change >= threshold]
    assert torch.equal(dense, torch.cat(wanted, -1).float())


@given(st.integers(0, 20), st.sampled_from([0.5, 1.5]), st.booleans())
def test_level_crossings(seed: int, threshold: float, off: bool) -> None:
    x = signals(seed).flatten(2)
    dense = encode.level_crossing(x, threshold, off=off).to_dense()
    steps, batch, size = x.shape
    assert dense.shape == (steps, batch, size * (1 + off))
    for b in range(batch):
        for n in range(size):
            level = float(x[0, b, n])
            for t in range(steps):
                whole = int((float(x[t, b, n]) - level) / threshold)
                level += whole * threshold
                assert bool(dense[t, b, n]) == (whole > 0)
                if off:
                    assert bool(dense[t, b, size + n]) == (whole < 0)


def test_a_slow_signal_crosses_levels_and_does_not_jump() -> None:
    x = torch.linspace(0, 1, 101).view(-1, 1, 1)
    assert encode.delta(x, 0.1).counts.sum() == 0
    assert int(encode.level_crossing(x, 0.095).counts[..., 0].sum()) == 10


@given(st.integers(0, 20), st.integers(1, 4), st.booleans())
def test_graded_events_are_as_many_spikes_as_their_size(
    seed: int, levels: int, signed: bool
) -> None:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(-levels if signed else 0, levels + 1, (4, 2, 3), generator=generator)
    x[0, 0, 0] = -levels if signed else levels
    dense = encode.graded(x, levels).to_dense()
    assert dense.shape == (4, 2, 3 * levels * (1 + signed))
    signs = [1.0] * 3 * levels + [-1.0] * 3 * levels * signed
    total = (dense * torch.tensor(signs)).view(4, 2, -1, 3).sum(2)
    assert torch.equal(total, x.float())


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32])
def test_graded_events_of_narrow_types(dtype: torch.dtype) -> None:
    x = torch.tensor([1, 0, 1]).to(dtype) if dtype == torch.bool else torch.tensor([3, 0, 2])
    wanted = x.float().tolist()
    spikes = encode.graded(x.to(dtype).view(1, 1, 3), 300)  # more levels than a byte holds
    assert spikes.to_dense().view(300, 3).sum(0).tolist() == wanted


def test_the_least_number_of_a_type_is_out_of_range() -> None:
    with pytest.raises(ValueError, match=r"sizes in -5..5, got -128..-128"):
        encode.graded(torch.full((1, 1, 2), -128, dtype=torch.int8), 5)


def test_capacities() -> None:
    spikes = encode.rate(torch.ones(2, 10), 3, capacity=4)
    assert spikes.capacity == 4
    assert spikes.dropped[..., 0].eq(6).all()


def test_encoders_have_no_gradient() -> None:
    spikes = encode.rate(torch.ones(2, 4, requires_grad=True), 3)
    assert isinstance(spikes, SpikeTensor)
    assert not spikes.requires_grad


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: encode.rate([0.5], 3), TypeError, "encode.rate: x: expected a float tensor"),
        (
            lambda: encode.rate(torch.ones(4), 3),
            ValueError,
            r"\[B, ...\] with elements, got \(4,\)",
        ),
        (lambda: encode.rate(torch.ones(4, 3)), ValueError, r"\[T, B, ...\] with elements, got"),
        (lambda: encode.rate(torch.ones(4, 0), 3), ValueError, "with elements"),
        (lambda: encode.rate(torch.full((1, 2), 1.5), 3), ValueError, r"in \[0, 1\], got 1.5..1.5"),
        (lambda: encode.rate(torch.full((1, 2), math.nan), 3), ValueError, "got nan..nan"),
        (lambda: encode.rate(torch.ones(1, 2), 0), ValueError, "encode.rate: steps: expected at"),
        (lambda: encode.latency(torch.ones(1, 2), 3, threshold=1.0), ValueError, "threshold"),
        (lambda: encode.latency(torch.ones(1, 2), 3, tau=-1.0), ValueError, "tau: expected a pos"),
        (lambda: encode.delta(torch.ones(3, 1, 2), 0.0), ValueError, "threshold: expected a pos"),
        (lambda: encode.delta(torch.full((3, 1, 2), math.inf)), ValueError, "finite values"),
        (lambda: encode.delta(torch.ones(3, 1, 2).int()), TypeError, "expected a float tensor"),
        (lambda: encode.graded(torch.ones(3, 1, 2), 2), TypeError, "expected an integer tensor"),
        (lambda: encode.graded(torch.full((3, 1, 2), 4), 2), ValueError, "sizes in -2..2, got 4"),
        (lambda: encode.rate(torch.ones(1, 2), 3, capacity=9), ValueError, "capacity: expected 1"),
    ],
)
def test_numbers_that_do_not_fit(call: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        call()
