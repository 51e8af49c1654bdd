"""Single steps of recurrent layers: they compile everywhere, on a GPU they are the reference."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.recurrent.runs import (
    RESETS,
    compare,
    compare_narrow,
    every_step,
    run,
    same_twice,
)
from tests.cuda.scan.test_in_torch import OWN

from popsnn import functional
from popsnn.cuda.device.program import TYPES
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.step.launch import (
    SAMPLES,
    SCANS,
    Variant,
    by_columns,
    fits,
    most_samples,
)
from popsnn.cuda.recurrent.streamed.plan import MOST_SHARED
from popsnn.functional import neuron

BF16, FP32 = torch.bfloat16, torch.float32
ADAPTIVE = functional.recurrent_adaptive_lif


WIDE = [  # of aligned tensors and 8192 neurons
    *(Variant(4, 2, False, 16, samples, 0) for samples in SAMPLES[2]),
    *(Variant(4, 2, False, 16, 8, scanned) for scanned in SCANS),
    *(Variant(4, 4, samples == 8, 16, samples, 0) for samples in SAMPLES[4]),
    *(Variant(4, 4, scanned == 1, 16, scanned, scanned) for scanned in SCANS),
]
NARROW = [
    *(Variant(1, 2, False, align, 8, align % 3) for align in (2, 4, 8)),
    Variant(1, 2, False, 2, 32, 0),
    *(Variant(1, 4, True, align, 8, 0) for align in (4, 8)),
]
MODELS = [
    neuron.LIF("zero", True),
    neuron.AdaptiveLIF("subtract", True),
    neuron.SynapticLIF("none", True),
    OWN,
]


@pytest.mark.parametrize("arch", ["sm_80", "sm_86", "sm_90", "sm_100", "sm_120"])
def test_kernels_compile(arch: str) -> None:
    """Neurons and the input's types take turns over the variants."""
    for index, kernels in enumerate([*WIDE, *NARROW]):
        model, dtype = MODELS[(index + int(arch[3:])) % len(MODELS)], list(TYPES)[index % 3]
        assert most_spilt(step_launch.source(model.cuda_source, dtype, kernels), arch) == 0


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    result = constants(header("recurrent/step/senders", "recurrent/step/step"))
    assert result["kStepOuts"] == step_launch.OUTS
    assert result["kStepMaskThreads"] == step_launch.MASK_THREADS
    group = 32 * result["kStepNeighbours"]
    assert result["kTogether"] * group + 2 * result["kChunk"] == step_launch.CAPACITY
    assert step_launch.MASK_THREADS % group == 0


def test_what_steps_are_taken() -> None:
    weight = torch.empty(8192, 8192, device="meta", dtype=BF16)

    def takes(
        batch: int, neurons: int, dtype: torch.dtype = BF16, steps: int = 1, exact: bool = True
    ) -> bool:
        x = torch.empty(steps, batch, neurons, device="meta")
        return fits(x, weight[:neurons, :neurons].to(dtype).contiguous().t(), exact)

    for neurons in (1024, 2944, 4096, 8191):
        for dtype, exact in ((BF16, True), (FP32, True), (FP32, False)):
            most = most_samples(neurons, dtype.itemsize, exact, 1)
            assert takes(most, neurons, dtype, exact=exact)
            assert not takes(most + 1, neurons, dtype, exact=exact)
            assert most <= SAMPLES[dtype.itemsize][-1]
    assert takes(1, 7)
    assert most_samples(8192, 2, False, 132) > most_samples(8192, 2, False, 127)
    assert not takes(1, 8192, steps=2)
    assert not fits(torch.empty(1, 1, 8192, device="meta"), weight, False)
    assert max(kernels.shared_bytes for kernels in WIDE) <= MOST_SHARED
    assert by_columns(weight.t())
    assert not by_columns(weight)


