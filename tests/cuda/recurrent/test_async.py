"""Weights that stream through asynchronous copies, on GPUs without a copy engine."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.cuda.host_kernels import HostLoader, recurrent
from tests.cuda.kernel_facts import most_spilt
from tests.cuda.recurrent.runs import compare, every_step, run

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import ops
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.cuda.recurrent.streamed import plan as planned
from popsnn.cuda.recurrent.streamed.plan import plan
from popsnn.functional import neuron

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
MOST_SPILT = 240  # bytes a thread, of 96 samples; of 48 it is 48
KERNELS = ["recurrent_streamed_forward", "recurrent_streamed_backward"]


@pytest.fixture
def host(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> HostLoader:
    """A CPU of 8 multiprocessors without a copy engine."""
    recurrent(monkeypatch, host_loader)
    host_loader.launched.clear()
    for user in (ops, streamed_launch):
        monkeypatch.setattr(user, "has_copy_engine", lambda _: False)
    monkeypatch.setattr(ops, "choose_portable", lambda *_: "streamed")
    return host_loader


@pytest.mark.parametrize("weight_dtype", [BF16, FP16], ids=str)
def test_weights_stay_in_shared_memory(host: HostLoader, weight_dtype: torch.dtype) -> None:
    """Of teams of several blocks; the last chunk and the last tile have fewer neurons."""
    options = {"weight": FP32, "weight_dtype": weight_dtype, "state": True}
    compare(run(torch.device("cpu"), 3, 11, 148, **options))
    assert [name for name in host.launched if name != "gradient_scale"] == KERNELS


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("stages", [(2, 2), (4, 3)], ids=str)
def test_weights_are_read_at_each_step(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    weight_dtype: torch.dtype,
    stages: tuple[int, int],
) -> None:
    """By one block, of several tiles and chunks."""
    monkeypatch.setattr(streamed_launch, "multiprocessors", lambda _: 1)
    monkeypatch.setattr(planned, "async_stages", lambda *_: stages)
    neurons = 148 if weight_dtype == BF16 else 141
    compare(run(torch.device("cpu"), 3, 9, neurons, weight=FP32, weight_dtype=weight_dtype))
    assert host.launched == KERNELS


def test_groups_of_samples_of_adaptive_neurons(host: HostLoader) -> None:
    adaptive = {"layer": functional.recurrent_adaptive_lif, "state": True, "learn": True}
    compare(run(torch.device("cpu"), 2, 100, 24, weight=FP32, **adaptive))
    assert host.launched == KERNELS


def test_a_step_of_weights_by_columns(host: HostLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_launch, "most_samples", every_step)
    compare(run(torch.device("cpu"), 1, 7, 136, weight=FP32, columns=True, state=True))
    assert host.launched == ["recurrent_step_masks", "recurrent_step", KERNELS[1]]


@pytest.mark.parametrize(
    ("arch", "direction", "weight"),
    [
        ("sm_80", "forward", FP32),
        ("sm_80", "backward", BF16),
        ("sm_86", "backward", FP32),
        ("sm_89", "forward", BF16),
        ("sm_90", "backward", BF16),
        ("sm_100", "backward", BF16),
        ("sm_120", "backward", FP32),
    ],
)
def test_compiles_for_every_architecture(arch: str, direction: str, weight: torch.dtype) -> None:
    model = neuron.LIF("zero", True)
    backward = direction == "backward"
    gradient = gradient_source(model, surrogate.SuperSpike(), True) if backward else ""
    planes = 3 if backward and weight == FP32 else 1
    layout = (12, 1 if weight == FP32 else 2, planes)
    source = streamed_launch.source(
        direction, model.cuda_source, gradient, layout, weight, weight, 4, stages=(3, 3)
    )
    assert most_spilt(source, arch) <= MOST_SPILT


@given(
    neurons=st.integers(1, 200_000),
    size=st.sampled_from([2, 4]),
    count=st.integers(1, 170),
    most=st.integers(planned.SMALLEST_SHARED, 232448),
    batch=st.integers(1, 1000),
)
def test_every_layer_fits(neurons: int, size: int, count: int, most: int, batch: int) -> None:
    """In the shared memory of a block, and on the multiprocessors."""
    for planes in (1, 3) if size == 4 else (1,):
        laid = plan(neurons, size, count, batch, planes, most)
        assert laid.blocks * laid.groups <= count
        assert (laid.tiles - 1) * laid.outs < neurons <= laid.tiles * laid.outs
        assert min(laid.stages) >= 2
        assert laid.shared_bytes(size, planes) <= most


@pytest.mark.parametrize(
    ("neurons", "stages"), [(512, (2, 8)), (1024, (2, 8)), (2944, (10, 8)), (8192, (8, 8))]
)
def test_weights_that_fit_stay(neurons: int, stages: tuple[int, int]) -> None:
    """Of 48 samples, on an H200."""
    assert plan(neurons, 2, 132, 48, 1, 232448).stages == stages


def test_a_gpu_of_too_little_shared_memory_is_refused() -> None:
    with pytest.raises(
        RuntimeError,
        match="recurrent layer: expected a GPU whose blocks may have 101376 bytes of shared "
        "memory, got 16384",
    ):
        plan(1024, 2, 20, 96, 1, 16384)
