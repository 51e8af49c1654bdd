"""Delays of a recurrent layer's own spikes on the kernels, compared with the reference."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.cuda.host_kernels import HostLoader, recurrent
from tests.cuda.kernel_facts import most_spilt
from tests.cuda.recurrent.runs import compare, membranes_in_chunks, run
from tests.cuda.recurrent.test_streamed import MOST_SPILT
from torch import Tensor

from popsnn import cuda, functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.device.properties import Properties
from popsnn.cuda.recurrent import delays as launched_delays
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.strategy import choose, explanation
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.cuda.recurrent.streamed.plan import MOST_SHARED
from popsnn.engines import cuda_delays
from popsnn.functional import DelaySteps, neuron

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
KINDS = ["axonal", "dendritic"]
LIF, ADAPTIVE = functional.recurrent_lif, functional.recurrent_adaptive_lif
STEPS = 5


@pytest.fixture(params=["host", "cuda"])
def device(
    request: pytest.FixtureRequest, host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> torch.device:
    """A CPU of 8 multiprocessors that runs the kernels, or a GPU; clusters take few steps too."""
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    if request.param == "host":
        recurrent(monkeypatch, host_loader)
        host_loader.launched.clear()
        return torch.device("cpu")
    found: torch.device = request.getfixturevalue("hopper")
    return found


def delays(
    device: torch.device, kind: str, neurons: int, longest: int, spread: str = "straight_through"
) -> DelaySteps:
    """Return delays of all values, the ends among them; learnt delays lie beyond it too."""
    generator = torch.Generator(device).manual_seed(longest)
    steps = torch.rand(neurons, generator=generator, device=device) * (longest + 1.0) - 0.5
    steps[:2] = torch.tensor([0.0, float(longest)])[:neurons]
    if spread == "none":
        return DelaySteps(kind, steps.round().clamp(0, longest), longest)
    return DelaySteps(kind, steps.requires_grad_(), longest, spread=spread)


def before(device: torch.device, batch: int, neurons: int, longest: int, dtype: Any) -> Tensor:
    """Return the spikes [D, B, N] before those of the state."""
    generator = torch.Generator(device).manual_seed(batch)
    spikes = torch.rand(longest, batch, neurons, generator=generator, device=device) < 0.2
    return spikes.to(dtype).requires_grad_()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("strategy", "batch", "neurons", "longest", "options"),
    [
        ("cluster", 11, 70, 3, {}),
        ("cluster", 3, 67, 7, {"layer": ADAPTIVE}),
        ("cluster", 3, 38, 2, {"dtype": BF16, "weight": BF16}),
        ("resident", 18, 36, 3, {}),
        ("resident", 5, 36, 3, {"weight_dtype": FP16}),
        ("resident", 5, 38, 9, {"weight": BF16}),
        ("streamed", 11, 36, 3, {"weight_dtype": FP32}),
        ("streamed", 9, 37, 9, {"layer": ADAPTIVE}),
        ("portable", 9, 37, 9, {"layer": ADAPTIVE}),
    ],
)
def test_every_gradient(
    device: torch.device,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    strategy: str,
    batch: int,
    neurons: int,
    longest: int,
    options: dict[str, Any],
) -> None:
    """With states in and out, learnt parameters, a gradient threshold, and the last one ragged."""
    if strategy != "cluster":
        monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    if strategy == "streamed":
        monkeypatch.setattr(resident, "fits", lambda *_: False)
        monkeypatch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
    options = {"weight": FP32, "state": True, "learn": True, "grad_threshold": 0.4, **options}
    late = delays(device, kind, neurons, longest)
    past = before(device, batch, neurons, longest, options.get("dtype", FP32))
    assert recurrent_ops._strategy(past, _options(kind, options, longest)) == strategy
    made = run(device, STEPS, batch, neurons, delay=late, before=past, **options)
    if past.dtype == FP32:
        compare(made)
    else:
        grads = torch.autograd.grad(made.out.spikes.sum(), (made.x, late.steps, past))
        assert all(bool(torch.isfinite(grad).all()) for grad in grads)


def _options(kind: str, options: dict[str, Any], longest: int) -> Any:
    """Return as much of a call's options as decides the strategy."""
    from popsnn.cuda.recurrent.arguments import RecurrentOptions

    states = 3 if options.get("layer") is ADAPTIVE else 2
    exact = options.get("weight_dtype", BF16) == FP32
    return RecurrentOptions(
        "", states, (), (0.0,) * (2 if states == 2 else 4), "", 1.0, 0.0, True, True, exact,
        kind, longest,
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_wide_blocks(device: torch.device, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """As of more than 2048 neurons."""
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    monkeypatch.setattr(resident, "MOST_QUADS", 1)
    monkeypatch.setattr(pair, "TILE_NEURONS", 32)
    monkeypatch.setattr(octet, "TILE_NEURONS", 40)
    late = delays(device, kind, 71, 3)
    for batch in (5, 18):
        past = before(device, batch, 71, 3, FP32)
        options = {"weight": FP32, "state": True, "learn": True, "delay": late, "before": past}
        compare(run(device, 4, batch, 71, **options))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight_dtype", [BF16, FP16], ids=str)
@pytest.mark.parametrize("strategy", ["resident", "portable"])
def test_no_neuron_beyond_the_layer_sends_what_no_step_has_written(
    device: torch.device,
    monkeypatch: pytest.MonkeyPatch,
    strategy: str,
    weight_dtype: torch.dtype,
    kind: str,
) -> None:
    """Memory of an earlier tensor may have NaN, which weights of 0 do not make 0."""
    lines = launched_delays.Delays.line, launched_delays.Delays.grad_line

    def line(delays: Any, x: Tensor, dtype: torch.dtype) -> Tensor:
        made = lines[0](delays, x, dtype)
        made[delays.longest :] = float("nan")
        return made

    def grad_line(delays: Any, x: Tensor) -> Tensor:
        made = lines[1](delays, x)
        made[: len(x)] = float("nan")
        return made

    monkeypatch.setattr(launched_delays.Delays, "line", line)
    monkeypatch.setattr(launched_delays.Delays, "grad_line", grad_line)
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    layer = ADAPTIVE if strategy == "portable" else LIF
    late = delays(device, kind, 37, 3, "none")
    late.steps[0] = 2.0  # that of neurons beyond the layer
    for batch in (5, 18):  # of few samples too
        options = {"layer": layer, "weight_dtype": weight_dtype, "state": True, "delay": late}
        compare(run(device, 4, batch, 37, weight=FP32, **options))


@pytest.mark.parametrize("kind", KINDS)
def test_fixed_delays_from_rest(
    device: torch.device, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Delays that are longer than the sequence too."""
    late = delays(device, kind, 40, 7, "none")
    for weight_dtype in (BF16, FP32):
        compare(run(device, 4, 3, 40, weight=FP32, weight_dtype=weight_dtype, delay=late))
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    compare(run(device, 4, 5, 40, weight=FP32, delay=late))


@pytest.mark.parametrize("kind", KINDS)
def test_fixed_delays_that_ask_for_a_gradient_have_none(device: torch.device, kind: str) -> None:
    late = delays(device, kind, 40, 3, "none")
    late.steps.requires_grad_()
    run(device, 4, 3, 40, weight=FP32, delay=late).out.membrane.sum().backward()
    assert late.steps.grad is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
def test_chunks_of_a_sequence_are_the_sequence(
    device: torch.device, kind: str, weight_dtype: torch.dtype
) -> None:
    """Bit for bit where spikes are delayed. Sums before a chunk are added up in another order."""
    late = delays(device, kind, 38, 3, "none")
    whole = run(device, 9, 5, 38, weight=FP32, weight_dtype=weight_dtype, delay=late)
    off = (membranes_in_chunks(whole, late, weight_dtype) - whole.out.membrane).abs().max().detach()
    assert float(off) <= (0.0 if kind == "axonal" else 1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("steps", [1.5, 4.0, -1.0, float("nan"), float("inf")])
def test_fixed_steps_that_are_no_delay(
    device: torch.device, kind: str, weight_dtype: torch.dtype, steps: float
) -> None:
    """On a GPU nothing looks at them before the kernels do, whose results are NaN."""
    late = delays(device, kind, 40, 3, "none")
    late.steps[7] = steps
    made = run(device, 2, 3, 40, weight=FP32)
    options = (late, None, None, made.weight, weight_dtype)
    out = cuda.recurrent(
        neuron.LIF("zero", True),
        made.x.detach(),
        made.weight.detach(),
        None,
        {"beta": 0.9, "threshold": 1.0},
        recurrent_input=0,
        weight_dtype=weight_dtype,
        surrogate=surrogate.SuperSpike(),
        grad_threshold=None,
        membrane=True,
        return_state=False,
        delays=cuda_delays.recurrent_delays(*options),
    )
    assert bool(out[1][:, :, 7].isnan().all())


def test_delays_that_run_step_by_step(device: torch.device) -> None:
    """The kernels refuse them, and "auto" leaves them to the reference."""
    made = run(device, 2, 3, 12, weight=FP32)
    steps = torch.ones(12, device=device)
    for late, reason in (
        (DelaySteps("axonal", steps, 2, spread="triangle"), "got spread 'triangle'"),
        (DelaySteps("dendritic", steps, 2, spread="gaussian", width=1.0), "got spread 'gaussian'"),
    ):
        with pytest.raises(RuntimeError, match=f"recurrent_lif.*delay: expected .*{reason}"):
            functional.recurrent_lif(made.x, made.weight, delay=late, backend="cuda")
        out, expected = (
            functional.recurrent_lif(made.x, made.weight, delay=late, backend=backend)
            for backend in ("auto", "torch")
        )
        assert torch.equal(out.membrane, expected.membrane)


def test_delays_that_shared_memory_holds() -> None:
    assert cluster.in_clusters(1024, 100, False, 132, 87)
    assert not cluster.in_clusters(1024, 100, False, 132, 88)
    assert cluster.in_clusters(512, 100, False, 132, 95)
    assert choose(132, 100, 1024, False, True, 88) == "resident"
    assert choose(132, 100, 1024, False, False, 88) == "streamed"


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("strategy", "most"), [("cluster", 0), ("streamed", MOST_SPILT)])
def test_kernels_compile(direction: str, kind: str, strategy: str, most: int) -> None:
    back = direction == "backward"
    model = neuron.AdaptiveLIF("subtract", False)
    if strategy == "streamed":
        model = neuron.LIF("subtract", False)
    gradient = gradient_source(model, surrogate.ATan(), True) if back else ""
    late = f"popsnn::Delay::{launched_delays.KINDS[kind]}"
    if strategy == "cluster":
        text = cluster.source(direction, model.cuda_source, gradient, 16, BF16, back, back, late)
    else:
        text = streamed_launch.source(
            direction, model.cuda_source, gradient, (12, 2, 1), BF16, BF16, 4, True, True,
            delay=late,
        )  # fmt: skip
    assert most_spilt(text, "sm_90a") <= most


def test_the_choice_is_explained() -> None:
    have = Properties((9, 0), 132, MOST_SHARED)
    for neurons, exact, delay, sentence in (
        (1024, False, ("axonal", "none", 31),
         "cluster: 16 blocks of a cluster hold the weights in registers; shared memory holds what "
         "axonal delays of up to 31 steps delay"),
        (8192, False, ("dendritic", "straight_through", 99),
         "streamed: the weights are read at each step, since registers hold up to 3,072 neurons; "
         "memory holds what dendritic delays of up to 99 steps delay"),
        (64, False, ("synaptic", "none", 3),
         "streamed: the weights of 4 taps are read at each step, since delays of each weight are a "
         "product for each tap; registers hold those of forward"),
        (1024, True, ("synaptic", "triangle", 3),
         "streamed: the weights of 4 taps are read at each step, since delays of each weight are a "
         "product for each tap"),
        (64, False, ("axonal", "gaussian", 3),
         "step by step: delays of spread 'gaussian' have several taps"),
    ):  # fmt: skip
        assert explanation(have, neurons, exact, delay=delay) == sentence
