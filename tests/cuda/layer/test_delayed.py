"""Delays along time on the kernels, against the reference in float64."""

from __future__ import annotations

import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import most_spilt

import popsnn.cuda
from popsnn import functional
from popsnn.cuda.device import properties
from popsnn.cuda.device.program import TYPES
from popsnn.cuda.layer.delayed import Spreading, delays_unsupported, source
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


def test_delays_of_rows_without_a_gradient_learn_the_same(kernels: Engine) -> None:
    x = torch.randn(9, 2, 16, device=kernels.device)
    delays = (torch.rand(16) * 4).to(kernels.device).requires_grad_()
    grads = []
    for rows in (x, x.clone().requires_grad_()):
        out = popsnn.cuda.delayed(rows, delays, Spreading(4, 0, "triangle", 1.0), None)
        grads.append(torch.autograd.grad(out.square().sum(), delays)[0])
    assert torch.equal(*grads)


def test_whole_delays_move_rows_of_16_bits_as_they_are(kernels: Engine) -> None:
    x = torch.randn(9, 2, 16).to(kernels.device, torch.bfloat16)
    delays = torch.arange(16.0, device=kernels.device) % 4
    out = popsnn.cuda.delayed(x, delays, Spreading(3, 0, "none", 0.0), None)
    for f in range(16):
        late = int(delays[f])
        assert torch.equal(out[late:, :, f], x[: 9 - late, :, f])
        assert not out[:late, :, f].any()


@pytest.mark.parametrize("wrong", [0.5, -1.0, 4.0, float("nan")])
def test_a_fixed_delay_that_is_none_gives_no_number(kernels: Engine, wrong: float) -> None:
    x = torch.ones(4, 1, 2, device=kernels.device)
    delays = torch.tensor([1.0, wrong], device=kernels.device)
    out = popsnn.cuda.delayed(x, delays, Spreading(3, 0, "none", 0.0), None)
    assert out[..., 0].flatten().tolist() == [0, 1, 1, 1]
    assert bool(out[..., 1].isnan().all())


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
    assert delays_unsupported(device, Spreading(1000, 0, "none", 0.0)) is None
    assert delays_unsupported(device, Spreading(250, 0, "gaussian", 60.0)) is None
    reason = delays_unsupported(device, Spreading(2100, 0, "none", 0.0))
    assert reason == (
        "delay.maximum: expected one whose steps fit shared memory, got 2100 with a window of 1 "
        "taps"
    )


@pytest.mark.parametrize("index", range(8))
def test_compiles(index: int) -> None:
    spread, slopes = SPREADS[index % 4], index % 4 > 0 and index >= 4
    windows = {"none": 1, "straight_through": 3 if slopes else 1, "triangle": 3, "gaussian": 7}
    kinds = list(TYPES)
    text = source(kinds[index % len(kinds)], spread, windows[spread], slopes)
    assert most_spilt(text, ("sm_80", "sm_90")[index % 2]) == 0
