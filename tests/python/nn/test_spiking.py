"""nn.Spiking: neurons of any kind as a module."""

from __future__ import annotations

import copy
import io
import re
from typing import Any, Callable

import pytest
import torch
from torch import Tensor

from popsnn import functional, neurons, nn
from popsnn.surrogate import ATan, SuperSpike


class Bare(neurons.Neuron):
    """Without defaults, and with a name that a module has."""

    states = ("v", "s")
    parameters = ("beta", "forward")

    def step(self, x: Tensor, state: Any, p: Any, fire: Any) -> Any:
        v = p.beta * state.v + p.forward * x
        return v, fire(v, 1.0)


def current(*shape: int) -> Tensor:
    return 2 * torch.randn(shape or (12, 2, 5), generator=torch.Generator().manual_seed(0))


def test_it_is_the_scan_of_the_neuron() -> None:
    layer = nn.Spiking(neurons.AdEx(), parameters={"tau": 5.0}, surrogate="atan")
    x = current()
    values = {**dict(zip(layer.neuron.parameters, layer.neuron.defaults)), "tau": 5.0}
    expected = functional.scan("test", neurons.AdEx(), x, None, values, surrogate=ATan())
    assert torch.equal(layer(x), expected.spikes)
    assert float(expected.spikes.sum()) > 0


def test_it_is_the_module_of_a_neuron_that_has_one() -> None:
    x = current()
    for module, neuron in (
        (nn.LIF(reset="subtract"), neurons.LIF("subtract")),
        (nn.SynapticLIF(), neurons.SynapticLIF()),
        (nn.AdaptiveLIF(), neurons.AdaptiveLIF("subtract")),
        (nn.PLIF(), neurons.PLIF()),
        (nn.IF(), neurons.IF()),
    ):
        assert torch.equal(nn.Spiking(neuron)(x), module(x))


def test_output_of_a_neuron_that_does_not_spike_is_the_membrane() -> None:
    x = current()
    assert torch.equal(nn.Spiking(neurons.LI())(x), nn.LeakyIntegrator()(x))


def test_state_has_the_names_of_the_neuron_and_continues_the_run() -> None:
    layer = nn.Spiking(neurons.AdLIF())
    x = 10 * current(20, 2, 5)
    whole, end = layer(x, return_state=True)
    first, state = layer(x[:7], return_state=True)
    assert state._fields == ("v", "w", "s")
    second, after = layer(x[7:], state, return_state=True)
    assert torch.equal(torch.cat([first, second]), whole)
    assert torch.equal(after.w, end.w)
    stream = io.BytesIO()
    torch.save(state, stream)
    stream.seek(0)
    assert torch.equal(torch.load(stream, weights_only=False).w, state.w)


def test_parameters_learn_in_the_shape_of_their_values() -> None:
    layer = nn.Spiking(
        neurons.AdaptiveLIF(), parameters={"beta": torch.full((5,), 0.5)}, learn=["beta", "kappa"]
    )
    assert {name: tuple(p.shape) for name, p in layer.named_parameters()} == {
        "beta": (5,),
        "kappa": (),
    }
    layer(current()).sum().backward()
    assert all(bool(p.grad.abs().sum() > 0) for p in layer.parameters())


def test_learnt_values_are_clamped_to_the_bounds_where_they_are_used() -> None:
    layer = nn.Spiking(neurons.LIF(), learn=["beta"])
    with torch.no_grad():
        layer.beta.fill_(1.5)
    assert torch.equal(layer(current()), nn.Spiking(neurons.IF())(current()))
    assert layer.beta.item() == 1.5


def test_state_dict_and_copies_keep_what_is_a_tensor() -> None:
    options: dict[str, Any] = {"learn": ["beta"]}
    made = nn.Spiking(neurons.LIF(), parameters={"threshold": torch.ones(5)}, **options)
    assert set(made.state_dict()) == {"beta", "threshold"}
    other = nn.Spiking(neurons.LIF(), parameters={"threshold": torch.zeros(5)}, **options)
    other.load_state_dict(made.state_dict())
    assert torch.equal(other.threshold, torch.ones(5))
    again = copy.deepcopy(made)
    assert torch.equal(again(current()), made(current()))


