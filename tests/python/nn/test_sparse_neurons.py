from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.python.extensions.adjoint_neurons import Bounded
from tests.python.extensions.hand_written import ALIF

import popsnn
from popsnn import neurons
from popsnn.nn import LI, SNN, SparseLIF, SparseNeurons

needs_ipu = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)
HEADER = (Path(__file__).parents[1] / "extensions" / "alif.hpp").read_text()


def shapes(layer: torch.nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(p.shape) for name, p in layer.named_parameters()}


def test_parameters_are_those_that_are_asked_for() -> None:
    layer = SparseNeurons(
        10,
        6,
        ALIF(),
        recurrent=True,
        parameters={"rho": 0.5, "kappa": torch.rand(6)},
        learn=["rho"],
    )
    assert shapes(layer) == {
        "weight": (6, 10), "recurrent_weight": (6, 6), "bias": (6,), "rho": (6,)
    }  # fmt: skip
    assert layer.beta == 0.9
    assert set(layer.state_dict()) == {"weight", "recurrent_weight", "bias", "rho", "kappa"}
    values = layer.neuron_parameters()
    assert values[:2] == (0.9, 1.0)
    assert torch.equal(values[2], torch.full((6,), 0.5))  # type: ignore[arg-type]
    assert "model=ALIF(reset='zero', detach_reset=True)" in repr(layer)


def test_a_learnt_leak_stays_a_leak() -> None:
    layer = SparseNeurons(10, 2, ALIF(), learn=["rho", "kappa"])
    with torch.no_grad():
        layer.rho.copy_(torch.tensor([-0.5, 1.5]))
        layer.kappa.copy_(torch.tensor([-0.5, 1.5]))
    _, _, rho, kappa = layer.neuron_parameters()
    assert rho.tolist() == [0.0, 1.0]  # type: ignore[union-attr]
    assert kappa.tolist() == [-0.5, 1.5]  # type: ignore[union-attr]


def test_without_adaptation_it_is_a_lif() -> None:
    x = (torch.rand(9, 3, 10) < 0.5).float()
    options: Any = {"recurrent": True, "max_activity": 0.4, "grad_threshold": 0.2, "delay": 1}
    lif = SparseLIF(10, 16, **options)
    alif = SparseNeurons(10, 16, ALIF(), parameters={"kappa": 0.0}, **options)
    alif.load_state_dict(lif.state_dict())
    without, other = lif(x, seed=3), alif(x, seed=3)
    assert torch.equal(without.ids, other.ids)
    assert torch.equal(without.dropped, other.dropped)


NAMES = f"expected names among {ALIF.parameters}"
MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"learn": ["tau"]}, f"learn: {NAMES}, got 'tau'"),
    ({"parameters": {"tau": 1.0}}, f"parameters: {NAMES}, got 'tau'"),
    ({"parameters": {"rho": 1.5}}, "rho: expected values in [0, 1], got 1.5"),
    (
        {"parameters": {"kappa": torch.rand(3)}},
        "kappa: expected a float or a tensor of shape (6,), got shape (3,)",
    ),
    ({"grad_threshold": float("nan")}, "grad_threshold: expected a finite number, got nan"),
    ({"delay": -1}, "delay: expected at least 0, got -1"),
]


@pytest.mark.parametrize(("options", "sentence"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_mistakes_get_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"SparseNeurons: {sentence}")):
        SparseNeurons(10, 6, ALIF(), **options)


def test_a_model_is_a_model() -> None:
    with pytest.raises(
        TypeError, match="SparseNeurons: model: expected a neuron that spikes, got str"
    ):
        SparseNeurons(10, 6, "alif")  # type: ignore[arg-type]

    class Heavy(ALIF):
        parameters = ("beta", "threshold", "rho", "weight")

    with pytest.raises(ValueError, match=r"of other names than the layer's own.* got 'weight'"):
        SparseNeurons(10, 6, Heavy())


def run_with(header: Path, struct: str = "popsnn::Alif") -> None:
    class Mine(ALIF):
        codelet = str(header)

    Mine.struct = struct
    net = SNN(SparseNeurons(4, 5, Mine()), LI(5, 2), backend="ipu")
    net(torch.ones(2, 3, 4))


@needs_ipu
def test_a_codelet_that_does_not_compile_says_where(tmp_path: Path) -> None:
    header = tmp_path / "alif.hpp"
    header.write_text(HEADER.replace("p[kRho] * before[kAdaptation]", "p[kRoh] * before[1]"))
    line = 1 + header.read_text()[: header.read_text().index("kRoh")].count("\n")
    with pytest.raises(RuntimeError, match=rf"popc failed:\n(.*\n)*.*alif.hpp:{line}:.*kRoh"):
        run_with(header)


