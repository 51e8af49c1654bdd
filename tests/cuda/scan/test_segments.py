"""Backward over time shards at once: against the reference, and against the single pass."""

from __future__ import annotations

from typing import Any, Callable

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.scan import test_in_torch as in_torch
from tests.cuda.scan.test_in_torch import OWN
from tests.cuda.scan.test_scan import NEURONS, Case, compare, near, per_place
from torch import Tensor

from popsnn import functional, surrogate
from popsnn.cuda.device import properties
from popsnn.cuda.scan import segments
from popsnn.functional import neuron
from popsnn.neurons import Neuron

Cut = Callable[[int], None]
DEVICE = torch.device("cpu")


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Cut:
    """Backward runs that many time shards where there are as many chunks, 8 on a CPU."""

    def into(count: int) -> None:
        monkeypatch.setattr(segments, "BYTES", 1 << 20)
        monkeypatch.setattr(segments, "STEPS", 32)
        monkeypatch.setattr(segments, "MOST", count)

    return into


def launched(engine: Engine) -> set[str]:
    """Return the names of the kernels since the last call, without their vector."""
    names = {name.rsplit("_", 1)[0] for name in engine.launched}
    engine.launched.clear()
    return names


@pytest.mark.parametrize(
    ("name", "reset", "detach"),
    [
        ("lif", "none", 1),
        *(("lif", reset, detach) for reset in ("zero", "subtract") for detach in (1, 0)),
        ("synaptic", "zero", 1),
        ("synaptic", "subtract", 0),
        ("adaptive", "none", 1),
        ("adaptive", "zero", 0),
        ("li", "zero", 1),
    ],
)
def test_outputs_and_gradients(
    kernels: Engine, cut: Cut, name: str, reset: str, detach: int
) -> None:
    """State in and out, every parameter learnt, a last chunk that is not whole."""
    cut(3)
    model = NEURONS[name]
    steps, shape = 64 * 3 + 13, (2, 6)
    state = tuple(torch.randn(*shape, dtype=torch.float64) for _ in model.states)
    if model.spiking:
        state = (*state[:-1], (state[-1] > 0).double())
    case = Case(
        model,
        torch.randn(steps, *shape, dtype=torch.float64),
        state,
        {key: per_place(6) for key in model.parameters},
        {"reset": reset, "detach_reset": bool(detach), "grad_threshold": 0.25},
    )
    compare(kernels, torch.float32, case)
    if kernels.name == "host":
        assert launched(kernels) == {"scan_forward", "segment_maps", "scan_backward"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(33, 300), st.integers(1, 9), st.integers(2, 8), st.integers(0, 1 << 16))
def test_any_number_of_steps_and_segments(
    kernels: Engine, cut: Cut, dtype: torch.dtype, steps: int, neurons: int, count: int, seed: int
) -> None:
    torch.manual_seed(seed)
    cut(count)
    for name in ("lif", "synaptic"):
        x = torch.randn(steps, 2, neurons, dtype=torch.float64)
        compare(kernels, dtype, Case(NEURONS[name], x))


def gradients(engine: Engine, x: Tensor, model: neuron.Neuron, chosen: str) -> list[Tensor]:
    """Return the gradients of x and of beta of the chosen outputs, the same at every step."""
    torch.manual_seed(3)
    x = x.detach().requires_grad_()
    beta = torch.rand(8, device=x.device, requires_grad=True)
    out = functional.scan(
        "test", model, x, None, {"beta": beta, "threshold": 1.5},
        surrogate=surrogate.SuperSpike(4.0), backend=engine.backend,
    )  # fmt: skip
    outputs: dict[str, Any] = {"spikes": out.spikes, "membrane": out.membrane}
    total = sum((outputs[name] * torch.randn_like(x[0])).sum() for name in chosen.split())
    if not chosen:
        total = sum(last.sum() for last in out.state or ())
    return list(torch.autograd.grad(total, [x, beta]))  # type: ignore[arg-type]


@pytest.mark.parametrize("chosen", ["spikes membrane", ""])
def test_both_ways_agree(kernels: Engine, cut: Cut, chosen: str) -> None:
    """Of a neuron given as lines of CUDA, of gradients that are one step for all, and of none."""
    x = torch.rand(140, 2, 8, device=kernels.device) + 0.1
    cut(1)
    single = gradients(kernels, x, OWN, chosen)
    assert "segment_maps" not in launched(kernels)
    cut(3)
    for got, expected in zip(gradients(kernels, x, OWN, chosen), single):
        assert near(got, expected.double().cpu(), 1e-5)
    assert kernels.name != "host" or "segment_maps" in launched(kernels)


