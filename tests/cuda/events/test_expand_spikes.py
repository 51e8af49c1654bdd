"""Compacted spikes as dense rows on the kernels, against the reference."""

from __future__ import annotations

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt

import popsnn.cuda
from popsnn import SpikeTensor
from popsnn._internal.compaction import expand_spikes
from popsnn.cuda.device.program import TYPES
from popsnn.cuda.events import expand_spikes as expanding
from popsnn.cuda.events.expand_spikes import THREADS, source


def drawn(steps: int, batch: int, size: int, capacity: int, seed: int) -> SpikeTensor:
    """Return spikes and other active neurons, behind whose ids is anything."""
    generator = torch.Generator().manual_seed(seed)
    x = (torch.rand(steps, batch, size, generator=generator) < 0.3).float().requires_grad_()
    lists = SpikeTensor.from_dense(x, capacity=min(capacity, size))
    behind = torch.arange(lists.capacity) >= lists.counts[..., 1:]
    lists.ids[behind] = torch.randint(-2, 2**31 - 1, (int(behind.sum()),), dtype=torch.int32)
    return lists


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.integers(0, 4),
    batch=st.integers(0, 3),
    size=st.sampled_from([1, 4, 7, 8, 40, 137, 600]),
    capacity=st.sampled_from([1, 5, 200]),
    dtype=st.sampled_from(list(TYPES)),
    given_values=st.booleans(),
    seed=st.integers(0, 2**20),
)
def test_rows_and_gradients_are_those_of_the_reference(
    kernels: Engine,
    steps: int,
    batch: int,
    size: int,
    capacity: int,
    dtype: torch.dtype,
    given_values: bool,
    seed: int,
) -> None:
    lists = drawn(steps, batch, size, capacity, seed)
    ids, counts = lists.ids, lists.counts
    valid = ids.masked_fill(torch.arange(lists.capacity) >= counts[..., 1:], 0)
    if not given_values:
        expected = expand_spikes(valid, counts, None, size, dtype)
        on_device = (t.to(kernels.device) for t in (ids, counts))
        got = popsnn.cuda.expand_spikes(*on_device, None, size, dtype)
        assert torch.equal(got.cpu(), expected)
        return
    values = torch.randn(ids.shape).requires_grad_()
    weights = torch.randn(steps, batch, size).to(dtype)
    results = []
    for device, run, own in (
        (torch.device("cpu"), expand_spikes, valid),
        (kernels.device, popsnn.cuda.expand_spikes, ids),
    ):
        leaf = values.detach().to(device).requires_grad_()
        factors = weights.to(device).requires_grad_()
        out = run(own.to(device), counts.to(device), leaf, size, dtype)
        (grad,) = torch.autograd.grad((out * factors).sum(), leaf, create_graph=True)
        (twice,) = torch.autograd.grad(grad.sum(), factors, allow_unused=not grad.numel())
        results.append([out, grad, *([] if twice is None else [twice])])
    for expected, got in zip(*results):
        assert torch.equal(got.cpu(), expected)


def test_ids_out_of_range_name_nothing(kernels: Engine) -> None:
    ids = torch.tensor([[[3, -1, 8, 2**31 - 1]]], dtype=torch.int32, device=kernels.device)
    counts = torch.tensor([[[2, 4]]], dtype=torch.int32, device=kernels.device)
    values = torch.ones(1, 1, 4, device=kernels.device, requires_grad=True)
    rows = popsnn.cuda.expand_spikes(ids, counts, values, 8, torch.float32)
    assert rows.nonzero().tolist() == [[0, 0, 3]]
    rows.sum().backward()
    assert values.grad is not None
    assert values.grad.flatten().tolist() == [1, 0, 0, 0]


def test_counts_beyond_the_capacity_name_nothing_more(kernels: Engine) -> None:
    ids = torch.tensor([[[1, 2]], [[3, 4]]], dtype=torch.int32, device=kernels.device)
    counts = torch.tensor([[[3, 3]], [[2, 2]]], dtype=torch.int32, device=kernels.device)
    for values in (None, torch.ones(2, 1, 2, device=kernels.device)):
        rows = popsnn.cuda.expand_spikes(ids, counts, values, 8, torch.float32)
        assert rows.nonzero().tolist() == [[0, 0, 1], [0, 0, 2], [1, 0, 3], [1, 0, 4]]


# What torch loads for forward-mode differentiation is deprecated there.
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
def test_to_dense_runs_the_kernel(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> None:
    launched: list[str] = []
    run = expanding._launch
    monkeypatch.setattr(
        expanding, "_launch", lambda name, *given: launched.append(name) or run(name, *given)
    )
    lists = drawn(5, 3, 40, 9, 0)
    x = SpikeTensor(lists.ids, lists.counts, 40).to(str(gpu))
    assert torch.equal(x.to_dense().cpu(), SpikeTensor(lists.ids, lists.counts, 40).to_dense())
    leaf = x.values.clone().requires_grad_()
    x = SpikeTensor(x.ids, x.counts, 40, values=leaf)
    x.to_dense().sum().backward()
    assert launched == ["expand_spikes", "expand_spikes", "gather_spikes"]
    assert x.to_dense(torch.float64).dtype == torch.float64
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(leaf.detach(), torch.ones_like(leaf))
        x = SpikeTensor(x.ids, x.counts, 40, values=dual, check=False)
        tangent = torch.autograd.forward_ad.unpack_dual(x.to_dense()).tangent
    assert int(tangent.sum()) == int(x.counts[..., 1].sum())
    assert len(launched) == 3


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    assert constants(header("events/expand_spikes"))["kExpandSpikesThreads"] == THREADS


@pytest.mark.parametrize("dtype", TYPES)
def test_compiles(dtype: torch.dtype) -> None:
    for vector in (1, 16 // (torch.finfo(dtype).bits // 8)):
        assert most_spilt(source(torch.float32, dtype, vector), "sm_80") == 0
