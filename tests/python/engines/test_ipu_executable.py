"""Executables of a network by shape: how many are cached, and who owns the parameters then."""

from __future__ import annotations

import pytest
import torch

import popsnn
from popsnn import optim
from popsnn.engines.ipu_engine import session_of
from popsnn.engines.ipu_executable import CACHED_EXECUTABLES, network_spec
from popsnn.nn import LI, SNN, SparseLIF

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


def network() -> SNN:
    torch.manual_seed(0)
    hidden = SparseLIF(6, 9, learn_beta=True)
    with torch.no_grad():
        hidden.weight.normal_(0.3, 0.6)
    return SNN(hidden, LI(9, 2), backend="ipu", device="host:tiles=4")


def batch(size: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(size)
    return (torch.rand(3, size, 6, generator=generator) < 0.4).float()


def test_a_shape_is_compiled_once() -> None:
    net = network()
    net(batch(2))
    (executable,) = session_of(net).executables.values()
    net(batch(3))
    net(batch(2))
    assert len(session_of(net).executables.values()) == 2
    assert session_of(net).executables.values()[-1] is executable


def test_shapes_of_long_ago_are_dropped() -> None:
    net = network()
    net(batch(1))
    (first,) = session_of(net).executables.values()
    for size in range(2, 2 + CACHED_EXECUTABLES):
        net(batch(size))
    cached = session_of(net).executables.values()
    assert len(cached) == CACHED_EXECUTABLES
    assert first not in cached


def test_what_a_dropped_shape_has_learnt_stays() -> None:
    net, reference = network(), network()
    for each, optimizer in (
        (net, optim.SGD(net, lr=0.1, momentum=0.5)),
        (reference, torch.optim.SGD(reference.parameters(), lr=0.1, momentum=0.5)),
    ):
        for _ in range(2):
            optimizer.zero_grad()
            each(batch(1)).square().mean().backward()
            optimizer.step()
            with torch.no_grad():
                for size in range(2, 2 + CACHED_EXECUTABLES):
                    each(batch(size))
    session = session_of(net)
    assert session.owner is None
    for parameter, other in zip(net.parameters(), reference.parameters()):
        torch.testing.assert_close(parameter.detach(), other.detach(), rtol=1e-4, atol=1e-5)


def test_a_description_says_what_an_executable_observes_and_learns() -> None:
    layers = [SparseLIF(6, 9, learn_beta=True), SparseLIF(9, 4, max_activity=0.5)]
    spec = network_spec(layers, 3, 2, 6)
    assert [layer.observed for layer in spec.layers] == [False, True]
    assert [layer.capacity for layer in spec.layers] == [9, 2]
    assert [layer.learnt for layer in spec.layers] == [0, 0]
    traced = network_spec(layers, 3, 2, 6, optimizer="adam", traced=True)
    assert [layer.observed for layer in traced.layers] == [True, True]
    learnt = [(layer.learnt, layer.lowest, layer.highest) for layer in traced.layers]
    assert learnt == [(1, (0.0,), (1.0,)), (0, (), ())]
    ends_in_membranes = network_spec([layers[0], LI(9, 2)], 3, 2, 6)
    assert [layer.observed for layer in ends_in_membranes.layers] == [False, False]
