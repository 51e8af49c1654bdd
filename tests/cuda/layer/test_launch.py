from __future__ import annotations

import pytest
import torch
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.layer.test_custom_neurons import ResetsAtOnce

from popsnn import neurons, surrogate
from popsnn.cuda.device import properties
from popsnn.cuda.events import events
from popsnn.cuda.layer import launch as layer_launch
from popsnn.cuda.layer import padded_rows
from popsnn.cuda.layer.launch import backward_source, capped_shape, forward_source
from popsnn.functional import neuron

LIF = str(neuron.LIF("subtract", False).cuda_source)
ADEX = str(neurons.AdEx().cuda_source)
OWN_SPIKE = str(ResetsAtOnce().cuda_source)
SHAPE = str(surrogate.SuperSpike().cuda_source)
BF16 = torch.bfloat16


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    result = constants(
        header(
            *("layer/neurons", "layer/capacity", "layer/padded_rows", "events/spike_rows"),
            *("events/currents", "events/products"),
        )
    )
    numbers = {
        "kLayerStates": layer_launch.STATES,
        "kLayerParameters": layer_launch.PARAMETERS,
        "kFiredFlag": layer_launch.FIRED,
        "kActiveFlag": layer_launch.ACTIVE,
        "kPadThreads": padded_rows.THREADS,
        "kSpikeRowThreads": padded_rows.SPIKE_ROW_THREADS,
        "kGatherThreads": events.THREADS,
        "kProductThreads": events.NARROW_THREADS,
        "kRowBytes": events.NARROW_ROW_BYTES,
    }
    assert {name: result[name] for name in numbers} == numbers


@pytest.mark.parametrize(
    ("size", "vector", "threads"),
    [(1, 4, 32), (1466, 4, 384), (2048, 4, 512), (2049, 8, 288), (8192, 16, 512)],
)
def test_a_block_has_all_neurons_of_a_sample(size: int, vector: int, threads: int) -> None:
    assert capped_shape(size) == (vector, threads)
    assert vector * threads >= padded_rows.padded(size)


def test_rings_are_as_deep_as_shared_memory_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    device = torch.device("cpu")
    assert layer_launch._depth(16, 6144, 664, 100, device) == 16
    monkeypatch.setattr(properties, "shared_bytes", lambda _: 99 * 1024)  # as of 8.9
    assert layer_launch._depth(16, 6144, 664, 100, device) == 16
    assert layer_launch._depth(16, 8192, 664, 100, device) == 8
    with pytest.raises(
        ValueError, match=r"cuda.layer: x: expected fewer steps, whose drop seeds .*, got 30000"
    ):
        layer_launch._depth(16, 8192, 120000, 30000, device)


@pytest.mark.parametrize(
    ("source", "arch"),
    [
        (forward_source(LIF, BF16, 4, 16, True, 0), "sm_90"),
        (forward_source(LIF, torch.float32, 16, 4, True, 3), "sm_80"),
        (forward_source(LIF, BF16, 4, 8, False, 3), "sm_80"),
        (backward_source(LIF, SHAPE, torch.float32, BF16, 16, 3, True, "both"), "sm_90"),
        (forward_source(ADEX, BF16, 4, 16, True, 255), "sm_90"),
        (forward_source(ADEX, BF16, 8, 8, True, 0), "sm_90"),
        (backward_source(ADEX, SHAPE, BF16, BF16, 8, 255, True, "both"), "sm_90"),
        (forward_source(OWN_SPIKE, BF16, 8, 8, True, 15), "sm_90"),
        (backward_source(OWN_SPIKE, SHAPE, BF16, BF16, 8, 15, True, "both"), "sm_80"),
    ],
    ids=[
        *("capped", "widest", "free", "backward"),
        *("adex", "wide adex", "adex backward", "own spike", "own spike backward"),
    ],
)
def test_compiles_for_every_architecture(source: str, arch: str) -> None:
    assert most_spilt(source, arch) == 0
