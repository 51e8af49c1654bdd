"""Tables of docs/how-to/coming-from-other-libraries.md: both sides of each line are run.

Each line has code of another library and code of popsnn; a package that is missing skips its lines.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any, Iterator, NamedTuple

import pytest
import torch
from tests.python.neurons.test_parity import CASES
from torch import Tensor

import popsnn
from popsnn import functional, neurons, nn
from popsnn import surrogate as surrogates

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/coming-from-other-libraries.md"
PACKAGES = {"snnTorch": "snntorch", "SpikingJelly": "spikingjelly", "norse": "norse"}
LINE = re.compile(r"^\| `(?P<theirs>[^`|]+)` \| `(?P<ours>[^`|]+)` \|[^|]*\|$")
STEPS, BATCH, NEURONS = 60, 4, 32
SURROGATE = {
    "snntorch": surrogates.ATan(2.0),
    "spikingjelly": surrogates.Sigmoid(4.0),
    "norse": surrogates.SuperSpike(1.0),
}
OURS = {
    "functional": functional,
    "neurons": neurons,
    "nn": nn,
    "surrogate": surrogates,
    "torch": torch,
    "late": lambda x: torch.cat([torch.zeros_like(x[:1]), x[:-1]]),
    "linear": lambda x: x,  # the identity, as the cell's input weights are here
}


class Line(NamedTuple):
    """A line of a table."""

    package: str
    theirs: str
    ours: str


def lines() -> list[Line]:
    found, package = [], ""
    for text in PAGE.read_text("utf-8").splitlines():
        if text.startswith("## "):
            package = PACKAGES.get(text[3:], "")
        match = LINE.match(text)
        if match is not None:
            found.append(Line(package, match["theirs"], match["ours"]))
    return found


LINES = lines()


def of_kind(*kinds: str) -> Any:
    chosen = [line for line in LINES if kind_of(line) in kinds]
    return pytest.mark.parametrize("line", chosen, ids=[line.theirs for line in chosen])


def kind_of(line: Line) -> str:
    for name in ("surrogate", "layer", "snn.functional"):
        if line.theirs.startswith(f"{name}."):
            return name
    return "neuron"


def their(line: Line) -> Any:
    """Return what their side of a line makes."""
    pytest.importorskip(line.package)
    if line.package == "snntorch":
        package = import_module("snntorch")
        import_module("snntorch.functional")
        names = {"snn": package, "surrogate": import_module("snntorch.surrogate")}
    elif line.package == "spikingjelly":
        names = {
            name: import_module(f"spikingjelly.activation_based.{name}")
            for name in ("layer", "neuron", "surrogate")
        }
    else:
        names = {"norse": import_module("norse.torch")}
    return eval(line.theirs, {"torch": torch, **names})


@pytest.fixture
def double() -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def over_time(package: str, module: Any, x: Tensor, weight: Tensor) -> Tensor:
    """Return the output of their neurons over x [T, B, N], with recurrent weights [N, N]."""
    if package == "spikingjelly":
        module.step_mode = "m"
        out: Tensor = module.to(x.dtype)(x)
        return out
    states: Any = None
    if package == "snntorch":
        module.to(x.dtype)
        looped = hasattr(module, "recurrent")
        if looped:
            del module.recurrent.weight
            module.recurrent.weight = weight
            torch.nn.init.zeros_(module.recurrent.bias)
            number = 3 if "Synaptic" in type(module).__name__ else 2
            states = tuple(torch.zeros_like(x[0]) for _ in range(number))
        else:
            module.init_hidden, module.output = True, False
    else:
        values = module.p._asdict()
        module.p = type(module.p)(
            **{
                key: torch.as_tensor(value, dtype=x.dtype)
                if isinstance(value, (float, Tensor)) and key != "alpha"
                else value
                for key, value in values.items()
            }
        )
        if hasattr(module, "recurrent_weights"):
            module.autapses = True
            module.input_weights = torch.nn.Parameter(torch.eye(len(weight)))
            del module.recurrent_weights
            module.recurrent_weights = weight
    outs = []
    for current in x:
        if package == "norse":
            spikes, states = module(current, states)
        elif states is None:
            spikes = module(current)
        else:
            spikes, *_ = states = module(current, *states)
        outs.append(spikes)
    return torch.stack(outs).to(x.dtype)


@of_kind("neuron")
@pytest.mark.usefixtures("double")
def test_neurons_have_their_spikes_and_gradients(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surrogates, "_DEFAULT", SURROGATE[line.package])
    looped = "Recurrent" in line.ours
    # Their recurrent spikes are float32 whatever the membrane is.
    exact = not (looped and line.package == "snntorch")
    dtype = torch.float64 if exact else torch.float32
    torch.set_default_dtype(dtype)
    generator = torch.Generator().manual_seed(0)
    noise, grads = torch.randn(2, STEPS, BATCH, NEURONS, generator=generator, dtype=dtype)
    weight = 0.3 / NEURONS**0.5 * torch.randn(NEURONS, NEURONS, generator=generator, dtype=dtype)
    factor = 0.1 if line.package == "norse" else 1.0

    def given(layer: Any) -> None:
        with torch.no_grad():
            layer.recurrent_weight.copy_(factor * weight)

    monkeypatch.setattr(nn.RecurrentSpiking, "reset_parameters", given)
    for gain in (0.25, 0.6, 1.5, 3.0, 6.0):  # currents that make both spike now and then
        results = []
        for side in ("theirs", "ours"):
            x = (gain * (noise + 0.3)).requires_grad_()
            if side == "theirs":
                module = their(line)
                default(line, module)
                spikes = over_time(line.package, module, x, torch.nn.Parameter(weight.clone()))
            else:
                state = (torch.full_like(x[0], -0.1), torch.zeros_like(x[0]))
                plif = nn.PLIF(0.5, detach_reset=False)
                spikes = eval(line.ours, {**OURS, "x": x, "state": state, "plif": plif})
            (grad,) = torch.autograd.grad((spikes * grads).sum(), x)
            results.append((spikes.detach(), grad))
        (expected, expected_grad), (got, grad) = results
        if "LeakyIntegrator(0.9)" in line.ours:  # whose output is a membrane
            torch.testing.assert_close(got, expected)
        else:
            assert torch.equal(got, expected)
        error = float((grad - expected_grad).norm() / expected_grad.norm())
        assert error < (1e-6 if exact else 2e-5)
        if 0.01 < float((got >= 1).to(dtype).mean()) < 0.8 or "LeakyIntegrator(0.9)" in line.ours:
            return
    pytest.fail("no current makes these neurons spike now and then")


def default(line: Line, module: Any) -> None:
    """Let their neuron have the surrogate that the page names as the default."""
    if line.package == "snntorch":
        module.spike_grad = import_module("snntorch.surrogate").atan(2.0)
    if line.package == "spikingjelly":
        shapes = import_module("spikingjelly.activation_based.surrogate")
        module.surrogate_function = shapes.Sigmoid(4.0)


@of_kind("surrogate")
def test_surrogates_have_their_derivatives(line: Line) -> None:
    x = torch.linspace(-3, 3, 601, dtype=torch.float64).requires_grad_()
    theirs, ours = their(line), eval(line.ours, dict(OURS))
    (expected,) = torch.autograd.grad(theirs(x).sum(), x)
    torch.testing.assert_close(ours.derivative(x.detach()), expected, rtol=1e-6, atol=1e-9)


def test_default_surrogates_are_those_that_the_page_says() -> None:
    snntorch = pytest.importorskip("snntorch")
    neuron = pytest.importorskip("spikingjelly.activation_based.neuron")
    x = torch.linspace(-3, 3, 601).requires_grad_()
    for theirs, name in (
        (snntorch.Leaky(0.9).spike_grad, "snntorch"),
        (neuron.LIFNode().surrogate_function, "spikingjelly"),
    ):
        (expected,) = torch.autograd.grad(theirs(x).sum(), x)
        torch.testing.assert_close(SURROGATE[name].derivative(x.detach()), expected)
    assert popsnn.nn.LIF().surrogate == surrogates.SuperSpike(10.0)


@of_kind("layer")
def test_layers_have_their_outputs(line: Line) -> None:
    images = torch.randn(5, 3, 2, 8, 8)
    outs = []
    for side in ("theirs", "ours"):
        torch.manual_seed(1)  # for the same weights and masks
        if side == "theirs":
            module = their(line)
            if hasattr(module, "step_mode"):
                module.step_mode = "m"
            outs.append(module(images))
        else:
            outs.append(eval(line.ours, {**OURS, "images": images}))
    torch.testing.assert_close(*outs)
    assert outs[0].shape == outs[1].shape


@of_kind("snn.functional")
def test_losses_have_their_values(line: Line) -> None:
    spikes = (torch.rand(20, 6, 4) < 0.3).float()
    labels = torch.arange(6) % 4
    expected = their(line)(spikes, labels)
    got = eval(line.ours, {**OURS, "spikes": spikes, "labels": labels})
    torch.testing.assert_close(got, expected.reshape(()))  # some of theirs have shape [1]


def test_every_line_is_code_of_a_library_and_every_library_is_there() -> None:
    tables = [
        text
        for text in PAGE.read_text("utf-8").splitlines()
        if text.startswith("|") and not re.match(r"\| (?:---|snnTorch|SpikingJelly|norse) \|", text)
    ]
    assert len(tables) == len(LINES)
    assert {line.package for line in LINES} == set(PACKAGES.values())


def test_every_neuron_and_surrogate_of_the_tests_of_parity_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    names = {re.split(r"\W", name)[0] for name in CASES}
    assert {name for name in names if not re.search(rf"\b{name}(?:Cell)?\b", page)} == set()
