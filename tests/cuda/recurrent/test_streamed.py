"""The kernels of recurrent layers that read their weights at each step."""

from __future__ import annotations

from typing import Any, Callable

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.kernel_facts import arrivals_before_loads, compiled, constants, header, most_spilt
from tests.cuda.recurrent.runs import (
    RESETS,
    compare,
    compare_narrow,
    error,
    run,
    same_twice,
)

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import arguments
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.cuda.recurrent.streamed import plan as planned
from popsnn.cuda.recurrent.streamed.plan import MOST_SHARED, plan
from popsnn.functional import neuron
from popsnn.neurons import Neuron

BF16, FP32 = torch.bfloat16, torch.float32
LAYERS = [functional.recurrent_lif, functional.recurrent_adaptive_lif]
Layer = Callable[..., Any]
MOST_SPILT = 400  # bytes a thread, of the widest kernels and outside of their products


@pytest.mark.parametrize(
    ("direction", "weight", "kind"),
    [
        ("forward", BF16, neuron.LIF),
        ("forward", FP32, neuron.AdaptiveLIF),
        ("backward", BF16, neuron.LIF),
        ("backward", FP32, neuron.LIF),
        ("backward", BF16, neuron.AdaptiveLIF),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_kernels_compile(direction: str, weight: torch.dtype, kind: type[neuron.LIF]) -> None:
    model = kind("subtract", weight == FP32)
    gradient = ""
    planes = 1
    if direction == "backward":
        gradient = gradient_source(model, surrogate.SuperSpike(), True)
        planes = 3 if weight == FP32 else 1
    wide = weight == BF16
    source = streamed_launch.source(
        direction, model.cuda_source, gradient, (12 if wide else 3, 2, planes), weight, weight,
        4 if wide else 1, wide, wide,
    )  # fmt: skip
    assert most_spilt(source, "sm_90a") <= MOST_SPILT


@pytest.mark.parametrize("tiles", [2, 6, 8])
@pytest.mark.parametrize("weight", [BF16, FP32], ids=str)
def test_stages_are_released_when_they_have_been_read(tiles: int, weight: torch.dtype) -> None:
    pytest.importorskip("cuda.core")
    text = streamed_launch.source(
        "forward", neuron.LIF("none", False).cuda_source, "", (tiles, 1, 1), BF16, weight, 4
    )
    assert arrivals_before_loads(compiled(text, "sm_90a").cubin) == []


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    text = header("recurrent/streamed/streamed")
    result = constants(text)
    assert result["kWarps"] == planned.WARPS
    assert result["kFront"] == planned.FRONT
    assert result["kMessageStages"] == planned.MESSAGE_STAGES
    assert result["kMostStages"] == planned.MOST_STAGES
    assert f"kRoom = {MOST_SHARED} -" in text


@given(
    neurons=st.integers(1, 200_000),
    size=st.sampled_from([2, 4]),
    multiprocessors=st.integers(16, 160),
    batch=st.integers(1, 1000),
)
def test_every_plan_covers_the_layer(
    neurons: int, size: int, multiprocessors: int, batch: int
) -> None:
    layout = plan(neurons, size, multiprocessors, batch)
    assert layout.blocks * layout.groups <= multiprocessors
    assert 1 <= layout.groups <= layout.groups_of(batch)
    assert layout.groups_of(batch) * layout.samples >= batch
    assert (layout.tiles - 1) * layout.outs < neurons <= layout.tiles * layout.outs
    assert layout.ranks <= -(-neurons * size // 128)
    assert layout.width % 8 == 0
    assert layout.width * layout.ranks >= layout.outs
    assert layout.rows(1) >= 1
    for planes in (1, 3) if size == 4 else (1,):
        assert layout.shared_bytes(size, planes) <= MOST_SHARED


@pytest.fixture(params=["copy engine", "asynchronous copies"])
def gpu(
    gpu: torch.device, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> torch.device:
    """One without clusters and kernels of a step, which have tests of their own."""
    if request.param == "asynchronous copies":
        for user in (recurrent_ops, streamed_launch):
            monkeypatch.setattr(user, "has_copy_engine", lambda _: False)
    monkeypatch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    monkeypatch.setattr(step_launch, "fits", lambda *_: False)
    return gpu


@pytest.fixture
def streamed(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """A GPU on which registers hold no weights."""
    monkeypatch.setattr(resident, "fits", lambda *_: False)
    return gpu


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach", [True, False], ids=["detached", "attached"])
def test_states_and_parameters(
    streamed: torch.device, reset: str, detach: bool, weight_dtype: torch.dtype, layer: Layer
) -> None:
    options = {"reset": reset, "detach_reset": detach, "grad_threshold": 0.4, "layer": layer}
    for neurons in (72, 71):
        compare(
            run(streamed, 7, 17, neurons, weight=FP32, weight_dtype=weight_dtype,
                state=True, learn=True, **options)
        )  # fmt: skip


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("neurons", [8, 64, 129, 1000, 2944, 3073, 4100, 8192])
def test_any_number_of_neurons(gpu: torch.device, neurons: int, weight_dtype: torch.dtype) -> None:
    compare(run(gpu, 5, 18, neurons, weight=FP32, weight_dtype=weight_dtype))


@pytest.mark.parametrize("neurons", [1, 33, 300, 1024, 2944, 4100])
def test_adaptive_neurons(gpu: torch.device, neurons: int) -> None:
    """Without clusters their weights stream, whatever their number."""
    options = {"layer": functional.recurrent_adaptive_lif, "learn": neurons % 2 == 0}
    compare(run(gpu, 9, 50, neurons, state=True, **options))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_adaptive_neurons_of_narrow_tensors(gpu: torch.device, dtype: torch.dtype) -> None:
    compare_narrow(run(gpu, 6, 18, 120, dtype=dtype, layer=functional.recurrent_adaptive_lif))


class Own(Neuron):
    states = ("v", "s")
    parameters = ("beta",)

    def step(self, x: torch.Tensor, state: Any, p: Any, fire: Any) -> Any:
        v = p.beta * (state.v * (1 - state.s.detach())) + x
        return v, fire(v, 1.0)


def test_a_neuron_of_ones_own(gpu: torch.device) -> None:
    """The weights of one with the states of LIF are in registers."""
    for neurons in (200, 3300):
        made = run(gpu, 9, 20, neurons)
        x = made.x.detach().clone().requires_grad_()
        out = functional.recurrent_scan(
            "own", Own(), x, made.weight, None, {"beta": 0.9}, weight_dtype=BF16, backend="cuda"
        )
        assert torch.equal(out.membrane, made.out.membrane)
        grad = torch.randn_like(x)
        got = torch.autograd.grad(out.spikes, (x, made.weight), grad)
        expected = torch.autograd.grad(made.out.spikes, (made.x, made.weight), grad)
        for mine, reference in zip(got, expected):
            assert error(mine, reference.double()) < 1e-5


def test_more_tiles_than_blocks(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamed_launch, "multiprocessors", lambda _: 3)
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
    compare_narrow(run(streamed, 6, 18, neurons, dtype=dtype, learn=True))


def test_the_same_spikes_as_from_registers(
    gpu: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    registers = run(gpu, 10, 20, 512)
    monkeypatch.setattr(resident, "fits", lambda *_: False)
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
    same_twice(gpu, 20, 48, 4096, grad_threshold=0.9)


def test_a_wait_that_is_given_up_is_told(
    gpu: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A team is left out, and the others wait for what it would publish."""
    monkeypatch.setattr(arguments, "TIMEOUT", 1_000_000)
    monkeypatch.setattr(recurrent_ops, "gathers", lambda *_: False)
    monkeypatch.setattr(
        planned.Plan, "blocks", property(lambda value: (value.teams - 1) * value.ranks)
    )
    made = run(gpu, 6, 8, 8192)
    torch.cuda.synchronize()
    assert bool(torch.isnan(made.out.membrane[-1, :, :256]).all())
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="an earlier call timed out: expected every block's"):
        run(gpu, 1, 1, 8)
    compare(run(gpu, 3, 4, 40))
