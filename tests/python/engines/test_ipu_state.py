"""States in and out of the ipu engine: what it takes, and what it refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from tests.python.engines.networks import as_definition

import popsnn
from popsnn.nn import LI, SNN, SNNState, SparseLIF

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


def net_of(**options: Any) -> SNN:
    torch.manual_seed(1)
    hidden = SparseLIF(12, 30, max_activity=0.2, grad_threshold=0.3, recurrent=True, **options)
    with torch.no_grad():
        hidden.weight.normal_(0.2, 0.6)
    return SNN(hidden, LI(30, 4), backend="ipu")


def frames(steps: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return (torch.rand(steps, 5, 12, generator=generator) < 0.3).float()


def changed(state: SNNState, **parts: torch.Tensor) -> SNNState:
    """Return a state with other parts in its first layer."""
    return SNNState((state.layers[0]._replace(**parts), *state.layers[1:]), state.seed)


def test_a_sequence_in_pieces_is_the_sequence() -> None:
    net, x = net_of(delay=1).eval(), frames(9)
    with torch.no_grad():
        whole, end = net(x, return_state=True)
        outs, state = [], None
        for chunk in x.split([1, 3, 5]):
            out, state = net(chunk, state, return_state=True)
            outs.append(out)
    assert torch.equal(torch.cat(outs), whole)
    for got, expected in zip(state.layers, end.layers):
        assert all(torch.equal(a, b) for a, b in zip(got[:3], expected[:3]))
        assert got.step == expected.step == 9


@pytest.mark.parametrize("gain", [1.0, 1.7])
@pytest.mark.parametrize("reset", ["zero", "subtract", "none"])
@pytest.mark.parametrize("sizes", [(3, 20), (7, 33, 50), (5, 130)], ids=str)
def test_outputs_are_the_same_bits_in_pieces_and_on_any_number_of_tiles(
    sizes: tuple[int, ...], reset: str, gain: float
) -> None:
    outs = []
    for device in ("host:tiles=1", "host:tiles=3", "host:tiles=8", "host:replicas=2,tiles=5"):
        torch.manual_seed(3)
        options: dict[str, Any] = {"reset": reset, "gain": gain, "max_activity": 0.4}
        hidden = [SparseLIF(*pair, recurrent=True, **options) for pair in zip(sizes, sizes[1:])]
        net = SNN(*hidden, LI(sizes[-1], 3, delay=1), backend="ipu", device=device).eval()
        x = (torch.rand(20, 2, sizes[0]) < 0.6).float()
        with torch.no_grad():
            whole, traces = net(x, trace=True)
            outs.append(torch.cat([trace.membrane for trace in traces], -1))
            first, state = net(x[:3], return_state=True)
            assert torch.equal(torch.cat([first, net(x[3:], state)]), whole)
    assert all(torch.equal(out, outs[0]) for out in outs)


def test_gradients_of_pieces_are_those_of_the_whole() -> None:
    x, grads = frames(9), []
    for chunks in ([9], [4, 5], [1, 3, 5]):
        net, values, total, state = net_of(delay=1), x.clone().requires_grad_(), 0.0, None
        for chunk in values.split(chunks):
            out, state = net(chunk, state, return_state=True)
            total = total + out.square().sum()
        total.backward()
        grads.append([values.grad, *(p.grad for p in net.parameters())])
    for grad in grads[1:]:
        for got, expected in zip(grad, grads[0]):
            assert float(expected.abs().max()) > 0
            torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("part", ["s", "x"])
def test_spikes_with_a_gradient_are_refused_while_the_device_updates(part: str) -> None:
    net = net_of()
    optimizer = popsnn.optim.SGD(net, lr=0.1)
    state = net.initial_state(5)
    with_gradient = torch.zeros_like(getattr(state.layers[0], part)).requires_grad_()
    sentence = (
        f"ipu engine: state: layer 0: {part}: expected spikes without a gradient while the device "
        "updates the weights, got some with one: detach the state"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(frames(2), changed(state, **{part: with_gradient}))
    with torch.no_grad():  # nobody asks for it
        net(frames(2), changed(state, **{part: with_gradient}))
    _, after = net(frames(2), state, return_state=True)
    assert not after.layers[0].s.requires_grad
    del optimizer


@pytest.mark.parametrize("part", ["s", "x"])
@pytest.mark.parametrize("value", [0.5, -1.0, 2.0, float("nan")])
def test_spikes_are_0_and_1(part: str, value: float) -> None:
    net = net_of()
    state = net.initial_state(5)
    spikes = torch.zeros_like(getattr(state.layers[0], part))
    spikes[3, 2] = value
    sentence = f"ipu engine: state: layer 0: {part}: expected spikes of 0 and 1, got other values"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(frames(2), changed(state, **{part: spikes}))


def test_more_spikes_than_places() -> None:
    net = net_of()
    state = net.initial_state(5)
    spikes = torch.zeros(5, 30)
    spikes[2, :9] = 1
    sentence = "ipu engine: state: layer 0: s: expected at most 6 spikes a sample, got 9"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(frames(2), changed(state, s=spikes))


def test_late_input_may_be_more_than_this_piece_has() -> None:
    net = net_of(delay=1)
    x = popsnn.SpikeTensor.from_dense(torch.zeros(2, 5, 12), capacity=1)
    state = changed(net.initial_state(5), x=torch.ones(5, 12))
    reference = as_definition(net)
    wide = SNNState(
        tuple(layer._replace(v=layer.v.double(), s=layer.s.double(), x=layer.x.double())
              for layer in state.layers),
        state.seed,
    )  # fmt: skip
    out, expected = net(x, state).detach(), reference(x, wide).detach()
    assert float(expected.abs().max()) > 0
    assert torch.allclose(out.double(), expected, rtol=1e-5, atol=1e-6)
