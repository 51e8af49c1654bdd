"""The kernels of recurrent layers that read their weights at each step."""

from __future__ import annotations

import re

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.recurrent_runs import compare, error, run

from popsnn import functional, surrogate
from popsnn.cuda import compiler, recurrent_ops, recurrent_streamed_launch
from popsnn.cuda.recurrent_streamed_launch import MOST_SHARED, SAMPLE_TILES, plan
from popsnn.cuda.sources import include_path
from popsnn.functional import neuron

BF16, FP32 = torch.bfloat16, torch.float32
RESETS = ["zero", "subtract", "none"]
MOST_SPILT = 400  # bytes a thread, of the widest kernels and outside of their products


@pytest.mark.parametrize("weight", [BF16, FP32], ids=str)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_kernels_compile(direction: str, weight: torch.dtype) -> None:
    pytest.importorskip("cuda.core")
    text = neuron.LIF("subtract", weight == FP32).cuda_source
    gradient = ""
    planes = 1
    if direction == "backward":
        shape = surrogate.SuperSpike().cuda_source
        gradient = f"{shape}using Gradient = popsnn::Gradient<Shape, true>;"
        planes = 3 if weight == FP32 else 1
    wide = weight == BF16
    source = recurrent_streamed_launch.source(
        direction, text, gradient, (12 if wide else 3, 2, planes), weight, weight,
        4 if wide else 1, wide, wide,
    )  # fmt: skip
    report = compiler.compile_cubin(source, "sm_90a").report
    spilt = [int(n) for n in re.findall(r"(\d+) bytes spill stores", report)]
    assert max(spilt) <= MOST_SPILT


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    text = (include_path() / "popsnn" / "recurrent_streamed.cuh").read_text()
    found = {name: int(n) for name, n in re.findall(r"constexpr int (k\w+) = (\d+);", text)}
    assert found["kWarps"] == recurrent_streamed_launch.WARPS
    assert found["kFront"] == recurrent_streamed_launch.FRONT
    assert found["kMessageStages"] == recurrent_streamed_launch.MESSAGE_STAGES
    assert found["kMostStages"] == recurrent_streamed_launch.MOST_STAGES
    assert f"kRoom = {MOST_SHARED} -" in text


@given(
    neurons=st.integers(1, 200_000),
    size=st.sampled_from([2, 4]),
    multiprocessors=st.integers(16, 160),
)
def test_every_plan_covers_the_layer(neurons: int, size: int, multiprocessors: int) -> None:
    one = plan(neurons, size, multiprocessors)
    assert one.blocks <= multiprocessors
    assert (one.tiles - 1) * one.outs < neurons <= one.tiles * one.outs
    assert one.ranks <= -(-neurons * size // 128)
    assert one.width % 8 == 0
    assert one.width * one.ranks >= one.outs
    assert one.rows(1) >= 1
    for samples in SAMPLE_TILES:
        for planes in (1, 3) if size == 4 else (1,):
            assert one.shared_bytes(samples, size, planes) <= MOST_SHARED


@pytest.fixture
def streamed(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """A GPU on which registers hold no weights."""
    monkeypatch.setattr(recurrent_ops, "resident", lambda *_: False)
    return gpu


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach", [True, False], ids=["detached", "attached"])
def test_states_and_parameters(
    streamed: torch.device, reset: str, detach: bool, weight_dtype: torch.dtype
) -> None:
    options = {"reset": reset, "detach_reset": detach, "grad_threshold": 0.4}
    for neurons in (72, 71):
        compare(
            run(streamed, 7, 17, neurons, weight=FP32, weight_dtype=weight_dtype,
                state=True, learn=True, **options)
        )  # fmt: skip


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("neurons", [8, 64, 129, 1000, 2944, 3073, 4100, 8192])
def test_any_number_of_neurons(gpu: torch.device, neurons: int, weight_dtype: torch.dtype) -> None:
    compare(run(gpu, 5, 18, neurons, weight=FP32, weight_dtype=weight_dtype))


def test_more_tiles_than_blocks(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recurrent_streamed_launch, "multiprocessors", lambda _: 3)
    options = {"state": True, "learn": True, "weight_dtype": FP32}
    compare(run(gpu, 6, 20, 1100, weight=FP32, **options))


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("batch", [1, 9, 24, 48, 64, 96, 97, 200])
def test_any_batch(streamed: torch.device, batch: int, weight_dtype: torch.dtype) -> None:
    compare(run(streamed, 5, batch, 200, weight_dtype=weight_dtype, weight=FP32))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("neurons", [33, 3200])
def test_narrow_tensors_have_wide_states(
    streamed: torch.device, neurons: int, dtype: torch.dtype
) -> None:
    one = run(streamed, 6, 18, neurons, dtype=dtype, learn=True)
    x = one.x.detach().float().requires_grad_()
    wide = functional.recurrent_lif(x, one.weight, weight_dtype=BF16, backend="cuda", **one.options)
    assert torch.equal(one.out.spikes, wide.spikes.to(dtype))
    assert torch.equal(one.out.state.v, wide.state.v)
    grad = torch.randn_like(one.out.spikes)
    learnt = [one.weight, one.options["beta"], one.options["threshold"]]
    got = torch.autograd.grad(one.out.spikes, [one.x, *learnt], grad)
    expected = torch.autograd.grad(wide.spikes, [x, *learnt], grad.float())
    for mine, reference in zip(got, expected):
        assert error(mine, reference.double()) < 1e-2


def test_the_same_spikes_as_from_registers(
    gpu: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    registers = run(gpu, 10, 20, 512)
    monkeypatch.setattr(recurrent_ops, "resident", lambda *_: False)
    memory = run(gpu, 10, 20, 512)
    assert error(memory.out.membrane, registers.out.membrane.double()) < 1e-6


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_shapes(streamed: torch.device, data: st.DataObject) -> None:
    steps, batch = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 60))
    neurons, weight_dtype = data.draw(st.integers(8, 900)), data.draw(st.sampled_from([BF16, FP32]))
    compare(run(streamed, steps, batch, neurons, weight_dtype=weight_dtype, weight=FP32))


def test_the_same_numbers_in_every_run(gpu: torch.device) -> None:
    first, second = (run(gpu, 20, 48, 4096, grad_threshold=0.9) for _ in range(2))
    assert torch.equal(first.out.membrane, second.out.membrane)
    grads = [
        torch.autograd.grad(one.out.spikes.sum(), (one.x, one.weight)) for one in (first, second)
    ]
    for one, other in zip(*grads):
        assert torch.equal(one, other)


def test_a_wait_that_is_given_up_is_told(
    gpu: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A team is left out, and the others wait for what it would publish."""
    monkeypatch.setattr(recurrent_streamed_launch, "PATIENCE", 1_000_000)
    monkeypatch.setattr(
        recurrent_streamed_launch.Plan, "blocks", property(lambda one: (one.teams - 1) * one.ranks)
    )
    one = run(gpu, 6, 8, 8192)
    torch.cuda.synchronize()
    assert bool(torch.isnan(one.out.membrane[-1, :, :256]).all())
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="an earlier call gave up: expected every block's"):
        run(gpu, 1, 1, 8)
    compare(run(gpu, 3, 4, 40))
