"""Recurrent layers in clusters: they compile everywhere, and on a GPU they are the reference."""

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
    in_a_graph,
    run,
    same_twice,
)

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.cluster.launch import (
    BLOCKS,
    MESSAGE_BYTES,
    MOST_NEURONS,
    SAMPLES,
    blocks_of_cluster,
    in_clusters,
    samples_of_cluster,
    shared_bytes,
)
from popsnn.cuda.recurrent.streamed.plan import MOST_SHARED
from popsnn.functional import neuron

BF16, FP32 = torch.bfloat16, torch.float32
ADAPTIVE = functional.recurrent_adaptive_lif


@pytest.mark.parametrize(
    ("direction", "kind", "blocks", "dtype"),
    [
        ("forward", neuron.LIF, 16, FP32),
        ("forward", neuron.AdaptiveLIF, 4, BF16),
        ("backward", neuron.AdaptiveLIF, 16, BF16),
        ("backward", neuron.LIF, 8, FP32),
        ("backward", neuron.LIF, 4, FP32),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_kernels_compile(
    direction: str, kind: type[neuron.LIF], blocks: int, dtype: torch.dtype
) -> None:
    model, back = kind("subtract", blocks == 16), direction == "backward"
    gradient = gradient_source(model, surrogate.ATan(), True) if back else ""
    source = cluster.source(direction, model.cuda_source, gradient, blocks, dtype, back, back)
    assert most_spilt(source, "sm_90a") == 0


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    result = constants(header("recurrent/cluster/cluster"))
    assert result["kClusterNeurons"] == cluster.NEURONS
    assert result["kClusterSamples"] == SAMPLES
    assert result["kQuarters"] == cluster.QUARTERS
    assert result["kMessages"] == cluster.FRONT
    assert cluster.THREADS == 32 * SAMPLES
    for each in MESSAGE_BYTES.values():
        shape = f"ClusterShape<kBlocks, {each // SAMPLES} * kClusterSamples>"
        assert shape in header("recurrent/cluster/messages")


@pytest.mark.parametrize("direction", MESSAGE_BYTES)
def test_shared_memory_suffices(direction: str) -> None:
    assert shared_bytes(direction, BLOCKS[-1]) <= cluster.ALL_SHARED
    assert MOST_SHARED < 2 * cluster.ALL_SHARED <= 2 * MOST_SHARED


def test_what_clusters_hold() -> None:
    assert in_clusters(MOST_NEURONS, 100, False, 132)
    assert not in_clusters(MOST_NEURONS, 100, False, 60)
    assert in_clusters(MOST_NEURONS // 2, 100, False, 16)
    assert not in_clusters(MOST_NEURONS + 1, 100, False, 132)
    assert not in_clusters(64, 100, True, 132)
    assert not in_clusters(64, 1, False, 132)
    assert [blocks_of_cluster(n) for n in (1, 256, 257, 512, 513, 1024)] == [4, 4, 8, 8, 16, 16]


@given(batch=st.integers(1, 2000), at_once=st.integers(1, 30))
def test_samples_are_spread_over_what_runs_at_once(batch: int, at_once: int) -> None:
    samples = samples_of_cluster(batch, at_once)
    assert 1 <= samples <= SAMPLES
    clusters = -(-batch // samples)
    assert -(-clusters // at_once) == -(-batch // (SAMPLES * at_once))


@pytest.fixture
def clusters(hopper: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """A GPU that takes clusters for few steps too."""
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    return hopper


@pytest.mark.parametrize("layer", [functional.recurrent_lif, ADAPTIVE])
@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach", [True, False], ids=["detached", "attached"])
def test_states_and_parameters(
    clusters: torch.device, reset: str, detach: bool, layer: Any
) -> None:
    options = {"reset": reset, "detach_reset": detach, "grad_threshold": 0.4, "layer": layer}
    compare(run(clusters, 12, 17, 70, state=True, learn=True, **options))


@pytest.mark.parametrize("weight", [FP32, BF16], ids=str)
@pytest.mark.parametrize("neurons", [1, 8, 33, 100, 256, 257, 500, 513, 1000, 1021, 1024])
def test_any_number_of_neurons(clusters: torch.device, neurons: int, weight: torch.dtype) -> None:
    compare(run(clusters, 6, 18, neurons, weight=weight), membranes=neurons % 2 == 0)


@pytest.mark.parametrize("batch", [1, 7, 8, 48, 57, 130])
@pytest.mark.parametrize("steps", [1, 2, 3, 20])
def test_any_batch_and_steps(clusters: torch.device, steps: int, batch: int) -> None:
    compare(run(clusters, steps, batch, 600, grad_threshold=0.9))


@pytest.mark.parametrize("curve", surrogate.NAMED, ids=lambda curve: curve.name)
def test_surrogates(clusters: torch.device, curve: type[surrogate.Surrogate]) -> None:
    compare(run(clusters, 8, 5, 40, surrogate=curve()))


@pytest.mark.parametrize("dtype", [BF16, torch.float16], ids=str)
@pytest.mark.parametrize("neurons", [33, 1024])
def test_narrow_tensors_have_wide_states(
    clusters: torch.device, neurons: int, dtype: torch.dtype
) -> None:
    compare_narrow(run(clusters, 6, 18, neurons, dtype=dtype))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_shapes(clusters: torch.device, data: st.DataObject) -> None:
    steps, batch = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 130))
    compare(run(clusters, steps, batch, data.draw(st.integers(1, MOST_NEURONS))))


def test_the_same_numbers_in_every_run(clusters: torch.device) -> None:
    same_twice(clusters, 100, 48, 1024, grad_threshold=0.9)


@pytest.mark.parametrize("neurons", [300, 1024])
def test_in_a_cuda_graph(clusters: torch.device, neurons: int) -> None:
    in_a_graph(clusters, 10, neurons)


def test_layers_on_several_streams(clusters: torch.device) -> None:
    sizes = (1024, 900, 300)
    expected = [run(clusters, 30, 60, n).out.membrane.detach() for n in sizes]
    streams = [torch.cuda.Stream() for _ in sizes]
    torch.cuda.synchronize()
    for _ in range(5):
        got = []
        for stream, neurons in zip(streams, sizes):
            with torch.cuda.stream(stream):
                got.append(run(clusters, 30, 60, neurons).out.membrane)
        torch.cuda.synchronize()
        for tensor, other in zip(got, expected):
            assert torch.equal(tensor, other)
