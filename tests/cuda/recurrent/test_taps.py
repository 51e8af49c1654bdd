"""Delays of each weight on the recurrent kernels, compared with the reference."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.cuda.host_kernels import HostLoader, recurrent
from tests.cuda.kernel_facts import most_spilt
from tests.cuda.recurrent.runs import compare, membranes_in_chunks, run
from torch import Tensor

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.resident import taps as resident
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.cuda.recurrent.streamed import plan as planned
from popsnn.cuda.recurrent.streamed import taps as streamed_taps
from popsnn.engines import cuda_delays
from popsnn.functional import DelaySteps, neuron

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
ADAPTIVE = functional.recurrent_adaptive_lif


@pytest.fixture(params=["host", "cuda"])
def device(
    request: pytest.FixtureRequest, host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> torch.device:
    """A CPU of 8 multiprocessors that runs the kernels, or a GPU."""
    if request.param == "host":
        recurrent(monkeypatch, host_loader)
        host_loader.launched.clear()
        return torch.device("cpu")
    found: torch.device = request.getfixturevalue("hopper")
    return found


def delays(
    device: torch.device, neurons: int, longest: int, spread: str = "straight_through"
) -> DelaySteps:
    """Return delays of all values, the ends among them; learnt delays lie beyond it too."""
    generator = torch.Generator(device).manual_seed(longest)
    steps = torch.rand(neurons, neurons, generator=generator, device=device)
    steps = steps * (longest + 1.0) - 0.5
    steps[0, :2] = torch.tensor([0.0, float(longest)])
    if spread == "none":
        return DelaySteps("synaptic", steps.round().clamp(0, longest), longest)
    width = {"straight_through": 0.0, "triangle": 0.3, "gaussian": 0.6}[spread]
    steps = steps.requires_grad_()
    return DelaySteps("synaptic", steps, longest, spread=spread, width=width)


def before(device: torch.device, batch: int, neurons: int, longest: int) -> Tensor:
    """Return the spikes [D, B, N] before those of the state."""
    generator = torch.Generator(device).manual_seed(batch)
    spikes = torch.rand(longest, batch, neurons, generator=generator, device=device) < 0.2
    return spikes.float().requires_grad_()


@pytest.mark.parametrize(
    ("copies", "batch", "neurons", "longest", "spread", "options"),
    [
        ("engine", 18, 40, 3, "straight_through", {}),
        ("engine", 5, 64, 9, "none", {"weight": BF16}),
        ("engine", 9, 150, 1, "straight_through", {"weight": BF16}),
        ("engine", 3, 37, 9, "straight_through", {"weight_dtype": FP32, "layer": ADAPTIVE}),
        ("engine", 5, 70, 2, "triangle", {}),
        ("engine", 3, 64, 3, "straight_through", {"weight_dtype": FP16}),
        ("async", 11, 40, 3, "straight_through", {}),
        ("async", 2, 70, 2, "gaussian", {"weight_dtype": FP32}),
    ],
)
def test_every_gradient(
    device: torch.device,
    monkeypatch: pytest.MonkeyPatch,
    copies: str,
    batch: int,
    neurons: int,
    longest: int,
    spread: str,
    options: dict[str, Any],
) -> None:
    """With states in and out, learnt parameters, a gradient threshold, and the last one ragged."""
    if copies == "async":
        for user in (recurrent_ops, streamed_launch, streamed_taps):
            monkeypatch.setattr(user, "has_copy_engine", lambda _: False)
    options = {"weight": FP32, "state": True, "learn": True, "grad_threshold": 0.4, **options}
    late = delays(device, neurons, longest, spread)
    past = before(device, batch, neurons, longest)
    launch, launched = resident.launch, []
    monkeypatch.setattr(resident, "launch", lambda *a: (launched.append(a), launch(*a)))
    compare(run(device, 5, batch, neurons, delay=late, before=past, **options))
    assert len(launched) == (neurons % 8 == 0 and copies == "engine")


def test_few_multiprocessors(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a block has several tiles, several chunks of a tap, and more weights than stages."""
    recurrent(monkeypatch, host_loader)
    for user in (recurrent_ops, streamed_launch):
        monkeypatch.setattr(user, "multiprocessors", lambda _: 2)
    cpu = torch.device("cpu")
    late = delays(cpu, 390, 2)
    compare(run(cpu, 3, 3, 390, weight=FP32, delay=late, before=before(cpu, 3, 390, 2)))


