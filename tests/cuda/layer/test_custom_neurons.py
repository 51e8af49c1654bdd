"""Layers of any neurons, with and without a capacity, against the torch engine in float64."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, ClassVar, Dict, List, Mapping, NamedTuple, Tuple

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.scan.test_generated import Quadratic
from tests.cuda.test_cuda_engine import error, on_cuda
from torch import Tensor

from popsnn import functional, neurons
from popsnn.cuda.layer import overlapped
from popsnn.functional import Neuron
from popsnn.nn import SNN, SparseLI, SparseLIF, SparseNeurons
from popsnn.surrogate import ATan, SuperSpike

BF16 = torch.bfloat16
TOLERANCE = 3e-4  # of the largest entry, float32 against float64


class Tutorial(Neuron):
    """The quadratic neuron of the tutorial."""

    states = ("v", "s")
    parameters: ClassVar = {"beta": 0.9, "kappa": 0.2, "threshold": 1.0}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        r = self.after_reset(state.v, state.s, p.threshold)
        v = p.beta * r + p.kappa * r * r + x
        return v, fire(v, p.threshold)


class Memoryless(Neuron):
    """One parameter, and no state before the step that it reads."""

    states = ("v", "s")
    parameters: ClassVar = {"threshold": 0.6}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        v = torch.tanh(x) + 0.0 * state.v
        return v, fire(v, p.threshold)


class FiresElsewhere(Neuron):
    """The threshold is compared with a sum of two states; a spike subtracts on its own step."""

    states = ("v", "w", "s")
    parameters: ClassVar = {"beta": 0.8, "threshold": 0.7, "mix": 0.5}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        w = torch.tanh(0.5 * state.w + x)
        v = p.beta * state.v + x
        s = fire(v + p.mix * w, p.threshold)
        return v - p.threshold * s, w + 0.2 * s, s


class ResetsAtOnce(Neuron):
    """A spike resets the membrane of its own step, and starts a refractory period."""

    states = ("v", "a", "left", "s")
    parameters: ClassVar = {"beta": 0.8, "threshold": 0.6, "rho": 0.9, "kappa": 0.2}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        a = p.rho * state.a + state.s.detach()
        v = p.beta * state.v + (state.left <= 0).float() * x
        s = fire(v, p.threshold + p.kappa * a)
        left = torch.where(s > 0, torch.full_like(v, 2.0), torch.clamp(state.left - 1, min=0))
        return v * (1 - s), a, left, s


class ManyStates(Neuron):
    """Eight states and sixteen parameters."""

    states = ("a", "b", "c", "v", "d", "e", "f", "s")
    parameters: ClassVar = {"threshold": 0.7, **{f"p{k}": 0.1 + 0.05 * k for k in range(15)}}

    def step(self, x: Any, state: Any, p: Any, fire: Any) -> Any:
        before = (state.a, state.b, state.c, state.d, state.e, state.f)
        after = [
            torch.tanh(p[1 + 2 * k] * each + p[2 + 2 * k] * x) for k, each in enumerate(before)
        ]
        drive = sum(after[1:], after[0])
        v = p.p12 * self.after_reset(state.v, state.s, p.threshold) + p.p13 * drive + p.p14 * x
        return (*after[:3], v, *after[3:], fire(v, p.threshold))


class Case(NamedTuple):
    """A neuron, options of its layer, and values of parameters that suit the currents."""

    neuron: Neuron
    options: Mapping[str, Any] = MappingProxyType({})
    values: Mapping[str, float] = MappingProxyType({})


CASES: Dict[str, Case] = {
    "quadratic": Case(Tutorial(), {"max_activity": 0.3}),
    "quadratic, learnt": Case(
        Tutorial("subtract", False), {"max_activity": 0.3, "learn": ("kappa",)}, {"kappa": -0.1}
    ),
    "two states": Case(Quadratic("subtract", False), {"max_activity": 0.3, "grad_threshold": None}),
    "adaptive": Case(
        neurons.AdaptiveLIF("subtract_after"),
        {"max_activity": 0.25, "learn": ("rho", "kappa", "beta")},
    ),
    "saves its input": Case(neurons.LSNN(), {"max_activity": 0.3}, {"threshold": 0.05}),
    "drops its input": Case(neurons.IF("zero_after", False), {"max_activity": 0.3}),
    "adex": Case(
        neurons.AdEx(), {"max_activity": 0.3}, {"tau": 3.0, "tau_w": 5.0, "threshold": 1.2}
    ),
    "refractory": Case(neurons.RefractoryLIF(period=2), {"max_activity": 0.2}),
    "memoryless": Case(Memoryless(), {"max_activity": 0.3, "learn": ("threshold",)}),
    "resets at once": Case(ResetsAtOnce(), {"max_activity": 0.3, "learn": ("kappa", "rho")}),
    "fires elsewhere": Case(FiresElsewhere(), {"max_activity": 0.3}),
    "eight states": Case(
        ManyStates(), {"max_activity": 0.3, "learn": tuple(ManyStates.parameters)}
    ),
    "no capacity": Case(Quadratic()),
    "fires elsewhere, no capacity": Case(FiresElsewhere()),
}


def first(case: Case, options: Dict[str, Any]) -> Dict[str, Any]:
    """Return the options of the first layer."""
    usual = {"grad_threshold": 0.3, "surrogate": SuperSpike(2.0), "max_activity": None}
    return {**usual, **case.options, **options}


def network(case: Case, recurrent: bool, seed: int, **options: Any) -> SNN:
    """Return a layer of the neurons, then one of LIF, and a readout."""
    torch.manual_seed(seed)
    values = {name: value + 0.1 * torch.rand(21) for name, value in case.values.items()}
    options = first(case, options)
    capped = SparseNeurons(12, 21, case.neuron, parameters=values, recurrent=recurrent, **options)
    second = SparseLIF(21, 9, grad_threshold=0.2, surrogate=ATan(), max_activity=0.4)
    with torch.no_grad():
        capped.weight.normal_(0.2, 0.5)
        second.weight.normal_(0.3, 0.9)
    return SNN(capped, second, SparseLI(9, 4), backend="torch")


def passed(net: SNN, x: Tensor, cut: int) -> Tuple[List[Tensor], Dict[str, Tensor]]:
    """Run x in two calls; return lists and drops, and outputs, states and gradients by name."""
    x = x.clone().requires_grad_()
    out, state, traces = net(x[:cut], return_state=True, trace=True)
    again, end, more = net(x[cut:], state, return_state=True, trace=True)
    result = {"out": torch.cat([out, again])}
    for index, (one, other) in enumerate(zip(traces, more)):
        result[f"membrane {index}"] = torch.cat([one.membrane, other.membrane])
    for index, layer in enumerate(end.layers):
        result[f"state {index}"] = torch.stack([layer.v, *layer.more, layer.s])
    generator = torch.Generator().manual_seed(0)
    loss = sum(
        (value * torch.randn(value.shape, generator=generator).to(value)).sum()
        for value in result.values()
    )
    loss.backward()
    result.update({name: parameter.grad for name, parameter in net.named_parameters()}, x=x.grad)
    lists = [trace.spikes for trace in (*traces, *more) if trace.spikes is not None]
    integers = [(spikes.ids, spikes.counts, spikes.dropped) for spikes in lists]
    return [value.cpu() for values in integers for value in values], result


def assert_same(
    kernels: Engine, case: Case, recurrent: bool, tolerance: float = TOLERANCE, **options: Any
) -> None:
    """Assert that both agree for the seeds where float32 decides on spikes as float64 does."""
    agreed, dropped = 0, 0
    for seed in range(6):
        reference = network(case, recurrent, seed, **options).double()
        net = on_cuda(reference, kernels)
        x = (torch.rand(9, 3, 12) < 0.4).double()
        lists, expected = passed(reference, x, 4)
        mine, got = passed(net, x.float().to(kernels.device), 4)
        if not all(map(torch.equal, mine, lists)):  # a membrane near a threshold
            continue
        agreed += 1
        dropped += reference.stats()[0].dropped_spikes
        for name, value in expected.items():
            assert error(got[name], value) <= tolerance, name
        assert net.stats() == reference.stats()
    assert agreed > 3
    assert (dropped > 0) == (first(case, options)["max_activity"] is not None)


@pytest.mark.parametrize("recurrent", [False, True], ids=["feed-forward", "recurrent"])
@pytest.mark.parametrize("name", CASES)
def test_layers_are_their_definition(layer_kernels: Engine, name: str, recurrent: bool) -> None:
    assert_same(layer_kernels, CASES[name], recurrent)


@pytest.mark.parametrize(
    ("reset", "detach"),
    [
        ("zero", False),
        ("subtract", True),
        ("subtract", False),
        ("none", True),
        ("subtract_after", False),
        ("zero_after", True),
    ],
)
def test_every_reset(layer_kernels: Engine, reset: str, detach: bool) -> None:
    case = Case(neurons.SynapticLIF(reset, detach), {"max_activity": 0.3, "learn": ("alpha",)})
    assert_same(layer_kernels, case, False)


@pytest.mark.parametrize("recurrent", [False, True], ids=["feed-forward", "recurrent"])
@pytest.mark.parametrize(
    ("options", "tolerance"),
    [
        # Gradients that enter products are rounded to bfloat16, 2^-9 of each.
        ({"weight_dtype": BF16, "gain": 0.7, "delay": 1}, 2e-2),
        ({"weight_dtype": torch.float16, "gain": 1.5, "bias": False}, TOLERANCE),
    ],
    ids=["bfloat16", "float16"],
)
def test_options_of_a_layer(
    layer_kernels: Engine, recurrent: bool, options: Dict[str, Any], tolerance: float
) -> None:
    assert_same(layer_kernels, CASES["adaptive"], recurrent, tolerance, **options)


def test_time_chunks_carry_all_states(
    layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlapped, "chunk_count", lambda *_: 3)
    assert_same(layer_kernels, CASES["eight states"], False)
    assert_same(layer_kernels, CASES["resets at once"], False)


@pytest.mark.parametrize("recurrent", [False, True], ids=["feed-forward", "recurrent"])
def test_without_gradients_the_result_is_the_same(layer_kernels: Engine, recurrent: bool) -> None:
    net = on_cuda(network(CASES["eight states"], recurrent, 1), layer_kernels)
    x = (torch.rand(9, 3, 12) < 0.4).float().to(layer_kernels.device)
    out, state = net(x, return_state=True)
    net._calls.zero_()
    with torch.no_grad():
        again, end = net(x, return_state=True)
    assert torch.equal(again, out)
    for one, other in zip(state.layers, end.layers):
        assert all(map(torch.equal, (one.v, one.s, *one.more), (other.v, other.s, *other.more)))


@pytest.mark.parametrize("name", ["fires elsewhere", "two states"])
def test_a_recurrent_layer_in_one_kernel(recurrent_layer_kernels: Engine, name: str) -> None:
    assert_same(recurrent_layer_kernels, CASES[name], True, max_activity=None)


def with_lines(*, own_spike: bool) -> functional.Custom:
    """Return a neuron with CUDA lines that decays and resets; its spike may act at once."""

    def step(x: Tensor, state: Any, p: Any, fire: Any) -> Tuple[Tensor, Tensor]:
        v = 0.8 * state[0] * (1 - state[1].detach()) + x
        s = fire(v, 1.0)
        return (v * (1 - s.detach()), s) if own_spike else (v, s)

    lines = {
        "forward": "v = 0.8f * v * (1.0f - s) + x; s = v >= 1.0f ? 1.0f : 0.0f;",
        "restore": "s = v >= 1.0f ? 1.0f : 0.0f;",
        "backward": "d_x = d_v + d_s * h(v, 1.0f); d_v = 0.8f * (1.0f - s_before) * d_x; "
        "d_s = 0.0f;",
    }
    with pytest.warns(DeprecationWarning, match="functional.Custom"):
        return functional.Custom(("v", "s"), (), step, **lines)


def test_lines_of_cuda(layer_kernels: Engine) -> None:
    assert_same(layer_kernels, Case(with_lines(own_spike=False), {"max_activity": 0.3}), False)


def test_lines_of_cuda_whose_spike_acts_at_once_have_no_capacity(layer_kernels: Engine) -> None:
    layer = SparseNeurons(3, 4, with_lines(own_spike=True), max_activity=0.5)
    sentence = (
        "layer 0: max_activity: expected none, since a state of the model depends on the spike of "
        "its own step, which a capacity may drop, got 0.5$"
    )
    with pytest.raises(ValueError, match=sentence):
        SNN(layer, backend="cuda")
