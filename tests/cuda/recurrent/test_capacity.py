"""Recurrent layers with a capacity in one kernel, compared with the reference in float64."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.host_kernels import HostLoader, HostModule, lose_messages, recurrent
from tests.cuda.kernel_facts import header, most_spilt
from tests.cuda.layer.test_custom_neurons import FiresElsewhere
from tests.cuda.recurrent.runs import GRADIENTS, error
from torch import Tensor

from popsnn._internal.compaction import begins, keep
from popsnn._internal.hashing import call_seed
from popsnn.cuda.device import launch as device_launch
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.layer.launch import LIST_SUMS_BYTES, DropSeed
from popsnn.cuda.layer.layer import LayerOutputs
from popsnn.cuda.recurrent import arguments
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.capped import ActiveSetArguments, active_set_source, recurrent_capped
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.neurons import LIF, AdaptiveLIF, Neuron
from popsnn.surrogate import SuperSpike

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
CURVE = SuperSpike(4.0)
STREAMED = ["recurrent_streamed_forward", "recurrent_active_set", "recurrent_streamed_backward"]
CLUSTERS = ["recurrent_cluster_forward", "recurrent_active_set", "recurrent_cluster_backward"]
# A spike acts on its own step, and the threshold is compared with a sum of states.
OWN_SPIKES = {"neuron": FiresElsewhere(), "state": True, "learn": True, "calls": 5}
MOST_SPILT = 400  # bytes a thread, of the widest kernels and outside of their products


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("blocks", [4, 16])
@pytest.mark.parametrize(
    "model", [LIF("subtract", True), AdaptiveLIF("zero_after", False)], ids=str
)
def test_kernels_in_clusters_compile(direction: str, blocks: int, model: Neuron) -> None:
    back = direction == "backward"
    text = cluster.source(
        direction, str(model.translation().source),
        gradient_source(model, CURVE, False) if back else "", blocks, FP32, back, back, "", True,
    )  # fmt: skip
    assert most_spilt(text, "sm_90a") == 0


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("arch", ["sm_90a", "sm_80"])
@pytest.mark.parametrize("weight", [BF16, FP32], ids=str)
def test_streamed_kernels_compile(direction: str, arch: str, weight: torch.dtype) -> None:
    back = direction == "backward"
    model = AdaptiveLIF("zero_after", False) if weight == FP32 else LIF("subtract", True)
    text = streamed_launch.source(
        direction, str(model.translation().source),
        gradient_source(model, CURVE, False) if back else "",
        (3 if weight == FP32 else 8, 2, 3 if back and weight == FP32 else 1), FP32, weight, 4,
        back, back, False, () if arch == "sm_90a" else (3, 3), "", True,
    )  # fmt: skip
    assert most_spilt(text, arch) <= MOST_SPILT


def test_the_launcher_has_the_sizes_of_the_header() -> None:
    assert "unsigned all[2][kWarp]" in header("layer/capacity")
    assert LIST_SUMS_BYTES == 4 * (2 * 32 + 1)
    assert ctypes.sizeof(ActiveSetArguments) == 4 * 8 + 7 * 4 + 4
    for vector in (4, 8, 16):
        assert most_spilt(active_set_source(vector), "sm_80") == 0


@pytest.fixture(params=["host", "cuda"])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """Of the kernels, which take clusters for few steps too."""
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    if request.param == "cuda":
        return request.getfixturevalue("gpu")  # type: ignore[no-any-return]
    loader: HostLoader = request.getfixturevalue("host_loader")
    recurrent(monkeypatch, loader)
    monkeypatch.setattr(device_launch, "load", loader)
    loader.launched.clear()
    return torch.device("cpu")


class Run(NamedTuple):
    """A call on the kernels, and its inputs."""

    neuron: Neuron
    values: dict[str, Any]  # of the parameters
    x: Tensor
    weight: Tensor
    state: tuple[Tensor, ...]  # of the neuron, or none
    weight_dtype: torch.dtype
    grad_threshold: float | None
    capacity: int
    seed: DropSeed
    out: LayerOutputs


def run(
    device: torch.device,
    steps: int,
    batch: int,
    neurons: int,
    capacity: int,
    *,
    neuron: Neuron | None = None,
    weight_dtype: torch.dtype = BF16,
    state: bool = False,
    learn: bool = False,
    grad_threshold: float | None = 0.3,
    level: float = 0.1,  # of the current
    first_step: int = 0,
    calls: int | None = None,
) -> Run:
    """Call the kernels on random tensors, the same for the same sizes."""
    generator = torch.Generator(device).manual_seed(steps + batch + neurons)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, device=device)

    neuron = LIF("zero", True) if neuron is None else neuron
    x = (0.35 * normal(steps, batch, neurons) + level).requires_grad_()
    weight = (normal(neurons, neurons) * (0.06 * neurons + 3) ** -0.5 / 2).requires_grad_()
    # Some states are counts of steps.
    drawn = {"v": normal(batch, neurons), "s": (normal(batch, neurons) > 1).float()}
    start = tuple(
        drawn.get(name, (normal(batch, neurons) > 0).float()).requires_grad_()
        for name in (neuron.states if state else ())
    )
    values: dict[str, Any] = {"beta": 0.9, "threshold": 0.7, "rho": 0.9, "kappa": 0.1, "mix": 0.5}
    values = {name: values[name] for name in neuron.parameters}
    if learn:
        values = {
            name: (value * (1 + 0.1 * torch.rand(neurons, generator=generator, device=device)))
            .requires_grad_()
            for name, value in values.items()
        }  # fmt: skip
    counted = None if calls is None else torch.tensor(calls, device=device)
    seed = DropSeed(11, counted, 2, first_step)
    out = recurrent_capped(
        neuron, x, weight, start, values, weight_dtype=weight_dtype, surrogate=CURVE,
        grad_threshold=grad_threshold, capacity=capacity, drop_seed=seed,
    )  # fmt: skip
    return Run(neuron, values, x, weight, start, weight_dtype, grad_threshold, capacity, seed, out)


def compare(run: Run) -> int:
    """Assert that spikes, active sets and drops are the reference's; return how many are dropped.

    The reference steps in float64 from the spikes and the membranes of the kernels: a membrane
    within a rounding of a threshold may fire in one and not in the other. Gradients flow along the
    kernels' spikes, where the kernels' active set lets them.
    """
    neurons = run.x.shape[-1]
    leaves = [run.x, run.weight, *run.state]
    leaves += [value for value in run.values.values() if isinstance(value, Tensor)]
    wide = [
        (leaf.detach().to(run.weight_dtype) if leaf is run.weight else leaf.detach())
        .double().requires_grad_()
        for leaf in leaves
    ]  # fmt: skip
    x, weight, *rest = wide
    start, rest = rest[: len(run.state)], rest[len(run.state) :]
    learnt = iter(rest)
    values = [next(learnt) if isinstance(v, Tensor) else v for v in run.values.values()]
    zeros = torch.zeros_like(x[0])
    state = tuple(start) or tuple(zeros for _ in run.neuron.states)
    at = run.neuron.states.index("v")
    flags, spikes = run.out.flags[..., :neurons], run.out.spikes
    assert spikes is not None
    assert torch.equal(spikes.detach(), (flags & 1).float())
    last: dict[str, Tensor] = {}
    t = 0

    def fire(v: Tensor, threshold: Any) -> Tensor:
        away = v - threshold
        last.update(away=away.detach(), v=v.detach())
        slope = CURVE.derivative(away.detach()) * (flags[t] & 2 != 0)
        sent.append(spikes[t].detach().double() + slope * (away - away.detach()))
        return sent[-1]

    sent: list[Tensor] = []
    results: list[tuple[Tensor, Tensor]] = []
    membranes, dropped = [], 0
    for t in range(len(x)):
        current = x[t] + state[-1] @ weight.t()
        state = run.neuron.advance(current, state, values, fire)
        results.append((last["away"], last["v"]))
        membranes.append(state[at])
        own = run.out.membrane[t].detach().double()
        forced = state[at] + (own - state[at]).detach()
        state = (*state[:at], forced, *state[at + 1 :])
    membrane = torch.stack(membranes)
    scale = 1 + float(membrane.detach().abs().max())
    assert float((run.out.membrane - membrane).detach().abs().max()) <= 1e-5 * scale
    gate = -1e30 if run.grad_threshold is None else run.grad_threshold
    seed, calls = run.seed.seed, run.seed.calls
    if calls is not None:
        seed = call_seed(seed, int(calls))
    begin = begins(seed, run.seed.layer, run.seed.first_step, len(x), x.shape[1], neurons)
    for t, (away, v) in enumerate(results):
        fired = away >= 0
        kept = keep(fired, ~fired & (v >= gate), run.capacity, begin[t])
        clear = ((away.abs() > 1e-4) & ((v - gate).abs() > 1e-4)).all(-1)
        expected = kept.fired * 1 + (kept.fired | kept.subthreshold) * 2
        assert torch.equal(flags[t][clear], expected[clear].to(torch.uint8))
        assert torch.equal(run.out.dropped[t][clear], kept.dropped[clear])
        counts = torch.stack([(expected & 1).sum(-1), (expected > 1).sum(-1)], -1)
        assert torch.equal(run.out.counts[t][clear], counts[clear].int())
        dropped += int(kept.dropped[clear][:, 0].sum())
    if run.out.flags.shape[-1] > neurons:
        assert not bool(run.out.flags[..., neurons:].any())
    outputs, ours = [spikes, run.out.membrane], [torch.stack(sent), membrane]
    if run.out.more is not None:
        outputs.append(run.out.more)
        ours.append(torch.stack([each for k, each in enumerate(state[:-1]) if k != at]))
    passed = [torch.randn_like(output) for output in outputs]
    grads = torch.autograd.grad(outputs, leaves, passed)
    wanted = torch.autograd.grad(ours, wide, [grad.double() for grad in passed])
    most, rounding = GRADIENTS.get(run.weight_dtype, (5e-5, 2.0**-22))
    # The gradient of weights is a sum of terms that are rounded, and that may cancel.
    first = torch.zeros_like(spikes[:1]) if not start else start[-1][None]
    sources = torch.cat([first.double(), spikes[:-1].double()]).detach()
    terms = wanted[0].abs().flatten(0, 1).t() @ sources.abs().flatten(0, 1)
    for index, (mine, reference) in enumerate(zip(grads, wanted)):
        least = float(terms.norm()) * rounding / most if index == 1 else 1e-12
        off = error(mine, reference, max(least, 1e-12))
        assert off < most, (off, index, tuple(mine.shape))
    return dropped


@pytest.fixture
def host(device: torch.device, host_loader: HostLoader) -> HostLoader | None:
    """Return the loader that has launched the kernels, on a CPU."""
    return host_loader if device.type == "cpu" else None


@pytest.mark.parametrize(
    ("batch", "neurons", "capacity", "options"),
    [
        (9, 250, 12, {}),
        (3, 301, 20, OWN_SPIKES),
        (9, 250, 12, {"weight_dtype": FP16}),
    ],
    ids=["four blocks", "eight blocks", "float16"],
)
def test_layers_in_clusters(
    device: torch.device,
    host: HostLoader | None,
    batch: int,
    neurons: int,
    capacity: int,
    options: dict[str, Any],
) -> None:
    assert compare(run(device, 4, batch, neurons, capacity, **options)) > 0
    assert host is None or [name for name in host.launched if name != "gradient_scale"] == CLUSTERS


@pytest.mark.parametrize(
    ("batch", "neurons", "capacity", "options"),
    [
        (11, 148, 10, {}),
        (5, 301, 20, OWN_SPIKES),
        (5, 148, 10, {"weight_dtype": FP16, "state": True}),
    ],
    ids=["whole vectors", "single neurons", "float16"],
)
def test_layers_whose_weights_stream(
    device: torch.device,
    host: HostLoader | None,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
    neurons: int,
    capacity: int,
    options: dict[str, Any],
) -> None:
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    options = {"weight_dtype": FP32, **options}
    assert compare(run(device, 4, batch, neurons, capacity, **options)) > 0
    assert host is None or [name for name in host.launched if name != "gradient_scale"] == STREAMED


def test_weights_that_stream_without_a_copy_engine(
    device: torch.device, host: HostLoader | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in (recurrent_ops, streamed_launch):
        monkeypatch.setattr(user, "has_copy_engine", lambda _: False)
    assert compare(run(device, 4, 5, 148, 10)) > 0
    assert host is None or host.launched == STREAMED


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize("capacity", [0, 1, 40])
def test_the_smallest_capacities_and_all_neurons(
    device: torch.device, weight_dtype: torch.dtype, capacity: int
) -> None:
    """A capacity is a number of the call: the kernels are the same."""
    made = run(device, 4, 3, 40, capacity, weight_dtype=weight_dtype, grad_threshold=None)
    dropped = compare(made)
    assert (dropped > 0) == (capacity < 40)
    assert int(made.out.counts[..., 1].max()) == min(capacity, 40)


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
def test_pieces_of_a_sequence_are_the_sequence(
    device: torch.device, weight_dtype: torch.dtype
) -> None:
    """Bit for bit, from states and the number of steps so far."""
    whole = run(device, 5, 5, 70, 9, weight_dtype=weight_dtype, calls=3)
    state: tuple[Tensor, ...] = ()
    parts = []
    for first, end in ((0, 1), (1, 5)):
        out = recurrent_capped(
            whole.neuron, whole.x.detach()[first:end], whole.weight.detach(), state, whole.values,
            weight_dtype=weight_dtype, surrogate=CURVE, grad_threshold=whole.grad_threshold,
            capacity=whole.capacity, drop_seed=whole.seed._replace(first_step=first),
        )  # fmt: skip
        assert out.spikes is not None
        state = (out.membrane[-1], out.spikes[-1])
        parts.append(out)
    assert int(whole.out.dropped[..., 0].sum()) > 0
    for name in ("spikes", "membrane", "flags", "counts", "dropped"):
        joined = torch.cat([getattr(part, name) for part in parts])
        assert torch.equal(joined, getattr(whole.out, name)), name


def test_messages_that_are_lost_in_a_cluster(
    host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks wait for a while, also for the last message, and go on with NaN."""
    lose_messages(monkeypatch, host_loader)
    recurrent(monkeypatch, host_loader)
    monkeypatch.setattr(device_launch, "load", host_loader)
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    for steps in (1, 3):
        status.zero_()
        with torch.no_grad():
            out = run(torch.device("cpu"), steps, 3, 38, 5).out
        assert int(status) == 1
        assert bool(torch.isnan(out.membrane[-1]).all())