def test_fixed_delays_from_rest(device: torch.device) -> None:
    """Delays that are longer than the sequence too, and outputs that are not wanted."""
    late = delays(device, 40, 7, "none")
    for weight_dtype in (BF16, FP32):
        compare(run(device, 4, 3, 40, weight=FP32, weight_dtype=weight_dtype, delay=late))
    made = run(device, 6, 3, 40, dtype=BF16, weight=BF16, delay=late)
    grads = torch.autograd.grad(made.out.spikes.sum(), (made.x, made.weight))
    assert all(bool(torch.isfinite(grad).all()) for grad in grads)
    with torch.no_grad():
        again = run(device, 6, 3, 40, dtype=BF16, weight=BF16, delay=late).out
    assert torch.equal(again.spikes, made.out.spikes)


def test_fixed_delays_that_ask_for_a_gradient_have_none(device: torch.device) -> None:
    late = delays(device, 40, 3, "none")
    late.steps.requires_grad_()
    run(device, 4, 3, 40, weight=FP32, delay=late).out.membrane.sum().backward()
    assert late.steps.grad is None


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
def test_chunks_of_a_sequence_are_the_sequence(
    device: torch.device, weight_dtype: torch.dtype
) -> None:
    late = delays(device, 38, 3, "none")
    whole = run(device, 9, 5, 38, weight=FP32, weight_dtype=weight_dtype, delay=late)
    assert torch.equal(membranes_in_chunks(whole, late, weight_dtype), whole.out.membrane)


def test_no_time_step(device: torch.device) -> None:
    late = delays(device, 12, 3)
    x = torch.zeros(0, 3, 12, device=device, requires_grad=True)
    weight = torch.ones(12, 12, device=device, requires_grad=True)
    out = functional.recurrent_lif(
        x, weight, delay=late, weight_dtype=BF16, backend="cuda", membrane=True
    )
    grads = torch.autograd.grad(out.spikes.sum(), (x, weight, late.steps))
    assert all(not bool(grad.any()) for grad in grads)


@pytest.mark.parametrize("steps", [1.5, 4.0, -1.0, float("nan"), float("inf")])
def test_fixed_steps_that_are_no_delay(device: torch.device, steps: float) -> None:
    """On a GPU nothing looks at them: the weights are NaN, and what they act on."""
    late = delays(device, 12, 3, "none")
    late.steps[7, 2] = steps
    weight = torch.ones(12, 12, device=device)
    by_tap, taken_as = cuda_delays.synaptic_weights(late, weight, BF16)
    wrong = by_tap.isnan()
    assert taken_as == BF16
    assert int(wrong.sum()) == 1
    assert bool(wrong[:, 7, 2].any())
    right = torch.ones_like(weight)
    right[7, 2] = 0
    assert torch.equal(by_tap.nan_to_num(0.0).sum(0), right)


def test_weights_by_tap(device: torch.device) -> None:
    """As the taps of the reference make them, with their gradients."""
    for spread in ("none", "straight_through", "triangle"):
        late = delays(device, 9, 3, spread)
        weight = torch.randn(9, 9, device=device).requires_grad_()
        leaves = [weight, *([late.steps] if spread != "none" else [])]
        made, _ = cuda_delays.synaptic_weights(late, weight, FP32)
        expected = (late.taps() * weight).flip(0)
        assert torch.equal(made, expected)
        grad = torch.randn_like(made)
        pairs = zip(
            torch.autograd.grad(made, leaves, grad), torch.autograd.grad(expected, leaves, grad)
        )
        assert all(torch.allclose(mine, wanted, atol=1e-6) for mine, wanted in pairs)


@pytest.mark.parametrize("copies", ["engine", "async"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_kernels_compile(direction: str, copies: str) -> None:
    model = neuron.LIF("subtract", False)
    gradient = ""
    if direction == "backward":
        gradient = gradient_source(model, surrogate.ATan(), True)
    stages, capability = ((), "sm_90a") if copies == "engine" else ((4, 3), "sm_80")
    text = streamed_launch.source(
        direction, model.cuda_source, gradient, (6, 1, 1), BF16, BF16, 4, True, True,
        stages=stages, delay="popsnn::Delay::kSynaptic",
    )  # fmt: skip
    assert most_spilt(text, capability) <= 48


def test_registers_hold_the_weights_of_every_tap() -> None:
    """The largest layer of 4 taps and of 12, without a spill."""
    assert resident.fits(1024, 4, 132)
    assert not resident.fits(1024, 5, 132)
    assert resident.fits(384, 12, 132)
    assert not resident.fits(1028, 2, 132)
    source = neuron.LIF("subtract", False).cuda_source
    for taps in (4, 12):
        assert (
            most_spilt(
                resident.source(source, taps, resident.MOST_QUADS, BF16, BF16, True), "sm_90a"
            )
            == 0
        )


def test_more_taps_are_more_chunks() -> None:
    """And teams of fewer blocks, for which the exchange is shorter."""
    laid = planned.plan(1024, 2, 132, 48, 1, None, 4)
    assert (laid.chunks(1024, 2), laid.ranks, laid.groups) == (8, 8, 2)
