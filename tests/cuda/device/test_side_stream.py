"""Order of a network's work in the streams of a step that a graph records."""

from __future__ import annotations

from typing import Any, Iterator

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.streams import Order

from popsnn import SpikeTensor
from popsnn.cuda.device import launch, products, side_stream
from popsnn.cuda.device.side_stream import SideStream
from popsnn.cuda.layer import overlapped
from popsnn.cuda.layer import weight as layer_weight
from popsnn.cuda.layer.overlapped import OverlappedLayers
from popsnn.engines import cuda_engine
from popsnn.nn import LI, SNN, SparseLIF


class Cuda:
    """Stands for a device where kernels run on the CPU."""

    type = "cuda"


@pytest.fixture
def order(layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Order]:
    if layer_kernels.name != "host":
        pytest.skip("the streams are those of the tests")
    mode, load = Order(), launch.load

    class Watched:
        def __init__(self, *arguments: Any) -> None:
            self.module = load(*arguments)

        def launch(self, name: str, *rest: Any) -> None:
            mode.launched(name, rest[3])
            self.module.launch(name, *rest)

    monkeypatch.setattr(launch, "load", Watched)
    monkeypatch.setattr(torch.cuda, "Stream", mode.stream)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda _=None: mode.current)
    monkeypatch.setattr(torch.cuda, "stream", mode.on)
    monkeypatch.setattr(side_stream, "recording", lambda _: True)
    monkeypatch.setattr(overlapped, "chunk_count", lambda device, steps, blocks: 3)
    monkeypatch.setattr(cuda_engine, "OverlappedLayers", lambda _: OverlappedLayers(Cuda()))  # type: ignore[arg-type]
    yield mode
    side_stream._side_stream.cache_clear()
    overlapped._streams.cache_clear()


@pytest.mark.parametrize("learning", [False, True])
@pytest.mark.parametrize("weight_dtype", [None, torch.float16])
@pytest.mark.parametrize("lists", [False, True])
def test_work_waits_for_what_it_reads(
    order: Order, lists: bool, weight_dtype: torch.dtype | None, learning: bool
) -> None:
    options: dict[str, Any] = {"delay": 1, "weight_dtype": weight_dtype}
    layers = [
        SparseLIF(99, 23, max_activity=0.2, grad_threshold=0.5, **options),
        SparseLIF(23, 40, recurrent=True, **options),
        SparseLIF(40, 24, max_activity=0.2, **options),
    ]
    net = SNN(*layers, LI(24, 5, **options), backend="cuda", check_input=False)
    x = (torch.rand(6, 3, 99) < 0.05).float()
    spikes = SpikeTensor.from_dense(x, capacity=11)
    order.given(x, spikes.ids, spikes.counts, *net.parameters(), *net.buffers())
    with torch.set_grad_enabled(learning), order:
        caller = order.current
        out = net(spikes if lists else x)
        out + 0
    assert order.current is caller
    assert not order.races
    assert sum(stream.done[stream.number] > 0 for stream in order.streams) > 8
    for stream in order.streams:  # a graph is one only where all streams come back
        assert caller.done[stream.number] == stream.done[stream.number]


def test_zeros_beside_a_product_are_there_behind_it(order: Order) -> None:
    """They and the product are parts of one tensor, which the order takes as one."""
    grad, weight = torch.randn(4, 3, 16), torch.randn(16, 8)
    with order:
        result, _ = products.input_gradient(grad, weight, 1, False)
    assert sum(stream.done[stream.number] > 0 for stream in order.streams) == 2
    for stream in order.streams:
        assert order.current.done[stream.number] == stream.done[stream.number]
    torch.testing.assert_close(result[:3], grad[1:] @ weight)
    assert not result[3].any()


def test_a_gradient_keeps_all_that_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what the caller's stream made, the carried spikes too, which may need no padding."""
    saved: list[torch.Tensor] = []
    monkeypatch.setattr(layer_weight, "keep_for_current", saved.append)
    weight = torch.randn(16, 8, requires_grad=True)
    inputs = layer_weight.layer_weight(weight, torch.float32, SideStream(torch.device("cpu")))
    x, before, grad = torch.rand(3, 2, 8), torch.rand(2, 8), torch.randn(3, 2, 16)
    of_products = layer_weight.gradient_of(inputs, x, before, 3, 2, 1, spikes=False)
    assert of_products is not None
    of_products.backward(grad)
    assert {tensor.data_ptr() for tensor in saved} == {
        gradient.data_ptr() for gradient in (x, before, grad)
    }
    seen = torch.cat([before[None], x[:2]])
    torch.testing.assert_close(weight.grad, torch.einsum("tbn,tbm->nm", grad, seen))