def test_a_timeout_ends(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is left out, and the others wait for what it would publish."""
    recurrent(monkeypatch, host_loader)
    monkeypatch.setattr(device_launch, "load", host_loader)
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    launch = HostModule.launch

    def with_fewer(module: HostModule, name: str, blocks: int, *rest: Any, **kind: bool) -> None:
        if "streamed" in name:
            blocks -= 1
        launch(module, name, blocks, *rest, **kind)

    monkeypatch.setattr(HostModule, "launch", with_fewer)
    with torch.no_grad():
        out = run(torch.device("cpu"), 3, 3, 301, 20, weight_dtype=FP32).out
    assert int(status) == 1
    assert bool(torch.isnan(out.membrane[1:, :, :128]).all())


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_shapes(gpu: torch.device, data: st.DataObject) -> None:
    """Of clusters and of weights that stream, by their number of steps too."""
    steps, batch = data.draw(st.integers(1, 14)), data.draw(st.integers(1, 130))
    neurons = data.draw(st.integers(1, 1500))
    capacity = data.draw(st.one_of(st.integers(0, 20), st.integers(0, neurons)))
    begun = data.draw(st.booleans())
    options = {
        "weight_dtype": data.draw(st.sampled_from([BF16, FP32])),
        "neuron": FiresElsewhere() if begun else LIF("zero"),
        "grad_threshold": data.draw(st.sampled_from([None, 0.3])),
        "level": data.draw(st.sampled_from([-0.3, 0.1, 1.0])),
    }
    compare(run(gpu, steps, batch, neurons, capacity, state=begun, learn=begun, **options))


@pytest.mark.parametrize("neurons", [1024, 2944, 8192])
def test_large_layers(gpu: torch.device, neurons: int) -> None:
    """Of several groups of samples and of several tiles a block."""
    assert compare(run(gpu, 12, 100, neurons, neurons // 20)) > 0
