"""nn.RecurrentSpiking and nn.RecurrentLIF: recurrent layers of any neuron as modules."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor

from popsnn import functional, neurons, nn
from popsnn.convert.modules import RecurrentNeurons


def current(steps: int = 12) -> Tensor:
    return 2 * torch.randn(steps, 3, 6, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("name", neurons.__all__)
def test_it_is_the_recurrent_scan_of_every_neuron(name: str) -> None:
    kind = getattr(neurons, name)
    if not (isinstance(kind, type) and issubclass(kind, neurons.Neuron)) or kind is neurons.Neuron:
        return
    neuron = kind()
    if not neuron.spiking:
        with pytest.raises(ValueError, match=r"neuron: expected one that spikes, got LI\("):
            nn.RecurrentSpiking(neuron, 6)
        return
    torch.manual_seed(1)
    layer = nn.RecurrentSpiking(neuron, 6)
    x = current()
    x = (x,) * len(neuron.inputs) if len(getattr(neuron, "inputs", "x")) > 1 else x
    values = dict(zip(neuron.parameters, neuron.defaults))
    expected = functional.recurrent_scan("test", neuron, x, layer.recurrent_weight, None, values)
    spikes, state = layer(x, return_state=True)
    assert torch.equal(spikes, expected.spikes)
    assert type(state)._fields == neuron.states
    for mine, theirs in zip(state, expected.state):
        assert torch.equal(mine, theirs)


def test_parts_of_a_sequence_are_the_whole() -> None:
    layer = nn.RecurrentLIF(6, reset="subtract")
    x = current()
    whole = layer(x)
    first, state = layer(x[:5], return_state=True)
    assert torch.equal(torch.cat([first, layer(x[5:], state)]), whole)


def test_it_learns_weights_and_parameters() -> None:
    torch.manual_seed(0)
    layer = nn.RecurrentLIF(6, 0.8, learn_beta=True, surrogate="atan")
    layer(current()).mean().backward()
    assert layer.recurrent_weight.grad is not None
    assert float(layer.recurrent_weight.grad.abs().sum()) > 0
    assert layer.beta.grad is not None
    assert not isinstance(layer.threshold, torch.nn.Parameter)
    names = [name for name, _ in layer.named_parameters()]
    assert sorted(names) == ["beta", "recurrent_weight"]
    other = nn.RecurrentLIF(6, 0.5, learn_beta=True, surrogate="atan")
    other.load_state_dict(layer.state_dict())
    assert torch.equal(other(current()), layer(current()))


def test_weights_are_rounded() -> None:
    layer = nn.RecurrentLIF(6, weight_dtype=torch.bfloat16)
    rounded = nn.RecurrentLIF(6)
    with torch.no_grad():
        rounded.recurrent_weight.copy_(layer.recurrent_weight.bfloat16().float())
    assert torch.equal(layer(current()), rounded(current()))
    assert repr(layer).startswith("RecurrentLIF(6, LIF(reset='zero', detach_reset=True), beta=0.9")
    assert "weight_dtype=torch.bfloat16" in repr(layer)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: nn.RecurrentLIF(0), ValueError, "RecurrentLIF: size: expected at least 1, got 0"),
        (lambda: nn.RecurrentLIF(3, 1.5), ValueError, r"RecurrentLIF: beta: .* \[0, 1\], got 1.5"),
        (lambda: nn.RecurrentLIF(3, learn_beta=1), TypeError, "learn_beta: expected True or"),
        (
            lambda: nn.RecurrentLIF(3, weight_dtype=torch.float64),
            ValueError,
            "RecurrentLIF: weight_dtype: expected None, torch.bfloat16, torch.float16 or torch.flo",
        ),
        (
            lambda: nn.RecurrentSpiking(neurons.AdLIF(), 3, learn=["gamma"]),
            ValueError,
            "RecurrentSpiking: learn: expected names among",
        ),
        (
            lambda: nn.RecurrentLIF(5)(current()),
            ValueError,
            r"shape \[T, B, 5\], got \(12, 3, 6\)",
        ),
        (lambda: nn.RecurrentLIF(6)(current()[0]), ValueError, r"RecurrentLIF: current: .*\(3, 6"),
    ],
)
def test_what_does_not_fit(call: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        call()


@pytest.mark.parametrize("name", [None, "excitatory", "inhibitory"])
def test_the_input_that_spikes_come_back_to(name: str | None) -> None:
    torch.manual_seed(0)
    neuron = neurons.ConductanceLIF()
    layer = nn.RecurrentSpiking(neuron, 6, recurrent_input=name)
    with torch.no_grad():
        layer.recurrent_weight.abs_()
    x = (current(30), current(30) / 8)
    values = dict(zip(neuron.parameters, neuron.defaults))
    expected = functional.recurrent_scan(
        "test", neuron, x, layer.recurrent_weight, None, values, recurrent_input=name
    )
    assert torch.equal(layer(x), expected.spikes)
    assert float(layer(x).detach().mean()) > 0.01
    assert ("recurrent_input='inhibitory'" in repr(layer)) is (name == "inhibitory")
    first = nn.RecurrentSpiking(neuron, 6)
    first.load_state_dict(layer.state_dict())
    assert torch.equal(first(x), layer(x)) is (name != "inhibitory")
    with pytest.raises(ValueError, match="recurrent_input: expected one of excitatory, inhib"):
        nn.RecurrentSpiking(neuron, 6, recurrent_input="v")


def test_a_layer_that_was_pickled_without_recurrent_input() -> None:
    layer = nn.RecurrentLIF(6)
    expected = layer(current())
    state = {key: value for key, value in vars(layer).items() if key != "recurrent_input"}
    older = nn.RecurrentLIF.__new__(nn.RecurrentLIF)
    older.__setstate__(state)
    assert torch.equal(older(current()), expected)


KINDS = ("axonal", "dendritic", "synaptic")


def delayed(kind: str, **options: Any) -> nn.RecurrentLIF:
    torch.manual_seed(2)
    return nn.RecurrentLIF(6, 0.8, delay=nn.Delays(kind, 3, learn=True), **options)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("training", [True, False])
def test_delays_are_those_of_the_recurrent_scan(kind: str, training: bool) -> None:
    layer = delayed(kind).train(training)
    assert layer.delay is not None
    out = layer(current())
    values = {"beta": layer.beta, "threshold": layer.threshold}
    expected = functional.recurrent_scan(
        "test", layer.neuron, current(), layer.recurrent_weight, None, values,
        delay=layer.delay.now(),
    )  # fmt: skip
    assert torch.equal(out, expected.spikes)
    assert not torch.equal(out, delayed(kind, reset="none")(current()))
    out.mean().backward()
    grad = layer.delay.steps.grad
    assert bool(grad is not None and grad.any()) == training


@pytest.mark.parametrize("kind", KINDS)
def test_parts_of_a_sequence_with_delays_are_the_whole(kind: str) -> None:
    layer, x = delayed(kind), current()
    whole = layer(x)
    parts, state = [], None
    for part in x.split([5, 1, 6]):
        spikes, state = layer(part, state, return_state=True)
        parts.append(spikes)
    assert torch.equal(torch.cat(parts), whole)
    assert isinstance(state, nn.DelayedState)
    assert torch.equal(state.states.s, whole[-1])
    assert torch.equal(state.spikes, whole[-4:-1])
    spikes, state = layer.step(x[0])
    assert torch.equal(spikes, whole[0])
    assert torch.equal(layer.step(x[1], state)[0], whole[1])


def test_converted_neurons_have_delays_too() -> None:
    torch.manual_seed(3)
    delay = nn.Delays("axonal", 3, learn=True)
    layer = RecurrentNeurons(neurons.LIF(), 6, start={"v": 0.5}, delay=delay)
    whole, x = layer(current()), current()
    first, state = layer(x[:5], return_state=True)
    assert torch.equal(torch.cat([first, layer(x[5:], state)]), whole)


def test_delays_are_part_of_the_layer() -> None:
    layer = delayed("axonal")
    names = dict(layer.named_parameters())
    assert names["delay.steps"].shape == (6,)
    other = delayed("axonal")
    other.load_state_dict(layer.state_dict())
    again = pickle.loads(pickle.dumps(layer))
    for each in (other, again, copy.deepcopy(layer)):
        assert torch.equal(each(current()), layer(current()))
    assert "axonal, maximum=3" in repr(layer)
    layer.delay = None
    assert torch.equal(layer(current()), functional.recurrent_lif(
        current(), layer.recurrent_weight, beta=0.8
    ).spikes)  # fmt: skip


def test_layers_of_a_time_before_delays_are_restored() -> None:
    layer = nn.RecurrentLIF(6)
    state = {name: value for name, value in vars(layer).items() if name != "delay"}
    old = nn.RecurrentLIF.__new__(nn.RecurrentLIF)
    old.__setstate__(state)
    assert torch.equal(old(current()), layer(current()))


class Late(neurons.Neuron):
    """A neuron whose parameter has the name of an option."""

    states = ("v", "s")
    parameters: ClassVar = {"threshold": 1.0, "delay": 1.0}

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        v = p.delay * state.v + x
        return v, fire(v, p.threshold)


def test_delays_that_do_not_fit_are_refused() -> None:
    plain, with_delays = nn.RecurrentLIF(6), delayed("axonal")
    _, state = plain(current(), return_state=True)
    _, delayed_state = with_delays(current(), return_state=True)
    calls = {
        "RecurrentLIF: delay: expected Delays or None, got int": lambda: nn.RecurrentLIF(
            6, delay=2
        ),
        "RecurrentLIF: delay: expected steps of shape (6,) of axonal delays, got (5,)": (
            lambda: nn.RecurrentLIF(6, delay=nn.Delays("axonal", 2, torch.zeros(5)))
        ),
        "RecurrentLIF: state: expected a DelayedState, got State": (
            lambda: with_delays(current(), state)
        ),
        "RecurrentLIF: state: expected the neuron's states, got DelayedState": (
            lambda: plain(current(), delayed_state)
        ),
        "before: expected shape (3, 3, 6), got (1, 3, 6)": (
            lambda: with_delays(current(), delayed_state._replace(spikes=torch.zeros(1, 3, 6)))
        ),
        "RecurrentSpiking: neuron: expected parameters of other names than the module's own "
        "attributes, got 'delay'": lambda: nn.RecurrentSpiking(Late(), 6),
    }
    for sentence, call in calls.items():
        with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
            call()