def test_print_shows_neuron_and_parameters() -> None:
    layer = nn.Spiking(neurons.LIF("subtract_after"), learn=["beta"], grad_threshold=0.5)
    assert str(layer) == (
        "Spiking(LIF(reset='subtract_after', detach_reset=True), beta=0.9 (learnt), threshold=1, "
        "surrogate=SuperSpike(slope=10.0), grad_threshold=0.5)"
    )
    assert str(nn.Spiking(neurons.LI())) == "Spiking(LI(), beta=0.9)"


@pytest.mark.filterwarnings("ignore")  # torch.compile's own, which differ from version to version
def test_compiles_as_one_graph() -> None:
    torch.compiler.reset()
    layer = nn.Spiking(neurons.AdLIF(), learn=["a"], surrogate=SuperSpike(4.0))
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    x = 5 * current(6, 2, 5)
    assert torch.equal(compiled(x), layer(x))
    grads = [torch.autograd.grad(run(x).pow(2).sum(), layer.a)[0] for run in (compiled, layer)]
    torch.testing.assert_close(*grads)


def test_options_are_checked_when_they_are_set() -> None:
    layer = nn.Spiking(neurons.LIF(), learn=["beta"])
    layer.threshold = torch.full((5,), 2.0)
    assert set(layer.state_dict()) == {"beta", "threshold"}
    with pytest.raises(ValueError, match="Spiking: threshold: expected a finite number"):
        layer.threshold = float("nan")
    with pytest.raises(AttributeError, match="Spiking: neuron: expected what the constructor"):
        layer.neuron = neurons.IF()


MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: nn.Spiking(neurons.LIF),  # type: ignore[arg-type]
        "Spiking: neuron: expected an instance of popsnn.Neuron, got LIF",
    ),
    (
        lambda: nn.Spiking(neurons.LIF(), parameters={"tau": 1.0}),
        "Spiking: parameters: expected names among ('beta', 'threshold'), got 'tau'",
    ),
    (
        lambda: nn.Spiking(neurons.LIF(), learn=["tau"]),
        "Spiking: learn: expected names among ('beta', 'threshold'), got 'tau'",
    ),
    (
        lambda: nn.Spiking(neurons.LIF(), learn="beta"),
        "Spiking: learn: expected a sequence of names, got 'beta'",
    ),
    (
        lambda: nn.Spiking(neurons.LIF(), parameters={"beta": 1.25}),
        "Spiking: beta: expected values in [0, 1], got 1.25",
    ),
    (
        lambda: nn.Spiking(neurons.AdEx(), parameters={"tau": torch.tensor([2.0, 0.5])}),
        "Spiking: tau: expected values in [1, inf], got 0.5",
    ),
    (
        lambda: nn.Spiking(neurons.LIF(), grad_threshold=1.5),
        "Spiking: grad_threshold: expected at most the threshold 1, got 1.5",
    ),
    (
        lambda: nn.Spiking(neurons.LI(), grad_threshold=0.5),
        "Spiking: grad_threshold: expected None of LI(), which has none",
    ),
    (
        lambda: nn.Spiking(Bare(), parameters={"forward": 1.0}),
        "Spiking: parameters: expected a value of beta, which has no default, got none",
    ),
    (
        lambda: nn.Spiking(Bare(), parameters={"beta": 0.5, "forward": 1.0}),
        "Spiking: neuron: expected parameters of other names than the module's own attributes, "
        "got 'forward'",
    ),
    (
        lambda: nn.Spiking(neurons.LIF(), backend="gpu"),
        "Spiking: backend: expected one of auto, torch, cuda, got 'gpu'",
    ),
]


@pytest.mark.parametrize(("call", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_mistakes_get_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}$"):
        call()