@needs_ipu
@pytest.mark.parametrize(
    ("constant", "before", "after", "number"),
    [
        ("kStates", "kAdaptation, kStates", "kAdaptation, kMore, kStates", 2),
        ("kParameters", "kGradThreshold, kParameters", "kMore, kGradThreshold, kParameters", 5),
        ("kLearnable", "kLearnable = 4", "kLearnable = 3", 4),
    ],
)
def test_a_codelet_of_other_sizes_does_not_compile(
    tmp_path: Path, constant: str, before: str, after: str, number: int
) -> None:
    header = tmp_path / "alif.hpp"
    assert before in HEADER
    header.write_text(HEADER.replace(before, after))
    sentence = f"popsnn::Alif::{constant}: expected {number} as the network has, got another"
    with pytest.raises(RuntimeError, match=sentence):
        run_with(header)


@needs_ipu
@pytest.mark.parametrize("function", ["step", "fires", "near", "grad"])
def test_a_codelet_without_a_function_does_not_compile(tmp_path: Path, function: str) -> None:
    header = tmp_path / "alif.hpp"
    assert f" {function}(" in HEADER
    header.write_text(HEADER.replace(f" {function}(", f" other_{function}("))
    sentence = (
        f"popsnn::Alif: expected the function {function} as neurons/neuron_model.hpp describes it, "
        "got none"
    )
    with pytest.raises(RuntimeError) as error:
        run_with(header)
    first = next(line for line in str(error.value).splitlines() if "error" in line)
    assert sentence in first


@needs_ipu
def test_one_struct_of_two_codelets_is_refused(tmp_path: Path) -> None:
    class Other(ALIF):
        codelet = str(tmp_path / "other.hpp")

    Path(Other.codelet).write_text(HEADER)
    net = SNN(SparseNeurons(4, 5, ALIF()), SparseNeurons(5, 2, Other()), backend="ipu")
    with pytest.raises(
        ValueError, match=r"network: layer 1: model: expected 'popsnn::Alif' of .*alif.hpp as in a"
    ):
        net(torch.ones(2, 3, 4))


@needs_ipu
def test_one_struct_of_two_sizes_is_refused() -> None:
    class Dear(ALIF):
        cycles = ALIF.cycles._replace(grad=99)

    net = SNN(SparseNeurons(4, 5, ALIF()), SparseNeurons(5, 2, Dear()), backend="ipu")
    with pytest.raises(
        ValueError,
        match="network: layer 1: model: expected the states, parameters and cycles of "
        "'popsnn::Alif' as in a layer before, got others",
    ):
        net(torch.ones(2, 3, 4))


@pytest.mark.usefixtures("quick_codelets")
@needs_ipu
def test_what_is_compiled_is_kept_by_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path / "cache"))
    header = tmp_path / "a folder" / "alif.hpp"
    header.parent.mkdir()
    header.write_text(HEADER)

    def kept() -> dict[str, int]:
        return {p.name: p.stat().st_mtime_ns for p in (tmp_path / "cache/codelets").glob("*.gp")}

    run_with(header)
    first = kept()
    assert len(first) == 1
    run_with(header)
    assert kept() == first
    header.write_text(HEADER.replace("1.0f : 0.0f", "2.0f : 0.0f"))
    run_with(header)
    assert len(kept()) == 2


LIBRARY = [
    getattr(neurons, name)()
    for name in neurons.__all__
    if isinstance(getattr(neurons, name), type)
    and name not in ("Neuron", "LI")
    and len(getattr(neurons, name).inputs) == 1
]
RESET = [neurons.LIF("subtract_after"), neurons.SynapticLIF("zero_after", False)]


@pytest.mark.parametrize("neuron", [*LIBRARY, *RESET], ids=str)
def test_neurons_of_the_library(neuron: neurons.Neuron) -> None:
    layer = SparseNeurons(10, 4, neuron, bias=False)
    x = (torch.rand(9, 3, 10) < 0.5).float()
    expected = popsnn.functional.scan(
        "test",
        neuron,
        torch.nn.functional.linear(x, layer.weight),
        None,
        dict(zip(neuron.parameters, neuron.defaults)),
    )
    assert torch.equal(layer(x).to_dense(), expected.spikes)


