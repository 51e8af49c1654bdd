"""Neurons of NIR: the steps of their equations, voltages, thresholds, and generated code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.python.tracing.step_library import SLOPE, StepLibrary
from torch import Tensor

import popsnn
from popsnn import functional, nn
from popsnn.nir._neurons import (
    Comparison,
    VoltageCubaLI,
    VoltageCubaLIF,
    VoltageLI,
    VoltageLIF,
)
from popsnn.surrogate import SuperSpike

nir = pytest.importorskip("nir")

from tests.python.nir.graphs import DT, NEURONS, Nodes, chain, recurrent  # noqa: E402

METHODS = ("euler", "exponential")
OWN = (VoltageLI(), VoltageLIF(), VoltageCubaLI(), VoltageCubaLIF(), Comparison())


def equations(kind: str, node: Any, x: np.ndarray, method: str, strict: bool) -> np.ndarray:
    """Integrate the equations of NIR's documents, a step for each x[t]."""
    leaky = kind not in ("I", "IF")
    spiking = kind.endswith("IF")

    def factor(tau: np.ndarray) -> np.ndarray:
        return DT / tau if method == "euler" else 1 - np.exp(-DT / tau)

    fields = {name: np.asarray(value, np.float64) for name, value in vars(node).items()
              if isinstance(value, np.ndarray)}  # fmt: skip
    tau = fields.get("tau", fields.get("tau_mem"))
    v = np.zeros(x.shape[1:]) + fields.get("v_leak", fields.get("v_reset", 0.0))
    current, out = np.zeros(x.shape[1:]), []
    for drive in x:
        if "tau_syn" in fields:
            current = current + factor(fields["tau_syn"]) * (fields["w_in"] * drive - current)
            drive = current
        if leaky:
            v = v + factor(tau) * (fields["v_leak"] - v + fields["r"] * drive)
        else:
            v = v + DT * fields["r"] * drive
        if spiking:
            theta = fields["v_threshold"]
            fired = v > theta if strict else v >= theta
            v = np.where(fired, fields["v_reset"], v)
            out.append(fired.astype(np.float64))
        else:
            out.append(v)
    return np.stack(out)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("kind", NEURONS)
def test_neurons_integrate_their_equations(kind: str, plain: bool, method: str) -> None:
    shape = (4, 3)
    node = Nodes(3, plain, np.float64).neuron(kind, shape)
    net = popsnn.nir.from_nir(
        chain(shape, node, after=shape), dt=DT, method=method, dtype=torch.float64
    )
    x = torch.randn(50, 2, *shape, dtype=torch.float64) + 0.2
    expected = equations(kind, node, x.numpy(), method, True)
    got = net(x).numpy()
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
    assert np.abs(got).sum() > 0


def test_neurons_without_voltages_are_popsnns_own() -> None:
    types = {
        "LI": nn.LeakyIntegrator,
        "I": nn.LeakyIntegrator,
        "LIF": nn.LIF,
        "IF": nn.IF,
        "CubaLIF": nn.SynapticLIF,
    }
    for kind, cls in types.items():
        for shape in ((5,), (2, 3)):
            graph = chain(shape, Nodes(2, plain=True).neuron(kind, shape), after=shape)
            assert type(popsnn.nir.from_nir(graph, dt=DT)["0"]) is cls


def one(kind: str, **fields: float) -> Any:
    return getattr(nir, kind)(**{name: np.full((1,), value) for name, value in fields.items()})


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("level", [1.0, 0.1, -0.3, 0.0])
def test_a_membrane_at_its_threshold(level: float, dtype: torch.dtype) -> None:
    exact = torch.tensor(level, dtype=dtype)
    above = torch.nextafter(exact, torch.tensor(float("inf"), dtype=dtype))
    below = torch.nextafter(exact, torch.tensor(-float("inf"), dtype=dtype))
    x = torch.stack([below, exact, above]).reshape(1, 3, 1)
    graph = chain((1,), one("Threshold", threshold=level), after=(1,))
    for strict, wanted in ((True, [0, 0, 1]), (False, [0, 1, 1])):
        net = popsnn.nir.from_nir(graph, dt=DT, strict=strict, dtype=dtype)
        assert net(x).flatten().tolist() == wanted
    ours = nn.Spiking(popsnn.neurons.IF(), parameters={"threshold": level}).to(dtype)
    graph = popsnn.nir.to_nir(ours, dt=DT, input_shape=1, dtype=dtype)
    assert graph.nodes["spiking"].v_threshold.astype(x.numpy().dtype) == below.numpy()
    again = popsnn.nir.from_nir(graph, dt=DT, dtype=dtype)
    assert torch.equal(again(x), ours(x))
    plain = popsnn.nir.to_nir(ours, dt=DT, input_shape=1, strict=False, dtype=dtype)
    assert plain.nodes["spiking"].v_threshold.astype(x.numpy().dtype) == exact.numpy()


@pytest.mark.parametrize("level", [1.0, 0.1, -0.3, 0.0])
def test_thresholds_of_float64_networks_in_float32(level: float) -> None:
    exact = torch.tensor(level)  # in float32
    ours = nn.Spiking(popsnn.neurons.IF(), parameters={"threshold": float(exact)}).double()
    graph = popsnn.nir.to_nir(ours, dt=DT, input_shape=1, dtype=torch.float64)
    below = torch.nextafter(exact, torch.tensor(-float("inf")))
    x = torch.stack([below, exact]).reshape(1, 2, 1)
    assert popsnn.nir.from_nir(graph, dt=DT)(x).flatten().tolist() == [0, 1]