def test_shared_memory_of_other_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of 32 samples need 139 KB, which blocks of some have not."""
    monkeypatch.setattr(step_launch, "device_shared_bytes", lambda _: 99 * 1024)
    monkeypatch.setattr(step_launch, "multiprocessors", lambda _: 170)
    weight = torch.empty(8192, 8192, device="meta", dtype=BF16).t()
    assert fits(torch.empty(1, 16, 8192, device="meta"), weight, False)
    assert not fits(torch.empty(1, 17, 8192, device="meta"), weight, False)


@pytest.fixture
def stepped(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """A GPU that takes single steps of small layers too."""
    monkeypatch.setattr(step_launch, "most_samples", every_step)
    return gpu


@pytest.mark.parametrize("layer", [functional.recurrent_lif, ADAPTIVE])
@pytest.mark.parametrize("reset", RESETS)
def test_states_and_parameters(stepped: torch.device, reset: str, layer: Any) -> None:
    options = {"reset": reset, "grad_threshold": 0.4, "layer": layer}
    compare(run(stepped, 1, 7, 72, state=True, learn=True, columns=True, **options))


@pytest.mark.parametrize(
    ("batch", "neurons"),
    [
        *[(1, 8), (1, 1024), (1, 8192), (1, 20000), (2, 64), (2, 8190), (5, 520), (8, 2944)],
        *[(8, 8192), (16, 1023), (25, 8192), (32, 2052)],
    ],
)
def test_any_batch_and_neurons(stepped: torch.device, batch: int, neurons: int) -> None:
    compare(run(stepped, 1, batch, neurons, state=True, columns=True))


@pytest.mark.parametrize(("batch", "neurons"), [(1, 8192), (2, 1025), (4, 2946), (8, 4100)])
@pytest.mark.parametrize("weight_dtype", [FP32, BF16], ids=str)
def test_weights_of_float32(
    stepped: torch.device, batch: int, neurons: int, weight_dtype: torch.dtype
) -> None:
    options = {"weight": FP32, "weight_dtype": weight_dtype, "state": True, "columns": True}
    compare(run(stepped, 1, batch, neurons, **options))


def test_products_of_float32_with_weights_of_bfloat16(stepped: torch.device) -> None:
    """They are the same, since spikes are 0 and 1."""
    options = {"state": True, "columns": True}
    wide, narrow = (run(stepped, 1, 3, 1032, weight_dtype=t, **options) for t in (FP32, BF16))
    assert torch.equal(wide.out.membrane, narrow.out.membrane)


@pytest.mark.parametrize("weight", [FP32, BF16], ids=str)
def test_without_a_state(stepped: torch.device, weight: torch.dtype) -> None:
    compare(run(stepped, 1, 5, 136, weight=weight, columns=True))


@pytest.mark.parametrize("dtype", [BF16, torch.float16], ids=str)
def test_narrow_tensors_have_wide_states(stepped: torch.device, dtype: torch.dtype) -> None:
    compare_narrow(run(stepped, 1, 8, 1024, dtype=dtype, columns=True))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(batch=st.integers(1, 34), neurons=st.integers(1, 1300), wide=st.booleans())
def test_random_shapes(stepped: torch.device, batch: int, neurons: int, wide: bool) -> None:
    dtype = FP32 if wide else BF16
    options = {"weight": dtype, "weight_dtype": dtype, "state": True, "columns": True}
    compare(run(stepped, 1, batch, neurons, **options))


@pytest.mark.parametrize(("batch", "weight"), [(1, BF16), (8, BF16), (20, BF16), (3, FP32)])
def test_the_same_numbers_in_every_run(
    stepped: torch.device, batch: int, weight: torch.dtype
) -> None:
    options = {"weight": weight, "weight_dtype": weight, "state": True, "columns": True}
    same_twice(stepped, 1, batch, 4096, **options)


@pytest.mark.parametrize("batch", [1, 8])
def test_steps_in_a_graph(stepped: torch.device, batch: int) -> None:
    """Each is launched before the one whose states it takes has ended."""
    made = run(stepped, 40, batch, 2048)
    columns = made.weight.detach().t().contiguous().t()

    @torch.no_grad()
    def steps() -> list[torch.Tensor]:
        state, membranes = None, []
        for x in made.x.split(1):
            out = functional.recurrent_lif(
                x, columns, state, weight_dtype=made.weight_dtype, backend="cuda"
            )
            state = out.state
            membranes.append(out.membrane)
        return membranes

    with torch.cuda.stream(torch.cuda.Stream()):
        expected = []
        for membrane in steps():
            torch.cuda.synchronize()
            expected.append(membrane.clone())
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = steps()
    for _ in range(3):
        for membrane in captured:
            membrane.fill_(float("nan"))
        graph.replay()
        torch.cuda.synchronize()
        for mine, reference in zip(captured, expected):
            assert torch.equal(mine, reference)


@pytest.mark.parametrize(
    ("steps", "batch", "neurons", "exact"),
    [(1, 9, 1032, False), (1, 9, 264, True), (3, 5, 136, False)],
)
def test_weights_by_columns_of_other_layers(
    gpu: torch.device,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
    batch: int,
    neurons: int,
    exact: bool,
) -> None:
    """A step streams them as they lie."""
    monkeypatch.setattr(resident, "fits", lambda *_: False)
    dtype = FP32 if exact else BF16
    options = {"weight": dtype, "weight_dtype": dtype, "state": True}
    compare(run(gpu, steps, batch, neurons, columns=True, **options))