@needs_ipu
@pytest.mark.parametrize(
    ("neuron", "gain"),
    [(neurons.RefractoryLIF(), 3.0), (neurons.AdEx(), 30.0), *((each, 3.0) for each in RESET)],
    ids=str,
)
def test_neurons_of_the_library_on_an_ipu(neuron: neurons.Neuron, gain: float) -> None:
    torch.manual_seed(0)
    layer, readout = SparseNeurons(10, 6, neuron, gain=gain), LI(6, 2)
    x = (torch.rand(19, 3, 10) < 0.6).float()
    assert float(layer(x).to_dense().detach().sum()) > 5
    results = []
    for backend in ("torch", "ipu"):
        net = SNN(layer, readout, backend=backend)
        out = net(x)
        grads = torch.autograd.grad(out.pow(2).sum(), list(net.parameters()))
        results.append((out.detach(), *grads))
    for expected, got in zip(*results):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-4)


ENGINES = ["torch", pytest.param("ipu", marks=needs_ipu)]


def bounded_net(backend: str) -> SNN:
    """Return a network whose parameters lie within, on and beyond their bounds."""
    torch.manual_seed(0)
    net = SNN(SparseNeurons(10, 8, Bounded(), learn=Bounded.parameters), LI(8, 2), backend=backend)
    begin = {
        "tau": [-1.0, 1.5, 1.4, 2.0, 50.0, 51.0, 1e9, 6.0],
        "threshold": [-0.5, 0.1, 0.2, 0.5, 0.05, 0.3, 1e3, 0.2],
        "floor": [-2.0, -1.0, -0.5, -0.1, 0.0, 3.0, -0.3, -0.2],
    }
    with torch.no_grad():
        net.stack[0].weight.normal_(0.2, 0.5)
        for name, values in begin.items():
            getattr(net.stack[0], name).copy_(torch.tensor(values))
    return net


@pytest.mark.parametrize("backend", ENGINES)
def test_learnt_parameters_are_clamped_to_their_bounds(backend: str) -> None:
    net = bounded_net(backend)
    clamped = copy.deepcopy(net).double()
    clamped.backend = "torch"
    layer = clamped.stack[0]
    inside = {}
    with torch.no_grad():
        for name, (low, high) in Bounded.bounds.items():
            value = getattr(layer, name)
            inside[f"layers.0.{name}"] = (value >= low) & (value <= high)
            value.clamp_(low, high)
    x = (torch.rand(9, 3, 10) < 0.6).float()
    out, expected = net(x), clamped(x.double())
    torch.testing.assert_close(out.double(), expected, rtol=1e-5, atol=1e-6)
    out.square().sum().backward()
    expected.square().sum().backward()
    for (name, got), other in zip(net.named_parameters(), clamped.parameters()):
        assert got.grad is not None
        assert other.grad is not None
        wanted = other.grad * inside.get(name, 1)
        assert bool(wanted.any()), name
        torch.testing.assert_close(got.grad.double(), wanted, rtol=1e-4, atol=1e-5)


@needs_ipu
@pytest.mark.parametrize("device", ["host", "host:replicas=2"])
def test_the_device_learns_within_bounds(device: str) -> None:
    nets = [bounded_net(backend) for backend in ("ipu", "torch")]
    nets[0].device = popsnn.devices.parse(device)
    before = copy.deepcopy(nets[0].state_dict())
    ours = popsnn.optim.Adam(nets[0], lr=0.05, weight_decay=0.01)
    theirs = torch.optim.Adam(nets[1].parameters(), lr=0.05, weight_decay=0.01)
    generator = torch.Generator().manual_seed(0)
    for _ in range(4):
        x = (torch.rand(9, 4, 10, generator=generator) < 0.6).float()
        for net, optimizer in zip(nets, (ours, theirs)):
            optimizer.zero_grad()
            net(x).square().sum().backward()
            optimizer.step()
    trained = nets[0].state_dict()
    for name, expected in nets[1].state_dict().items():
        torch.testing.assert_close(trained[name], expected, rtol=1e-4, atol=1e-5)
        assert name.endswith("_calls") or not torch.equal(trained[name], before[name]), name


def test_values_lie_within_bounds() -> None:
    sentence = "SparseNeurons: tau: expected values in [1.5, 50], got 1"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        SparseNeurons(10, 6, Bounded(), parameters={"tau": 1.0})
    layer = SparseNeurons(10, 6, Bounded())
    with pytest.raises(ValueError, match=re.escape("threshold: expected values in [0.1, inf]")):
        layer.threshold = torch.zeros(6)