def test_gains_of_float16_fields_are_what_they_are() -> None:
    field = np.full((1,), 10.03, np.float16)
    node = nir.LI(tau=np.full((1,), 10 * DT, np.float32), r=field, v_leak=0 * field)
    net = popsnn.nir.from_nir(chain((1,), node, after=(1,)), dt=DT, dtype=torch.float64)
    out = net(torch.ones(1, 1, 1, dtype=torch.float64))
    np.testing.assert_allclose(out.item(), 0.1 * float(field[0]), rtol=1e-6)


def test_the_exponential_method_is_exact_for_one_time_constant() -> None:
    fields = {"tau_syn": 3e-3, "tau_mem": 5e-3, "tau": 5e-3, "r": 2.0, "v_leak": 0.1, "w_in": 1.0}
    fast, slow, times = 3e-3, 5e-3, DT * np.arange(1, 9)
    one_tau = 1 - np.exp(-times / slow)
    two = 1 - (slow * np.exp(-times / slow) - fast * np.exp(-times / fast)) / (slow - fast)
    error = {}
    for kind, exact in (("LI", one_tau), ("CubaLI", two)):
        names = getattr(nir, kind).__dataclass_fields__
        node = one(kind, **{name: value for name, value in fields.items() if name in names})
        net = popsnn.nir.from_nir(
            chain((1,), node, after=(1,)), dt=DT, method="exponential", dtype=torch.float64
        )
        v = net(torch.ones(8, 1, 1, dtype=torch.float64)).flatten().numpy()
        error[kind] = (v - 0.1) / (2 * exact) - 1
    assert np.abs(error["LI"]).max() < 1e-12
    assert round(100 * error["CubaLI"][0]) == 84  # popsnn.nir says so


def test_integers_at_the_threshold_stay_silent() -> None:
    graph = chain((1,), one("IF", r=1 / DT, v_threshold=2.0, v_reset=0.0), after=(1,))
    x = torch.ones(6, 1, 1)
    assert popsnn.nir.from_nir(graph, dt=DT)(x).flatten().tolist() == [0, 0, 1, 0, 0, 1]
    loose = popsnn.nir.from_nir(graph, dt=DT, strict=False)
    assert loose(x).flatten().tolist() == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("feedback", ["Linear", "Affine", "self"])
@pytest.mark.parametrize("kind", ["LIF", "IF", "CubaLIF"])
def test_loops_carry_the_spikes_of_the_step_before(kind: str, feedback: str) -> None:
    graph = recurrent(Nodes(5, dtype=np.float64), kind, 4, feedback)
    node, back = graph.nodes["n"], graph.nodes.get("w")
    net = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64)
    x = torch.randn(40, 2, 4, dtype=torch.float64) + 0.2
    # The spikes at t follow from the inputs up to t, which the loop adds to step by step.
    total = x.numpy().copy()
    spikes = np.zeros((2, 4))
    for t in range(len(total)):
        weight = np.eye(4) if back is None else back.weight
        bias = getattr(back, "bias", 0.0)
        total[t] += spikes @ weight.T + bias
        spikes = equations(kind, node, total[: t + 1], "euler", True)[-1]
    expected = equations(kind, node, total, "euler", True)
    assert 0 < expected.mean() < 1
    np.testing.assert_array_equal(net(x).numpy(force=True), expected)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> StepLibrary:
    folder: Path = tmp_path_factory.mktemp("library")
    return StepLibrary(list(OWN), folder)


@pytest.mark.parametrize("index", range(len(OWN)))
def test_generated_code_computes_what_torch_does(index: int, library: StepLibrary) -> None:
    neuron = OWN[index]
    x = 2 * torch.randn(30, 16) + 0.3
    drawn = {"v_leak": (-0.1, 0.1), "v_reset": (-0.2, 0.1)}
    values = [torch.empty(16).uniform_(*drawn.get(name, (0.6, 0.95))) for name in neuron.parameters]
    grads = torch.randn(2, 30, 16)
    got = library.run(index, x, values, *grads)
    leaves = [tensor.double().requires_grad_() for tensor in (x, *values)]
    out = functional.scan(
        "test", neuron, leaves[0].unsqueeze(1), None,
        dict(zip(neuron.parameters, leaves[1:])),
        surrogate=SuperSpike(SLOPE), backend="torch",
    )  # fmt: skip
    outputs: list[Tensor] = [] if out.spikes is None else [out.spikes]
    loss = (out.membrane * grads[1].double().unsqueeze(1)).sum()
    if out.spikes is not None:
        loss = loss + (out.spikes * grads[0].double().unsqueeze(1)).sum()
    wanted = [*outputs, out.membrane, *torch.autograd.grad(loss, leaves)]
    for mine, theirs in zip(got[-len(wanted) :], wanted):
        torch.testing.assert_close(
            mine.double().reshape(theirs.shape), theirs, rtol=2e-3, atol=2e-3
        )


def test_the_engines_compute_the_same(engine: str) -> None:
    if engine == "ipu":
        pytest.skip("engine ipu: neurons without weights run on torch and cuda")
    graph = chain((6,), Nodes(2).neuron("CubaLIF", (6,)), recurrent(Nodes(4), "LIF", 6), after=(6,))
    x = torch.randn(30, 3, 6)
    net = popsnn.nir.from_nir(graph, dt=DT, backend=engine)
    reference = popsnn.nir.from_nir(graph, dt=DT, dtype=torch.float64, backend="torch")
    exact = reference(x.double())
    assert float((net(x).double() - exact).abs().mean().detach()) < 0.01
