"""Delays along time on the kernels, against the reference in float64."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt

import popsnn.cuda
from popsnn import functional
from popsnn.cuda.device import properties
from popsnn.cuda.device.program import TYPES
from popsnn.cuda.layer import delayed_spikes
from popsnn.cuda.layer.delayed import (
    COPIES,
    NO_SLOPES,
    SLOPE_ROWS,
    SLOPE_SUMS,
    THREADS,
    WINDOWS,
    Spreading,
    columns,
    delayed_off_graph,
    delays_unsupported,
    source,
)
from popsnn.functional import DelaySteps

SPREADS = ("none", "straight_through", "triangle", "gaussian")


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 2**20),
    steps=st.integers(0, 20),
    batch=st.integers(1, 3),
    features=st.sampled_from([1, 5, 40, 150]),
    behind=st.integers(0, 3),
    maximum=st.integers(1, 20),
    minimum=st.integers(0, 1),
    spread=st.sampled_from(SPREADS),
    width=st.sampled_from([0.0, 0.4, 1.0, 6.0]),
    whole=st.booleans(),
    carried=st.booleans(),
)
@example(  # narrow Gaussian, nearest step below the delay
    seed=0, steps=1, batch=1, features=1, behind=0, maximum=11, minimum=0, spread="gaussian",
    width=0.0, whole=False, carried=False,
)  # fmt: skip
@example(  # corners of triangles at whole steps, 7 from a delay of 6
    seed=0, steps=9, batch=2, features=5, behind=0, maximum=15, minimum=6, spread="triangle",
    width=6.0, whole=True, carried=False,
)  # fmt: skip
@example(  # a narrow Gaussian half between two steps
    seed=1, steps=7, batch=2, features=150, behind=1, maximum=1, minimum=0, spread="gaussian",
    width=0.0, whole=False, carried=False,
)  # fmt: skip
@example(  # narrow Gaussians, whose distances from the delay cancel
    seed=0, steps=11, batch=1, features=150, behind=0, maximum=2, minimum=0, spread="gaussian",
    width=0.0, whole=False, carried=False,
)  # fmt: skip
@example(  # rows of the ring are replaced
    seed=0, steps=300, batch=1, features=5, behind=1, maximum=9, minimum=0, spread="triangle",
    width=0.4, whole=False, carried=True,
)  # fmt: skip
@example(  # fewer lanes
    seed=0, steps=150, batch=1, features=40, behind=0, maximum=1100, minimum=0,
    spread="straight_through", width=0.0, whole=False, carried=True,
)  # fmt: skip
def test_rows_and_gradients_are_those_of_the_reference(
    kernels: Engine,
    seed: int,
    steps: int,
    batch: int,
    features: int,
    behind: int,
    maximum: int,
    minimum: int,
    spread: str,
    width: float,
    whole: bool,
    carried: bool,
) -> None:
    generator = torch.Generator().manual_seed(seed)
    row = features + behind
    width += 0.01 * (spread == "gaussian")
    x = torch.randn(steps, batch, row, generator=generator, dtype=torch.float64)
    before = torch.randn(maximum, batch, row, generator=generator, dtype=torch.float64)
    # Learnt delays are at times out of the range, and at times at a corner of the triangle.
    delays = (torch.rand(features, generator=generator) * (maximum + 2) - 1).double()
    if whole or spread == "none":
        delays = delays.round()
    if spread == "none":
        delays = delays.clamp(minimum, maximum)
    delays = delays.float().double()  # kernels have them in float32
    delay = DelaySteps("axonal", delays, maximum, minimum, spread, width)
    weights = torch.randn(steps, batch, row, generator=generator, dtype=torch.float64)

    def pass_of(dtype: torch.dtype, device: torch.device) -> list[torch.Tensor]:
        leaves = [t.detach().to(device, dtype).requires_grad_() for t in (x, before, delays)]
        rows, earlier, own = leaves
        if dtype == torch.float64:
            out = functional.delayed(
                rows[..., :features],
                delay._replace(steps=own),
                earlier[..., :features] if carried else None,
            )
        else:
            first = earlier if carried else None
            out = popsnn.cuda.delayed(rows, own, Spreading(*delay[2:]), first)[..., :features]
        learnt = spread != "none"
        wanted = [rows, *([earlier] if carried else []), *([own] if learnt else [])]
        loss = (out * weights.to(device, dtype)[..., :features]).sum()
        of_rows, *others = torch.autograd.grad(loss, wanted)
        of_steps = others.pop() if learnt else torch.zeros(0)
        return [out, of_rows[..., :features], of_steps, *(g[..., :features] for g in others)]

    expected = pass_of(torch.float64, torch.device("cpu"))
    got = pass_of(torch.float32, kernels.device)
    for mine, other in zip(got, expected):
        torch.testing.assert_close(mine.cpu().double(), other.double(), rtol=1e-4, atol=1e-4)
    if spread == "none":
        return
    earlier = before if carried else None
    rows = [None if of is None else of[..., :features] for of in (x, earlier)]
    both = torch.autograd.functional.jvp(
        lambda own: functional.delayed(rows[0], delay._replace(steps=own), rows[1]),
        (delays,),
        (torch.ones_like(delays),),
    )
    at = [None if of is None else of.to(kernels.device, torch.float32) for of in (x, earlier)]
    of_kernel = delayed_off_graph(
        *(at[0], delays.to(kernels.device, torch.float32), Spreading(*delay[2:]), at[1]),
        torch.float32,
        spikes=False,
        slopes=True,
    )
    for mine, other in zip(of_kernel, both):
        torch.testing.assert_close(mine[..., :features].cpu().double(), other, rtol=1e-4, atol=1e-4)


def test_delays_of_rows_without_a_gradient_learn_the_same(kernels: Engine) -> None:
    x = torch.randn(9, 2, 16, device=kernels.device)
    delays = (torch.rand(16) * 4).to(kernels.device).requires_grad_()
    grads = []
    for rows in (x, x.clone().requires_grad_()):
        out = popsnn.cuda.delayed(rows, delays, Spreading(4, 0, "triangle", 1.0), None)
        grads.append(torch.autograd.grad(out.square().sum(), delays)[0])
    assert torch.equal(*grads)


@pytest.mark.parametrize(
    ("steps", "features", "apart"), [(9, 16, 1), (9, 15, 1), (300, 100, 3), (1200, 70, 29)]
)
def test_whole_delays_move_rows_of_16_bits_as_they_are(
    kernels: Engine, steps: int, features: int, apart: int
) -> None:
    x = torch.randn(steps, 2, features).to(kernels.device, torch.bfloat16).requires_grad_()
    delays = (apart * torch.arange(features, device=kernels.device)).float()
    spreading = Spreading(int(delays[-1]), 0, "none", 0.0)
    out = popsnn.cuda.delayed(x, delays, spreading, None)
    weights = torch.randn(out.shape).to(out)
    (grad,) = torch.autograd.grad(out, x, weights)
    for f, late in enumerate(map(int, delays)):
        on_time = max(0, steps - late)
        assert torch.equal(out[late:, :, f], x[:on_time, :, f])
        assert not out[:late, :, f].any()
        assert torch.equal(grad[:on_time, :, f], weights[late:, :, f])
        assert not grad[on_time:, :, f].any()


@pytest.mark.parametrize("carried", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize(
    ("steps", "batch", "features", "minimum", "maximum"),
    [
        (0, 2, 8, 0, 5), (8, 1, 12, 1, 3), (9, 2, 16, 0, 1), (9, 2, 18, 0, 5), (9, 3, 136, 2, 31),
        (112, 1, 132, 4, 8), (113, 3, 20, 7, 9), (300, 2, 104, 0, 5),
    ],
)  # fmt: skip
def test_dense_spikes_are_delayed_as_their_rows(
    kernels: Engine,
    steps: int,
    batch: int,
    features: int,
    minimum: int,
    maximum: int,
    spread: str,
    dtype: torch.dtype,
    carried: bool,
) -> None:
    """All but 0 and -0 fired, numbers or none; wherever in memory they begin."""
    torch.manual_seed(0)
    shape = (steps + 1, batch, features)
    x = (torch.rand(shape) < 0.3) * torch.randn(shape)
    x[-1:, 0, 3] = float("nan")
    x[1:2, 0, :6] = torch.tensor([float("inf"), -float("inf"), -0.0, 1e-45, -1e-45, 1e-39])
    width = 0.1 if spread == "gaussian" and maximum > 5 else 0.7
    spreading = Spreading(maximum, minimum, spread, width)
    steps_of = torch.randint(minimum, maximum + 1, (features - 1,)).float()  # then padding
    if spread != "none":
        steps_of[::2] += torch.rand(features // 2) - 0.5
        steps_of[:3] = torch.tensor([minimum - 0.75, maximum + 0.25, float("nan")])
    before = torch.rand(maximum, batch, features).to(kernels.device, dtype) if carried else None
    storage = torch.empty(x.numel() + 1, device=kernels.device)
    shifted = storage[1:].reshape(x.shape).copy_(x)
    for own in (x.to(kernels.device)[1:], shifted[1:]):
        made = [
            delayed_off_graph(
                *(form, steps_of.to(kernels.device), spreading, before, dtype),
                spikes=spikes,
                slopes=spread != "none",
            )
            for form, spikes in ((own, True), ((own != 0).to(dtype), False))
        ]
        assert made[0].dtype == dtype
        torch.testing.assert_close(*made, rtol=0, atol=0, equal_nan=True)
    if kernels.name == "host" and steps:
        few = spreading.window(spread != "none") in WINDOWS
        in_bits = few and not carried and features % 4 == 0
        assert ("delayed_spikes" in kernels.launched) == in_bits


@pytest.mark.parametrize(
    ("steps", "available", "room"),
    [(2000, None, True), (3000, None, False), (2000, 32 << 10, False)],
)
def test_spikes_of_many_steps_are_no_bits_of_a_block(
    kernels: Engine, monkeypatch: pytest.MonkeyPatch, steps: int, available: int | None, room: bool
) -> None:
    if available is not None:
        monkeypatch.setattr(properties, "shared_bytes", lambda _: available)
    spreading = Spreading(31, 0, "straight_through", 0.0)
    x = torch.zeros(steps, 1, 8, device=kernels.device)
    out = torch.empty((2, steps, 1, 8), dtype=torch.bfloat16, device=kernels.device)
    delays = torch.zeros(8, device=kernels.device)
    assert delayed_spikes.write_rows(x, delays, spreading, out) == room


@pytest.mark.parametrize("wrong", [0.5, -1.0, 4.0, float("nan")])
def test_a_fixed_delay_that_is_none_gives_no_number(kernels: Engine, wrong: float) -> None:
    x = torch.ones(4, 1, 2, device=kernels.device)
    delays = torch.tensor([1.0, wrong], device=kernels.device)
    out = popsnn.cuda.delayed(x, delays, Spreading(3, 0, "none", 0.0), None)
    assert out[..., 0].flatten().tolist() == [0, 1, 1, 1]
    assert bool(out[..., 1].isnan().all())


@pytest.mark.parametrize("spread", SPREADS[1:])
def test_a_learnt_delay_that_is_no_number_gives_none(kernels: Engine, spread: str) -> None:
    x = torch.ones(4, 1, 2, device=kernels.device)
    delays = torch.tensor([1.0, float("nan")], device=kernels.device)
    out = popsnn.cuda.delayed(x, delays, Spreading(3, 0, spread, 1.0), None)
    assert bool(out[..., 0].isfinite().all())
    assert bool(out[..., 1].isnan().all())


@pytest.mark.parametrize("spread", SPREADS[1:])
def test_no_steps_have_no_gradient(kernels: Engine, spread: str) -> None:
    x = torch.ones(0, 2, 16, device=kernels.device)
    delays = torch.ones(16, device=kernels.device, requires_grad=True)
    out = popsnn.cuda.delayed(x, delays, Spreading(4, 0, spread, 1.0), None)
    (grad,) = torch.autograd.grad(out.sum(), delays)
    assert grad.tolist() == [0.0] * 16


def test_gradients_are_the_same_in_every_run(kernels: Engine) -> None:
    x = torch.randn(30, 4, 70, device=kernels.device)
    delays = (torch.rand(70) * 9).to(kernels.device).requires_grad_()
    grads = [
        torch.autograd.grad(
            popsnn.cuda.delayed(x, delays, Spreading(9, 0, "triangle", 2.0), None).square().sum(),
            delays,
        )[0]
        for _ in range(2)
    ]
    assert torch.equal(*grads)


def test_delays_beyond_the_shared_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(properties, "shared_bytes", lambda _: 232448)
    device = torch.device("cpu")
    assert delays_unsupported(device, Spreading(4000, 0, "none", 0.0)) is None
    assert delays_unsupported(device, Spreading(250, 0, "gaussian", 60.0)) is None
    reason = delays_unsupported(device, Spreading(4100, 0, "none", 0.0))
    assert reason == (
        "delay.maximum: expected one whose steps fit shared memory, got 4100 with a window of 1 "
        "taps"
    )


@pytest.mark.parametrize("shared_bytes", [101376, 166912, 232448])
@pytest.mark.parametrize("width", [0.0, 6.0, 41.0])
def test_delays_that_are_not_refused_have_room(
    monkeypatch: pytest.MonkeyPatch, shared_bytes: int, width: float
) -> None:
    """Of every number of steps, with gradients and without."""
    monkeypatch.setattr(properties, "shared_bytes", lambda _: shared_bytes)
    columns.cache_clear()
    device = torch.device("cpu")
    accepted = 0
    for spread in SPREADS:
        for maximum in (1, 31, 127, 500, 1023, 1200, 2047, 2540, 4064):
            spreading = Spreading(maximum, 0, spread, max(width, 0.01))
            if delays_unsupported(device, spreading) is not None:
                continue
            accepted += 1
            for size, vector in ((4, 1), (2, 2), (2, 1)):
                kinds = (NO_SLOPES, SLOPE_ROWS, SLOPE_SUMS)
                for slopes, steps in product(kinds, (1, 40, 160, 400, 5000)):
                    window = spreading.window(slopes != NO_SLOPES)
                    found = columns(device, spreading, window, slopes, size, vector, steps)
                    assert found is not None
                    assert found.ring >= maximum + found.each * THREADS // found.lanes
    columns.cache_clear()
    assert accepted >= 12


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    numbers = constants(header("layer/delayed", "layer/delayed_spikes"))
    assert numbers["kDelayThreads"] == THREADS
    assert numbers["kDelayedSpikesThreads"] == delayed_spikes.THREADS
    assert numbers["kSpikeSteps"] == delayed_spikes.STEPS
    assert numbers["kSpikeFeatures"] == delayed_spikes.FEATURES
    assert numbers["kSpikeColumns"] == delayed_spikes.COLUMNS
    assert numbers["kSpareSpikeRows"] == delayed_spikes.SPARE_ROWS


@pytest.mark.parametrize("index", range(12))
def test_compiles(index: int) -> None:
    spread, slopes = SPREADS[index % 4], (NO_SLOPES, SLOPE_SUMS, SLOPE_ROWS)[index // 4]
    if spread == "none":
        slopes = NO_SLOPES
    whole = 1 if slopes == NO_SLOPES else 3
    windows = {"none": 1, "straight_through": whole, "triangle": 3, "gaussian": 7}
    kinds = list(TYPES)
    kind = kinds[index % len(kinds)]
    copied = 2 if index == 5 else COPIES[index % 2]
    for spikes in (False, True):
        text = source(kind, copied, spread, windows[spread], slopes, spikes)
        assert most_spilt(text, ("sm_80", "sm_90")[index % 2]) == 0


@pytest.mark.parametrize("slopes", [False, True])
@pytest.mark.parametrize(
    ("spread", "window"),
    [("none", 1), ("straight_through", 3), ("triangle", 3), ("triangle", 5), ("gaussian", 5)],
)
def test_kernels_of_spikes_compile(spread: str, window: int, slopes: bool) -> None:
    for kind, architecture in ((torch.float32, "sm_80"), (torch.bfloat16, "sm_90")):
        assert most_spilt(delayed_spikes.source(kind, spread, window, slopes), architecture) == 0
