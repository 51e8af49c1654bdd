from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import most_spilt

from popsnn import SpikeTensor
from popsnn.cuda.device import properties
from popsnn.cuda.events import events
from popsnn.cuda.events.events import Lists
from popsnn.cuda.layer import padded_rows
from popsnn.engines.cuda_layers import input_rows

DTYPES = [torch.float32, torch.bfloat16]


def lists_of(
    steps: int, batch: int, size: int, active_set: int, device: torch.device
) -> SpikeTensor:
    x = (torch.rand(steps, batch, size) < 0.7 * active_set / size).float()
    return SpikeTensor.from_dense(x, capacity=active_set).to(device)


@pytest.mark.parametrize(
    ("size", "active_set", "neurons", "delay", "dtype"),
    [
        (72, 20, 37, 0, torch.bfloat16),
        (71, 18, 70, 1, torch.bfloat16),
        (41, 7, 16, 1, torch.float32),
        (4608, 12, 20, 0, torch.float32),
    ],
)
def test_currents_of_lists(
    kernels: Engine, size: int, active_set: int, neurons: int, delay: int, dtype: torch.dtype
) -> None:
    x = lists_of(3, 5, size, active_set, kernels.device)
    lists = Lists(x.ids, x.counts, size)
    if events.shared_bytes(size, dtype, kernels.device) is None:
        assert not pays(lists, dtype)
        return
    weight = torch.randn(neurons, size, device=kernels.device)
    got = events.currents(lists, weight, delay, dtype)
    assert got.shape == (3, 5, padded_rows.padded(neurons))
    rounded = weight.to(dtype).double()
    expected = (x.to_dense().double() @ rounded.t())[: 3 - delay]
    torch.testing.assert_close(got[delay:, :, :neurons].double(), expected, rtol=0, atol=1e-5)
    assert not got[delay:, :, neurons:].any()


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_of_lists(kernels: Engine, dtype: torch.dtype) -> None:
    x = lists_of(3, 5, 70, 9, kernels.device)
    rows = Lists(x.ids, x.counts, 70).rows(dtype)
    assert rows.shape == (3, 5, 72)
    assert torch.equal(rows[..., :70], x.to_dense(dtype))
    assert not rows[..., 70:].any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 8, 70, 300])
@pytest.mark.parametrize("given", [torch.float32, torch.float64, torch.uint8])
def test_rows_of_dense_spikes(
    kernels: Engine, size: int, dtype: torch.dtype, given: torch.dtype
) -> None:
    """All but 0 fired, NaN too."""
    x = (torch.rand(3, 5, size) < 0.5) * torch.tensor(3).to(given)
    if given.is_floating_point:
        x[0, 0, 0] = float("nan")
    for spikes in (x, x[1:], x.transpose(0, 1)):
        rows = padded_rows.spike_rows(spikes.to(kernels.device), dtype)
        assert rows.dtype == dtype
        assert torch.equal(rows[..., :size].cpu(), (spikes != 0).to(dtype))
        assert not rows[..., size:].any()


def test_rows_of_dense_spikes_that_are_not_aligned(kernels: Engine) -> None:
    x = (torch.rand(2 * 3 * 8 + 1, device=kernels.device) < 0.5).float()[1:].reshape(2, 3, 8)
    assert torch.equal(padded_rows.spike_rows(x, torch.bfloat16).float(), x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 8), (5, 13), (16, 24)])
def test_padded_weights(kernels: Engine, shape: tuple[int, int], dtype: torch.dtype) -> None:
    weight = torch.randn(shape, device=kernels.device)
    wide = padded_rows.pad_weight(weight, dtype)
    assert wide.shape == tuple(padded_rows.padded(n) for n in shape)
    assert torch.equal(wide[: shape[0], : shape[1]], weight.to(dtype))
    assert not wide[shape[0] :].any()
    assert not wide[:, shape[1] :].any()


def pays(lists: Lists, dtype: torch.dtype) -> bool:
    return events.takes(lists.ids.device, lists.size, lists.ids.shape[2], dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("learning", [False, True])
def test_rows_are_made_where_steps_come_in_pieces(
    kernels: Engine, dtype: torch.dtype, learning: bool
) -> None:
    x = lists_of(3, 5, 2000, 9, kernels.device)
    with torch.set_grad_enabled(learning):
        adds = pays(Lists(x.ids, x.counts, x.size), dtype)
        whole, in_chunks = (input_rows(x, dtype, chunks, adds, False) for chunks in (False, True))
    fits = events.shared_bytes(2000, dtype, kernels.device) is not None
    wide = dtype == torch.float32
    assert isinstance(whole, Lists) == fits
    assert isinstance(in_chunks, Lists) == (wide or (not learning and fits))


def test_gradients_of_rows_without_padding() -> None:
    x = torch.randn(2, 3, 8, requires_grad=True)
    weights = torch.randn(2, 3, 5)
    for inputs in (weights, weights[:1].expand(2, 3, 5), weights.transpose(1, 2).mT):
        out = padded_rows.unpadded(x, 5)
        assert torch.equal(out, x[..., :5])
        (got,) = torch.autograd.grad(out, x, inputs)
        (expected,) = torch.autograd.grad(x[..., :5], x, inputs)
        assert torch.equal(got, expected)
    assert padded_rows.unpadded(x, 8) is x


def test_lists_pay_where_they_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = torch.zeros(1, 1, 100, dtype=torch.int32)
    for dtype, size in ((torch.float32, 500), (torch.bfloat16, 2000)):
        short, long = (Lists(ids[..., :n], ids[..., :2], size) for n in (25, 100))
        assert pays(short, dtype)
        assert not pays(long, dtype)
        assert not pays(short._replace(size=10000), dtype)  # the weights do not fit
    monkeypatch.setattr(properties, "capability", lambda _: (8, 0))
    assert pays(short, torch.float32)
    assert not pays(short, torch.bfloat16)


@pytest.mark.parametrize(
    ("source", "arch"),
    [
        (events.source(64, True), "sm_80"),
        (events.narrow_source(True), "sm_90a"),
        (events.narrow_source(False), "sm_90a"),
        (padded_rows.source(torch.float32), "sm_80"),
    ],
    ids=["float32", "bfloat16", "any", "rows"],
)
def test_compiles_for_its_architecture(source: str, arch: str) -> None:
    assert most_spilt(source, arch) == 0
