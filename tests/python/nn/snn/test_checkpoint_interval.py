"""Networks whose passes save one checkpoint interval at a time: every engine."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any, Callable

import pytest
import torch
import torch.nn.utils.parametrize
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from popsnn import SpikeTensor, nn, surrogate

CAPPED: dict[str, Any] = {"max_activity": 0.2, "grad_threshold": 0.4}


def network(engine: str, interval: int | None = None, **hidden: Any) -> nn.SNN:
    """Return three layers, the second late and recurrent, whose neurons all learn."""
    torch.manual_seed(0)
    learnt = {"learn_beta": True, "learn_threshold": True}
    layers = (
        nn.SparseLIF(12, 20, **learnt, **hidden),
        nn.SparseLIF(20, 9, delay=1, recurrent=True, **learnt, **hidden),
        nn.LI(9, 4, learn_beta=True),
    )
    with torch.no_grad():
        for layer in layers[:2]:
            layer.weight.normal_(0.15, 0.5)
    return nn.SNN(*layers, backend=engine, seed=3, checkpoint_interval=interval)


def spikes(steps: int = 8, batch: int = 5) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    drawn = torch.rand(steps, batch, 12, generator=generator, device="cpu")
    return (drawn < 0.4).float().to(torch.empty(0).device)


def check_gradients(net: nn.SNN, other: nn.SNN) -> None:
    """Compare gradients, which are added up in another order."""
    for (name, parameter), twin in zip(net.named_parameters(), other.parameters()):
        assert parameter.grad is not None
        largest = float(parameter.grad.abs().max())
        assert largest > 0, name
        assert float((parameter.grad - twin.grad).abs().max()) <= 1e-5 * largest, name


@pytest.mark.parametrize("capped", [False, True])
@pytest.mark.parametrize(("steps", "interval"), [(8, 4), (7, 3), (3, 1), (4, 4)])
def test_outputs_and_gradients_are_those_of_the_whole_sequence(
    engine: str, steps: int, interval: int, capped: bool
) -> None:
    net = network(engine, **(CAPPED if capped else {}))
    other = copy.deepcopy(net)
    other.checkpoint_interval = interval
    x = spikes(steps)
    rounding = 1e-5 if engine == "cuda" else 0.0
    for _ in range(2):  # the second sequence draws other drops
        results = [each(x, return_state=True, trace=True) for each in (net, other)]
        (out, end, traces), (got, state, others) = results
        torch.testing.assert_close(got, out, rtol=rounding, atol=rounding)
        assert state.seed == end.seed
        for mine, expected in zip(state.layers, end.layers):
            assert mine.step == expected.step == steps
            torch.testing.assert_close(mine.v, expected.v, rtol=rounding, atol=rounding)
        for mine, expected in zip(others[:2], traces[:2]):
            assert torch.equal(mine.spikes.to_dense(), expected.spikes.to_dense())
        assert other.stats() == net.stats()
        for out, _, (first, *_) in results:
            (out.square().sum() + first.rate().square().sum()).backward()
    check_gradients(net, other)
    assert int(other._calls) == int(net._calls) == 2


def test_gradients_reach_the_state_and_the_input(engine: str) -> None:
    net = network(engine)
    other = copy.deepcopy(net)
    other.checkpoint_interval = 3
    gradients = []
    for each in (net, other):
        x = SpikeTensor.from_dense(spikes())
        x = SpikeTensor(x.ids, x.counts, x.size, values=x.values.clone().requires_grad_())
        state = each.initial_state(5)
        start = state.layers[0].v.fill_(0.2).requires_grad_()
        each(x, state).square().sum().backward()
        gradients.append((x.values.grad, start.grad))
    for expected, got in zip(*gradients):
        assert expected.abs().max() > 0
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)


def test_an_interval_is_saved_at_a_time() -> None:
    """Intervals save their first state alone, not the 64 steps."""

    def saved(interval: int | None) -> int:
        sizes: list[int] = []
        net = network("torch", interval)

        def pack(tensor: Tensor) -> Tensor:
            sizes.append(tensor.numel())
            return tensor

        with saved_tensors_hooks(pack, lambda tensor: tensor):
            out = net(spikes(64))
        out.sum().backward()
        return sum(sizes)

    assert saved(8) < saved(None) / 30


def test_evaluation_keeps_no_graph(engine: str) -> None:
    net = network(engine, 3, **CAPPED).eval()
    with torch.no_grad():
        out = net(spikes())
        net.checkpoint_interval = None
        expected = net(spikes())
    rounding = 1e-5 if engine == "cuda" else 0.0
    torch.testing.assert_close(out, expected, rtol=rounding, atol=rounding)


def test_a_capacity_that_grows_meanwhile_is_not_that_of_the_pass() -> None:
    net = network("torch", max_activity="auto", grad_threshold=0.4)
    for layer in net.automatic_layers().values():
        vars(layer)["capacity"] = 3
    other = copy.deepcopy(net)
    other.checkpoint_interval = 3
    x = spikes()
    for each in (net, other):
        out = each(x)
        for layer in each.automatic_layers().values():
            vars(layer)["capacity"] = layer.out_features
        out.square().sum().backward()
    check_gradients(net, other)


CHANGES: dict[str, Callable[[nn.SNN, SpikeTensor], object]] = {
    "layers.0.weight changed in place": lambda net, _: net.layers[0].weight.mul_(1),
    "x changed in place": lambda _, x: x.ids.mul_(1),
    "training=False": lambda net, _: net.eval(),
    "precision='tf32'": lambda net, _: setattr(net, "precision", "tf32"),
    "layers.0.gain=2.0": lambda net, _: setattr(net.layers[0], "gain", 2.0),
    "layers.0.max_activity=0.25": lambda net, _: setattr(net.layers[0], "max_activity", 0.25),
    "layers.0.surrogate=Triangle(width=2.0)": lambda net, _: setattr(
        net.layers[0], "surrogate", surrogate.Triangle(2.0)
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_since_is_refused(what: str) -> None:
    net, x = network("torch", 3), SpikeTensor.from_dense(spikes())
    out = net(x)
    with torch.no_grad():
        CHANGES[what](net, x)
    with pytest.raises(
        RuntimeError,
        match=r"^SNN: backward: expected parameters, options, input, state and mode of the forward "
        rf"pass, which checkpoint_interval=3 repeats, got {re.escape(what)}$",
    ):
        out.sum().backward()


class SomeWeights(torch.nn.Module):
    """A parametrization that draws which weights are used."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[Tensor] = []

    def forward(self, weight: Tensor) -> Tensor:
        self.drawn.append((torch.rand_like(weight) < 0.5).to(weight))
        return weight * self.drawn[-1]


def test_weights_that_are_drawn_are_repeated() -> None:
    net, weights = network("torch", 3), SomeWeights()
    net.check_input = False  # which reads weights too
    torch.nn.utils.parametrize.register_parametrization(net.layers[0], "weight", weights)
    weights.drawn.clear()
    out = net(spikes(8))
    first = list(weights.drawn)
    assert len(first) == 3
    assert not torch.equal(first[0], first[1])
    out.sum().backward()
    for again, expected in zip(weights.drawn[3:], reversed(first)):
        assert torch.equal(again, expected)
    assert len(weights.drawn) == 6


def test_a_network_that_was_pickled_without_the_option() -> None:
    net = network("torch")
    expected = net(spikes())
    vars(net).pop("checkpoint_interval")
    again = pickle.loads(pickle.dumps(net))
    assert again.checkpoint_interval is None
    torch.testing.assert_close(again(spikes()), expected, rtol=0, atol=0)


def test_an_interval_is_a_count_of_steps() -> None:
    with pytest.raises(ValueError, match=r"^SNN: checkpoint_interval: expected .*, got 0$"):
        network("torch", 0)
