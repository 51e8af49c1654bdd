"""Sequences in chunks, recurrence and learnt neurons, losses on hidden layers: every engine."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import SpikeTensor, nn
from popsnn.engines import LayerStats
from popsnn.nn import SNNState

CAPPED: dict[str, Any] = {"max_activity": 0.2, "grad_threshold": 0.4}


def network(engine: str, *layers: nn.SparseLIF | nn.LI) -> nn.SNN:
    """Return a network, or skip with the sentence that says why an engine cannot run it."""
    refused = "this engine trains weights and biases of feed-forward layers"
    try:
        return nn.SNN(*layers, backend=engine, seed=3)
    except ValueError as error:
        if refused in str(error):
            pytest.skip(str(error))
        raise


def build(engine: str, recurrent: bool = False, learnt: bool = False, **hidden: Any) -> nn.SNN:
    """Return three layers, the second late."""
    torch.manual_seed(0)
    options: dict[str, Any] = {"recurrent": recurrent, "learn_beta": learnt}
    layers = (
        nn.SparseLIF(12, 20, **options, learn_threshold=learnt, **hidden),
        nn.SparseLIF(20, 9, delay=1, **options, learn_threshold=learnt, **hidden),
        nn.LI(9, 4, learn_beta=learnt),
    )
    with torch.no_grad():
        for layer in layers[:2]:
            layer.weight.normal_(0.15, 0.5)
    return network(engine, *layers)


@pytest.fixture
def stateful(engine: str) -> str:
    """Name of an engine that takes and returns states."""
    try:
        nn.SNN(nn.LI(1, 1), backend=engine)(torch.zeros(1, 1, 1), return_state=True)
    except ValueError as error:
        if "this engine begins at rest and returns no state" in str(error):
            pytest.skip(str(error))
        raise
    return engine


def spikes(steps: int = 8, batch: int = 5, seed: int = 1) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.rand(steps, batch, 12, generator=generator, device="cpu")
    return (drawn < 0.4).float().to(torch.empty(0).device)


def in_pieces(
    net: nn.SNN, x: Tensor, cuts: list[int], between: Callable[[SNNState], SNNState] = lambda s: s
) -> tuple[Tensor, SNNState, list[list[LayerStats]]]:
    state, outs, stats = None, [], []
    for begin, end in zip([0, *cuts], [*cuts, len(x)]):
        out, state = net(x[begin:end], None if state is None else between(state), return_state=True)
        outs.append(out)
        stats.append(net.stats())
    assert state is not None
    return torch.cat(outs), state, stats


@pytest.mark.parametrize("cuts", [[4], [1, 2, 7]], ids=str)
@pytest.mark.parametrize("recurrent", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_a_sequence_in_pieces_is_the_sequence(
    stateful: str, recurrent: bool, training: bool, cuts: list[int]
) -> None:
    net = build(stateful, recurrent, **CAPPED).train(training)
    other = copy.deepcopy(net)
    for call in range(2):  # the second sequence draws new drops where it trains
        whole, end = net(spikes(seed=call), return_state=True)
        stats = net.stats()
        out, state, chunks = in_pieces(other, spikes(seed=call), cuts)
        # On a GPU how a product is rounded depends on how many steps are in it.
        rounding = 1e-5 if stateful == "cuda" else 0.0
        torch.testing.assert_close(out, whole, rtol=rounding, atol=rounding)
        assert state.seed == end.seed
        for mine, expected in zip(state.layers, end.layers):
            assert mine.step == expected.step == 8
            for a, b in zip(mine[:3], expected[:3]):
                torch.testing.assert_close(a, b, rtol=rounding, atol=rounding)
        for layer, total in enumerate(stats):
            assert total.dropped_spikes > 0
            for name in ("spikes", "active", "dropped_spikes", "dropped_gradients"):
                assert sum(getattr(p[layer], name) for p in chunks) == getattr(total, name)
        assert int(other._calls) == int(net._calls) == (call + 1 if training else 0)


def test_a_state_is_what_the_layers_did_last(stateful: str) -> None:
    net = build(stateful, **CAPPED)
    x = spikes()
    out, state, traces = net(x, return_state=True, trace=True)
    torch.testing.assert_close(state.layers[0].x, x[-1])
    torch.testing.assert_close(state.layers[2].v, out[-1])
    for index in (0, 1):
        torch.testing.assert_close(state.layers[index].v, traces[index].membrane[-1])
        fired = traces[index].spikes.to_dense()[-1]
        torch.testing.assert_close(state.layers[index].s, fired)
        torch.testing.assert_close(state.layers[index + 1].x, fired)


def test_without_a_state_it_begins_at_rest(stateful: str) -> None:
    net = build(stateful, **CAPPED)
    other = copy.deepcopy(net)
    assert torch.equal(net(spikes()), other(spikes(), net.initial_state(5)))
    assert int(other._calls) == 1


@pytest.mark.parametrize("recurrent", [False, True])
def test_gradients_of_a_sequence_in_pieces(stateful: str, recurrent: bool) -> None:
    whole = build(stateful, recurrent)
    chunks = copy.deepcopy(whole)
    whole(spikes()).square().sum().backward()
    in_pieces(chunks, spikes(), [3, 5])[0].square().sum().backward()
    for (name, parameter), other in zip(whole.named_parameters(), chunks.parameters()):
        torch.testing.assert_close(
            parameter.grad,
            other.grad,
            rtol=1e-4,
            atol=1e-5,
            msg=lambda m, name=name: f"{name}: {m}",
        )


def test_a_detached_state_cuts_the_sequence(stateful: str) -> None:
    net = build(stateful)
    x = spikes().requires_grad_()
    _, state = net(x[:4], return_state=True)
    net(x[4:], state.detach()).square().sum().backward()
    assert x.grad is not None
    assert not x.grad[:4].any()
    assert bool(x.grad[4:].any())


def test_initial_membranes_are_learnt(stateful: str) -> None:
    net = build(stateful)
    begin = [torch.zeros(layer.out_features, requires_grad=True) for layer in net.stack]
    at_rest = net.initial_state(5)
    layers = tuple(layer._replace(v=v.expand(5, -1)) for layer, v in zip(at_rest.layers, begin))
    out, end = net(spikes(2), SNNState(layers), return_state=True)
    (out.square().sum() + sum(layer.v.square().sum() for layer in end.layers)).backward()
    for v in begin:
        assert v.grad is not None
        assert float(v.grad.abs().sum()) > 0


def test_the_end_state_carries_a_loss(stateful: str) -> None:
    net = build(stateful)
    _, state = net(spikes(), return_state=True)
    state.layers[0].v.square().sum().backward()
    gradient = net.layers[0].weight.grad
    assert gradient is not None
    assert float(gradient.abs().sum()) > 0


def test_every_parameter_of_recurrent_and_learnt_layers_gets_a_gradient(engine: str) -> None:
    net = build(engine, recurrent=True, learnt=True)
    net(spikes()).square().sum().backward()
    names = [name for name, _ in net.named_parameters()]
    assert len(names) == 5 + 5 + 3
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert float(parameter.grad.abs().sum()) > 0, name


def test_recurrent_layers_learn_to_remember(engine: str) -> None:
    """The order of two inputs, asked long after a decay of 0.5 has forgotten both."""
    hidden = nn.SparseLIF(12, 32, recurrent=True, beta=0.5, max_activity=0.5, grad_threshold=0.0)
    net = network(engine, hidden, nn.LI(32, 2, beta=0.5))
    labels = torch.arange(32) % 2
    x = torch.zeros(12, 32, 12)
    x[0, labels == 0, :6] = 1
    x[0, labels == 1, 6:] = 1
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-2)
    losses = []
    for _ in range(80):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x)[-1], labels)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.1 * losses[0]


def test_a_regulariser_of_the_activity_lowers_it() -> None:
    net = build("torch", grad_threshold=0.2)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    rates = []
    for _ in range(20):
        optimizer.zero_grad()
        _, traces = net(spikes(), trace=True)
        rate = traces[0].rate()
        rates.append(float(rate.detach().mean()))
        torch.testing.assert_close(rate, traces[0].spikes.to_dense().mean(0))
        rate.square().sum().backward()
        optimizer.step()
    assert rates[-1] < 0.5 * rates[0]
    with pytest.raises(
        ValueError, match="LayerTrace: rate: expected a layer that spikes, got a SparseLI"
    ):
        traces[2].rate()


def test_a_loss_on_the_spikes_of_every_layer() -> None:
    net = build("torch", recurrent=True, learnt=True)
    _, traces = net(spikes(), trace=True)
    (traces[0].spikes.to_dense().sum() + traces[1].membrane.square().sum()).backward()
    for name, parameter in net.named_parameters():
        touched = parameter.grad is not None and bool(parameter.grad.any())
        assert touched == (not name.startswith("layers.2")), name


def test_states_can_be_saved() -> None:
    net = build("torch")
    _, state = net(spikes(4), return_state=True)
    loaded = pickle.loads(pickle.dumps(state.detach()))
    assert torch.equal(net(spikes(), loaded), net(spikes(), state))


def test_states_that_do_not_fit(stateful: str) -> None:
    net = build(stateful)
    state = net.initial_state(5)
    first, second, third = state.layers

    def sentence(wrong: Any, kind: type[Exception], expected: str) -> None:
        with pytest.raises(kind, match=re.escape(expected)):
            net(spikes(), wrong)

    sentence(first, TypeError, "SNN: state: expected an SNNState, got SparseState")
    sentence(
        SNNState((first, second)), ValueError, "SNN: state: expected the states of 3 layers, got 2"
    )
    sentence(
        net.initial_state(4),
        ValueError,
        "SNN: layer 0: state.v: expected shape (5, 20), got (4, 20)",
    )
    sentence(
        SNNState((first, second._replace(x=torch.zeros(5, 9)), third)),
        ValueError,
        "SNN: layer 1: state.x: expected shape (5, 20), got (5, 9)",
    )
    sentence(
        SNNState((first, second._replace(step=2), third)),
        ValueError,
        "SNN: layer 1: state.step: expected 0 as in layer 0, got 2",
    )
    sentence(
        SNNState((first, second._replace(x=torch.ones(5, 20)), third)),
        ValueError,
        "SNN: layer 1: state.x: expected the spikes state.s of layer 0, got others",
    )
    sentence(
        SNNState((first, 3, third)),  # type: ignore[arg-type]
        TypeError,
        "SNN: layer 1: state: expected a SparseState, got int",
    )
    for seed in (-1, 2**32):
        wanted = f"SNN: state.seed: expected 0..4294967295, got {seed}"
        sentence(SNNState(state.layers, seed), ValueError, wanted)
    sentence(
        SNNState(state.layers, 1.5),  # type: ignore[arg-type]
        TypeError,
        "SNN: state.seed: expected an integer, got float",
    )
    with pytest.raises(ValueError, match=r"SNN.initial_state: batch: expected at least 1, got 0"):
        net.initial_state(0)


def test_a_sequence_has_as_many_steps_as_32_bits_count(stateful: str) -> None:
    net = build(stateful, **CAPPED)
    at_rest = net.initial_state(5).layers
    most = 2**32 - 1 - len(spikes())
    last = SNNState(tuple(layer._replace(step=most) for layer in at_rest), 7)
    _, end = net(spikes(), last, return_state=True)
    assert end.layers[0].step == 2**32 - 1
    beyond = SNNState(tuple(layer._replace(step=most + 1) for layer in at_rest), 7)
    wanted = f"SNN: layer 0: state.step: expected at most {most} before 8 more steps"
    sentence = f"{wanted}, got {most + 1}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(spikes(), beyond)


def test_a_state_of_double_precision() -> None:
    net = build("torch", recurrent=True, learnt=True).double()
    x = SpikeTensor.from_dense(spikes())
    out, state = net(x, return_state=True)
    assert out.dtype == state.layers[0].v.dtype == state.layers[1].x.dtype == torch.float64
    net(x, state)
