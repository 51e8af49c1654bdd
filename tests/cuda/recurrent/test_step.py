"""Single steps of recurrent layers: they compile everywhere, on a GPU they are the reference."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.recurrent.runs import RESETS, compare, compare_narrow, run, same_twice

from popsnn import functional
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.step.launch import SAMPLES, by_columns, fits, shared_bytes
from popsnn.cuda.recurrent.streamed.plan import MOST_SHARED
from popsnn.functional import neuron

BF16, FP32 = torch.bfloat16, torch.float32
ADAPTIVE = functional.recurrent_adaptive_lif


@pytest.mark.parametrize(("kind", "vector"), [(neuron.LIF, 4), (neuron.AdaptiveLIF, 1)])
def test_kernels_compile(kind: type[neuron.LIF], vector: int) -> None:
    model = kind("subtract", True)
    source = step_launch.source(model.cuda_source, BF16 if vector == 4 else FP32, vector)
    assert most_spilt(source, "sm_90a") == 0


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    result = constants(header("recurrent/step/step"))
    assert result["kStepOuts"] == step_launch.OUTS
    assert result["kStepSenders"] == step_launch.SENDERS
    assert result["kStepMaskThreads"] == step_launch.MASK_THREADS
    assert result["kStepWarps"] == step_launch.WARPS
    assert result["kStepSamples"] == SAMPLES


def test_what_steps_are_taken() -> None:
    weight = torch.empty(8192, 8192, device="meta", dtype=BF16)

    def takes(batch: int, neurons: int, steps: int = 1, exact: bool = False) -> bool:
        x = torch.empty(steps, batch, neurons, device="meta")
        return fits(x, weight[:neurons, :neurons].contiguous().t(), exact)

    assert all(takes(batch, 8192) for batch in (1, SAMPLES))
    assert not takes(1, 8192, exact=True)
    assert not takes(1, 8192, steps=2)
    assert not takes(SAMPLES + 1, 8192)
    assert not takes(1, 8188)
    assert not takes(1, 1024)
    assert not fits(torch.empty(1, 1, 8192, device="meta"), weight, False)
    assert shared_bytes(8192) <= MOST_SHARED
    assert by_columns(weight.t())
    assert not by_columns(weight)


@pytest.fixture
def stepped(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """A GPU that takes single steps of small layers too."""
    monkeypatch.setattr(step_launch, "FEWEST_NEURONS", 1)
    return gpu


@pytest.mark.parametrize("layer", [functional.recurrent_lif, ADAPTIVE])
@pytest.mark.parametrize("reset", RESETS)
def test_states_and_parameters(stepped: torch.device, reset: str, layer: Any) -> None:
    options = {"reset": reset, "grad_threshold": 0.4, "layer": layer}
    compare(run(stepped, 1, 7, 72, state=True, learn=True, columns=True, **options))


@pytest.mark.parametrize(
    ("batch", "neurons"), [(1, 8), (1, 1024), (1, 8192), (2, 64), (5, 520), (8, 2944), (8, 8192)]
)
def test_any_batch_and_neurons(stepped: torch.device, batch: int, neurons: int) -> None:
    compare(run(stepped, 1, batch, neurons, state=True, columns=True))


@pytest.mark.parametrize("weight", [FP32, BF16], ids=str)
def test_without_a_state(stepped: torch.device, weight: torch.dtype) -> None:
    compare(run(stepped, 1, 5, 136, weight=weight, columns=True))


@pytest.mark.parametrize("dtype", [BF16, torch.float16], ids=str)
def test_narrow_tensors_have_wide_states(stepped: torch.device, dtype: torch.dtype) -> None:
    compare_narrow(run(stepped, 1, 8, 1024, dtype=dtype, columns=True))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(batch=st.integers(1, 9), eighths=st.integers(1, 160))
def test_random_shapes(stepped: torch.device, batch: int, eighths: int) -> None:
    compare(run(stepped, 1, batch, 8 * eighths, state=True, columns=True))


def test_the_same_numbers_in_every_run(stepped: torch.device) -> None:
    same_twice(stepped, 1, 8, 4096, state=True, columns=True)


@pytest.mark.parametrize(
    ("steps", "batch", "neurons", "exact"),
    [(1, 9, 1032, False), (1, 3, 2001, False), (1, 3, 264, True), (3, 5, 136, False)],
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
    options = {"weight": FP32, "weight_dtype": FP32 if exact else BF16, "state": True}
    compare(run(gpu, steps, batch, neurons, columns=True, **options))