class Growing(Neuron):
    """Its text is none of the step, whose gradient would not grow."""

    states = ("v",)
    parameters = ("beta",)

    def step(self, x: torch.Tensor, state: Any, p: Any, fire: Any) -> Any:
        return (x,)

    @property
    def cuda_source(self) -> str:
        text = """struct Neuron {
          static constexpr int kStates = 1, kSaved = 1, kParameters = 1, kMembrane = 0;
          static constexpr bool kSpiking = false;
          POPSNN_DEVICE static void step(float (&state)[kStates], const float*, float x) {
            state[0] = x;
          }
          POPSNN_DEVICE static void restore(float (&)[kStates], const float*) {}
          template <class Gradient>
          POPSNN_DEVICE static float adjoint(const float (&)[kStates], const float (&)[kStates],
                                             const float* p, const Gradient&,
                                             float (&grad)[kStates], float* grad_p) {
            const float d_v = grad[0];
            grad_p[0] += d_v;
            grad[0] *= p[0];
            return d_v;
          }
        };"""
        return " ".join(text.split())


@pytest.mark.parametrize("count", [2, 3])
def test_a_map_that_overflows_is_one_pass(kernels: Engine, cut: Cut, count: int) -> None:
    """A gradient of zero goes through time steps that multiply it by 8 each."""
    x = torch.zeros(200, 2, 8, device=kernels.device)
    x[0] = 1.0
    last = torch.randn_like(x[0])
    results = []
    for segments_at_once in (1, count):
        cut(segments_at_once)
        kernels.launched.clear()
        current = x.clone().requires_grad_()
        beta = torch.full((8,), 8.0, device=kernels.device, requires_grad=True)
        out = functional.scan(
            "test", Growing(), current, None, {"beta": beta}, backend=kernels.backend
        )
        assert out.membrane is not None
        grad = torch.zeros_like(x)
        grad[3] = last
        results.append(torch.autograd.grad(out.membrane, [current, beta], grad))
    assert kernels.name != "host" or "segment_maps" in launched(kernels)
    for one_pass, got in zip(*results):
        assert bool(torch.isfinite(got).all())
        assert torch.equal(got, one_pass)


def test_gradients_through_the_state(kernels: Engine, cut: Cut) -> None:
    cut(2)
    in_torch.test_gradients_through_the_state(kernels)
    assert kernels.name != "host" or "segment_maps" in launched(kernels)


@pytest.mark.parametrize(
    "test",
    [
        in_torch.test_captured_in_a_cuda_graph,
        in_torch.test_runs_on_the_callers_stream,
        in_torch.test_runs_on_a_second_device,
    ],
    ids=lambda test: test.__name__[len("test_") :],
)
def test_on_a_gpu(cuda_engine: Engine, cut: Cut, test: Callable[[Engine], None]) -> None:
    cut(2)
    test(cuda_engine)


def test_few_neurons_and_many_steps_go_through_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(properties, "multiprocessors", lambda device: 132)
    limit = 132 * segments.BYTES
    steps = segments.STEPS
    assert segments.most(limit, 1, steps + 1, DEVICE) == steps // 32 + 1
    assert segments.most(limit // 2, 2, 1000, DEVICE) == 16
    assert segments.most(limit, 2, 1000, DEVICE) == 1
    assert segments.most(limit + 1, 1, 1000, DEVICE) == 1
    assert segments.most(limit, 1, steps, DEVICE) == 1
    assert segments.most(1, 1, 1 << 20, DEVICE) == segments.MOST


@given(st.integers(1, 4000), st.integers(1, 500), st.integers(1, 64), st.integers(0, 1 << 16))
def test_segments_are_whole_chunks_and_run_at_once(
    blocks: int, chunks: int, shards: int, shared_bytes: int
) -> None:
    shards = min(shards, chunks)
    count, of_each = segments.split(blocks, chunks, shards, shared_bytes, DEVICE)
    assert (count - 1) * of_each < chunks <= count * of_each
    assert count <= shards
    room = min(segments.THREADS // 32, 228 * 1024 // (shared_bytes + 1024))
    assert count == 1 or count * blocks <= room


@pytest.mark.parametrize(
    ("model", "numbers"),
    [
        (neuron.LIF(), 2),
        (neuron.LIF("none", False), 2),
        (neuron.LIF("zero", False), 6),
        (neuron.SynapticLIF(), 6),
        (neuron.AdaptiveLIF(), 12),
        (neuron.LI(), 2),
        (OWN, 6),
    ],
)
def test_only_gradients_that_can_reach_another_step_are_carried(
    model: neuron.Neuron, numbers: int
) -> None:
    assert segments.numbers(model.translation().carried) == numbers
