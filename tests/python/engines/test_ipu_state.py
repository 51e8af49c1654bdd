"""States in and out of the ipu engine: what it takes, and what it refuses."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, assume, given, settings
from tests.python.engines.agreement import agrees, assert_agree
from tests.python.engines.networks import as_definition, networks
from tests.python.extensions.adjoint_neurons import AttachedLIF, Quadratic
from tests.python.extensions.hand_written import ALIF as HandWritten

import popsnn
from popsnn import Neuron, neurons, surrogate
from popsnn.nn import LI, SNN, SNNState, SparseLIF, SparseNeurons

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


NEURONS: tuple[Neuron, ...] = (AttachedLIF(), Quadratic())


@pytest.mark.usefixtures("quick_codelets")
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(networks(drops=True, neurons=NEURONS))
def test_neurons_made_from_a_step_carry_their_states(spec: dict[str, Any]) -> None:
    assume(spec["state"] or spec["split"])
    assume(agrees(spec))


def net_of_neurons(neuron: Neuron, device: str = "host", **options: Any) -> SNN:
    """Return two layers, the second late, whose capacity drops spikes, and a readout."""
    torch.manual_seed(3)
    options = {
        "recurrent": True, "max_activity": 0.2, "grad_threshold": 0.3,
        "surrogate": surrogate.SuperSpike(2.0), **options,
    }  # fmt: skip
    first = SparseNeurons(12, 21, neuron, learn=neuron.parameters, **options)
    second = SparseNeurons(21, 9, neuron, delay=1, **options)
    with torch.no_grad():
        first.weight.normal_(0.1, 0.4)
        second.weight.normal_(0.1, 0.3)
    return SNN(first, second, LI(9, 4), backend="ipu", device=device)


@pytest.mark.parametrize("device", ["host", "host:checkpoint_interval=4", "host:replicas=2"])
@pytest.mark.parametrize("neuron", NEURONS, ids=str)
def test_states_of_neurons_go_on_where_spikes_were_dropped(neuron: Neuron, device: str) -> None:
    net = net_of_neurons(neuron, device)
    expected = assert_agree(net, frames(9), state_seed=7, split=5)
    assert all(int(trace.spikes.dropped[-1].sum()) > 0 for trace in expected.traces[:2])


@pytest.mark.parametrize("neuron", [*NEURONS, neurons.AdLIF()], ids=str)
def test_pieces_of_neurons_are_the_same_bits(neuron: Neuron) -> None:
    net = net_of_neurons(neuron).eval()
    x = frames(9)
    with torch.no_grad():
        whole, traces = net(x, trace=True)
        for cuts in ([4, 5], [1, 3, 5]):
            outs, state = [], None
            for chunk in x.split(cuts):
                out, state = net(chunk, state, return_state=True)
                outs.append(out)
            assert torch.equal(torch.cat(outs), whole)
            for layer, trace in zip(state.layers, traces[:2]):
                assert torch.equal(layer.v, trace.membrane[-1])
                assert torch.equal(layer.s, trace.spikes.to_dense()[-1])


def test_a_surrogate_that_codelets_do_not_have_carries_its_states() -> None:
    net = net_of(surrogate=surrogate.Custom(function_derivative=lambda u: torch.exp(-u * u)))
    assert_agree(net, frames(9), state_seed=2, split=4)


def test_spikes_of_a_state_are_its_own() -> None:
    """A neuron above its threshold that has not fired, and one below that has."""
    layer = SparseNeurons(12, 2, AttachedLIF(), bias=False)
    net = SNN(layer, LI(2, 2), backend="ipu").eval()
    state = changed(net.initial_state(1), v=torch.tensor([[2.0, 0.5]]), s=torch.eye(2)[1:])
    _, traces = net(torch.zeros(1, 1, 12), state, trace=True)
    torch.testing.assert_close(traces[0].membrane, torch.tensor([[[1.8, -0.45]]]))


def test_the_device_learns_from_carried_states() -> None:
    net = net_of_neurons(Quadratic())
    reference = copy.deepcopy(net)
    for each, optimizer in (
        (net, popsnn.optim.Adam(net, lr=0.01)),
        (reference, torch.optim.Adam(reference.parameters(), lr=0.01)),
    ):
        state = None
        for chunk in frames(9).split(3):
            optimizer.zero_grad()
            out, state = each(chunk, state, return_state=True)
            (out.square().sum() + state.layers[0].more[0].square().sum()).backward()
            optimizer.step()
            assert each is reference or not state.layers[0].s.requires_grad
            state = state.detach()
    trained = net.state_dict()
    for name, expected in reference.state_dict().items():
        torch.testing.assert_close(
            trained[name], expected, rtol=1e-4, atol=1e-6, msg=lambda m, name=name: f"{name}: {m}"
        )


def test_a_codelet_by_hand_carries_no_states() -> None:
    net = SNN(SparseNeurons(12, 21, HandWritten()), LI(21, 4), backend="ipu")
    sentence = (
        "ipu engine: state: layer 0: expected a neuron whose codelet is made from its step, since "
        "it alone takes and returns states, got ALIF(reset='zero', detach_reset=True): use the "
        "torch engine"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(frames(2), return_state=True)
