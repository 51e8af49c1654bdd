"""Recurrent weights of float16: the kernels, and the scale of the gradients that they carry."""

from __future__ import annotations

import math
from typing import Any, Callable

import pytest
import torch
from tests.cuda.host_kernels import HostLoader, recurrent
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.recurrent.runs import (
    compare_narrow,
    error,
    forced,
    gather_always,
    in_a_graph,
    learnt_inputs,
    run,
    same_twice,
)
from torch import Tensor

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent import scaling
from popsnn.cuda.recurrent.arguments import typed
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.gathered import launch as gathered
from popsnn.cuda.recurrent.gathered import plan as gathered_plan
from popsnn.cuda.recurrent.portable import launch as portable
from popsnn.cuda.recurrent.portable import plan as portable_plan
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.scaling import Scale
from popsnn.cuda.recurrent.step import launch as step
from popsnn.cuda.recurrent.streamed import launch as streamed
from popsnn.functional import neuron

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
NAN = float("nan")


@pytest.fixture(params=["host", "cuda"])
def device(
    request: pytest.FixtureRequest, host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> torch.device:
    """A CPU of 8 multiprocessors that runs the kernels, or a GPU."""
    if request.param == "host":
        recurrent(monkeypatch, host_loader)
        host_loader.launched.clear()
        return torch.device("cpu")
    found: torch.device = request.getfixturevalue("gpu")
    return found


@pytest.mark.parametrize(
    ("dtype", "whole"), [(FP32, True), (FP32, False), (BF16, False), (FP16, True)], ids=str
)
def test_the_scale_brings_the_largest_gradient_below_1(
    device: torch.device, dtype: torch.dtype, whole: bool
) -> None:
    """That of spikes, of membranes or of the last states; of inf and NaN it is 1."""
    x = torch.zeros((3, 5, 40 if whole else 13), dtype=dtype, device=device)
    for place in range(4):
        grads = [torch.zeros_like(x), torch.zeros_like(x)]
        final = [torch.zeros_like(x[0], dtype=FP32) for _ in range(2)]
        of = [*grads, *final][place].view(-1)
        for value in (-3.0, 1e-6, 0.5, 1.0, 0.0, math.inf, NAN):
            of[-1], of[7] = value, value / 1024
            scale = Scale.of(x, grads, final)
            largest, by = float(of.abs().float()[-1]), float(scale.by)
            assert by * float(scale.inverse) == 1
            assert math.frexp(by)[0] == 0.5
            if math.isfinite(largest):
                assert not largest or 0.5 <= largest * by < 1
            else:
                assert by == 1
    assert float(Scale.of(x, [None, grads[1]], []).by) != 1
    for value in (1e38, 3e38):
        of = torch.full_like(x[0], value, dtype=FP32)
        assert float(Scale.of(x, [None, None], [of]).by) == 2.0**-126


def gradients(device: torch.device, grad: Tensor, scale: float = 0.5) -> tuple[Tensor, ...]:
    """Return those of x [6, 5, 38] and of weights, of which none fires."""
    x = torch.zeros_like(grad, requires_grad=True)
    weight = torch.full((38, 38), scale, device=device, requires_grad=True)
    state = functional.LIFState(torch.zeros_like(x[0]), torch.ones_like(x[0]))
    out = functional.recurrent_lif(
        x,
        weight,
        state,
        weight_dtype=FP16,
        backend="cuda",
        threshold=1e6,
        surrogate=surrogate.SuperSpike(1e-6),
    )
    return torch.autograd.grad(out.spikes, (x, weight), grad)


def test_the_scale_of_gradients_changes_no_bit(device: torch.device) -> None:
    """Those of a mean over a large batch have as many as others."""
    grad = torch.randn(6, 5, 38, generator=torch.Generator().manual_seed(0)).to(device)
    for power in (-40, -100, 20):
        pairs = zip(gradients(device, grad * 2.0**power), gradients(device, grad))
        for mine, other in pairs:
            assert torch.equal(mine, other * 2.0**power)
            assert bool(mine.any())


def test_gradients_that_overflow_are_seen(device: torch.device) -> None:
    """They grow by more than 2^16 in some steps, and are neither cut off nor wrapped."""
    grad = torch.ones(6, 5, 38, device=device)
    of_x, of_weight = gradients(device, grad, 1e4)
    assert bool(torch.isfinite(of_x[-1]).all())
    assert not bool(torch.isfinite(of_x[0]).any())
    assert not bool(torch.isfinite(of_weight).any())


@pytest.mark.parametrize("value", [NAN, math.inf])
def test_gradients_that_are_no_numbers_are_seen(device: torch.device, value: float) -> None:
    grad = torch.full((6, 5, 38), 1e-3, device=device)
    grad[3, 2, 1] = value
    of_x, of_weight = gradients(device, grad)
    assert not bool(torch.isfinite(of_x[:4, 2]).all())
    assert not bool(torch.isfinite(of_weight[1]).any())


def test_no_gradient_is_none(device: torch.device) -> None:
    assert not any(bool(g.any()) for g in gradients(device, torch.zeros(6, 5, 38, device=device)))


def test_weights_of_float16_have_gradients_of_float16(device: torch.device) -> None:
    """Of a mean, from float32 sums that are unscaled first."""
    made = run(device, 5, 5, 38, weight=FP16, weight_dtype=FP16, state=True)
    grads = torch.autograd.grad(made.out.spikes.mean(), learnt_inputs(made))
    expected, _, leaves = forced(made)
    wanted = torch.autograd.grad(expected.spikes.mean(), leaves)
    assert grads[1].dtype == FP16
    for index, (mine, reference) in enumerate(zip(grads, wanted)):
        assert error(mine, reference) < (1e-2 if index == 1 else 1e-3)


LIF = neuron.LIF("zero", True)
TEXT = str(LIF.cuda_source)
GRADIENT = gradient_source(LIF, surrogate.SuperSpike(), True)


def _gathered(direction: str) -> str:
    laid = gathered_plan.plan(direction, 8192, 2, 132, 8, 166912)
    assert laid is not None
    gradient = GRADIENT if direction == "backward" else ""
    return gathered.source(direction, TEXT, gradient, laid, 1, FP32, FP16, laid.vector(True))


def _portable() -> str:
    laid = portable_plan.plan("backward", 1024, 2, 108, 166912)
    assert laid is not None
    return portable.source("backward", TEXT, GRADIENT, laid.layout, FP32, True, False, True)


@pytest.mark.parametrize(
    ("arch", "most", "source"),
    [
        ("sm_90a", 0, lambda: cluster.source("forward", TEXT, "", 16, FP32)),
        ("sm_90a", 0, lambda: cluster.source("backward", TEXT, GRADIENT, 16, FP32, True, True)),
        ("sm_90a", 32, lambda: resident.source(TEXT, 3, FP32, FP32, True)),
        ("sm_90a", 128, lambda: octet.source(TEXT, 2, FP16, True)),
        ("sm_100a", 120, lambda: pair.source(TEXT, GRADIENT, 3, FP32, True, True, True)),
        ("sm_90a", 400, lambda: streamed.source("forward", TEXT, "", (12, 2, 1), FP16, FP16, 4)),
        (
            "sm_90a",
            400,
            lambda: streamed.source("backward", TEXT, GRADIENT, (12, 2, 1), FP32, FP16, 4, True),
        ),
        (
            "sm_80",
            240,
            lambda: streamed.source(
                "backward", TEXT, GRADIENT, (12, 2, 1), FP32, FP16, 4, stages=(3, 3)
            ),
        ),
        ("sm_80", 200, lambda: _gathered("forward")),
        ("sm_120", 200, lambda: _gathered("backward")),
        ("sm_86", 48, _portable),
        ("sm_89", 0, lambda: step.source(TEXT, FP32, step.Variant(4, 2, False, 16, 16, 0))),
        ("sm_80", 0, lambda: scaling.source(FP32, 4, 4)),
    ],
)
def test_kernels_compile(arch: str, most: int, source: Callable[[], str]) -> None:
    """Those of every strategy, without more spilt bytes than of bfloat16."""
    assert most_spilt(typed(source(), half=True), arch) <= most


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    assert constants(header("recurrent/scale"))["kScaleThreads"] == scaling.THREADS


SIZES = {
    "cluster": (12, 48, 600, {}),
    "whole GPU": (12, 48, 1500, {}),
    "few samples": (12, 6, 1500, {}),
    "streamed": (6, 60, 3300, {}),
    "gathered": (6, 20, 1300, {"grad_threshold": 0.3}),
    "one sample": (6, 1, 1300, {"grad_threshold": 0.3}),
    "columns": (1, 8, 2944, {"columns": True, "state": True}),
}


@pytest.fixture(params=SIZES)
def case(
    request: pytest.FixtureRequest, gpu: torch.device, monkeypatch: pytest.MonkeyPatch
) -> tuple[torch.device, int, int, int, dict[str, Any]]:
    """A GPU, and a layer that runs by the strategy."""
    if request.param in ("gathered", "one sample"):
        gather_always(monkeypatch)
    steps, batch, neurons, options = SIZES[request.param]
    return gpu, steps, batch, neurons, dict(options)


def test_gradients_are_nearer_than_with_bfloat16(case: Any) -> None:
    """Of x and of the weights, of a mean over all."""
    gpu, steps, batch, neurons, options = case
    off = {}
    for dtype in (BF16, FP16):
        made = run(gpu, steps, batch, neurons, weight=FP32, weight_dtype=dtype, **options)
        expected, _, leaves = forced(made)
        generator = torch.Generator(gpu).manual_seed(0)
        grad = torch.rand(made.x.shape, generator=generator, device=gpu) / made.x.numel()
        grads = torch.autograd.grad(made.out.spikes, learnt_inputs(made)[:2], grad)
        wanted = torch.autograd.grad(expected.spikes, leaves[:2], grad.double())
        off[dtype] = [error(mine, reference) for mine, reference in zip(grads, wanted)]
    assert max(off[FP16]) < 1e-3
    assert all(half <= wide / 2 + 1e-6 for half, wide in zip(off[FP16], off[BF16]))


def test_narrow_tensors_have_wide_states(case: Any) -> None:
    gpu, steps, batch, neurons, options = case
    if not options.get("state"):
        compare_narrow(
            run(gpu, steps, batch, neurons, dtype=FP16, weight=FP16, weight_dtype=FP16, **options)
        )


def test_the_same_numbers_in_every_run(case: Any) -> None:
    """Called, and as replays of a graph."""
    gpu, steps, batch, neurons, options = case
    options = {"weight": FP32, "weight_dtype": FP16, **options}
    same_twice(gpu, steps, batch, neurons, **options)
    if "state" not in options and "grad_threshold" not in options:
        in_a_graph(gpu, steps, neurons, batch, **options)


def test_what_other_gpus_run(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Portable kernels, and weights that stream by asynchronous copies."""
    for user in (recurrent_ops, streamed):
        monkeypatch.setattr(user, "has_copy_engine", lambda _: False)
    for _ in range(2):
        for neurons in (300, 1501):
            made = run(gpu, 9, 30, neurons, weight=FP32, weight_dtype=FP16, state=True)
            expected, _, leaves = forced(made)
            grad = torch.randn_like(made.x)
            grads = torch.autograd.grad(made.out.spikes, learnt_inputs(made), grad)
            wanted = torch.autograd.grad(expected.spikes, leaves, grad.double())
            assert max(error(*pair) for pair in zip(grads, wanted)) < 1.5e-3
        monkeypatch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
