"""Recurrent layers that gather the weights of active neurons, on kernels compiled for a CPU."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from tests.cuda.host_kernels import HostLoader, HostModule, recurrent
from tests.cuda.kernel_facts import compiled, constants, header, most_spilt
from tests.cuda.recurrent.runs import compare, gather_always, run, same_twice

from bench.recurrent import phases
from popsnn import functional, surrogate
from popsnn.cuda.device.options import encode
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import arguments, ops
from popsnn.cuda.recurrent.gathered import launch as gathered_launch
from popsnn.cuda.recurrent.gathered import plan as planned
from popsnn.cuda.recurrent.gathered import transposed as transposed_launch
from popsnn.cuda.recurrent.gathered.plan import Plan, plan
from popsnn.cuda.recurrent.streamed import launch as streamed_launch
from popsnn.functional import neuron

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
CPU = torch.device("cpu")
ADAPTIVE = {"layer": functional.recurrent_adaptive_lif, "state": True, "learn": True}
FORWARD = ["recurrent_gathered_forward", "recurrent_streamed_forward"]
BACKWARD = ["recurrent_active", "recurrent_gathered_backward", "recurrent_streamed_backward"]
KERNELS = ["transposed", *FORWARD, *BACKWARD]
SHARED = 232448  # bytes of a block of an H200


@pytest.fixture
def host(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> HostLoader:
    """A CPU of 8 multiprocessors, on which layers gather however many neurons are active."""
    recurrent(monkeypatch, host_loader)
    gather_always(monkeypatch)
    host_loader.launched.clear()
    return host_loader


@pytest.mark.parametrize(
    ("batch", "neurons", "weight_dtype", "options"),
    [
        (1, 148, BF16, {"state": True}),
        (1, 141, FP32, ADAPTIVE),
        (5, 301, BF16, {}),
        (8, 150, FP32, {"state": True}),
        (13, 148, BF16, ADAPTIVE),
        (1, 148, FP16, {"state": True}),
        (5, 150, FP16, {"state": True}),
    ],
)
def test_layers(
    host: HostLoader, batch: int, neurons: int, weight_dtype: torch.dtype, options: dict[str, Any]
) -> None:
    """Of one sample, on tensor cores, and of blocks whose last neurons are not there."""
    options = {"weight": FP32, "weight_dtype": weight_dtype, "grad_threshold": 0.3, **options}
    compare(run(CPU, 5, batch, neurons, **options))
    assert [name for name in host.launched if name != "gradient_scale"] == KERNELS


@pytest.mark.parametrize(
    ("batch", "neurons", "weight_dtype"),
    [(1, 200, BF16), (8, 250, BF16), (20, 200, FP32), (40, 200, BF16)],
)
def test_most_neurons_active(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
    neurons: int,
    weight_dtype: torch.dtype,
) -> None:
    """Lists of more than a window and 32 words, and several tiles of rows, of wide blocks."""
    for user in (ops, gathered_launch):
        monkeypatch.setattr(user, "multiprocessors", lambda _: 2)
    options = {"weight": FP32, "weight_dtype": weight_dtype, "grad_threshold": -3.0}
    made = run(CPU, 3, batch, neurons, threshold=0.05, **options)
    spikes = made.out.spikes.detach()
    assert float(spikes.sum(1).ne(0).float().mean()) > 0.4
    compare(made)


@pytest.mark.parametrize(
    ("batch", "options", "limit"), [(1, {"state": True}, 2), (5, ADAPTIVE, 8), (5, {}, 0)]
)
def test_steps_of_many_active_neurons_stream(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
    options: dict[str, Any],
    limit: int,
) -> None:
    """From the first step on, or after some, and on GPUs without a copy engine too."""
    monkeypatch.setattr(gathered_launch, "limit", lambda *_: limit)
    compare(run(CPU, 8, batch, 148, weight=FP32, grad_threshold=0.3, **options))


@pytest.mark.parametrize("limit", [10**6, 1 << 30, (1 << 31) - 1])
def test_a_limit_that_no_step_has(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    """Twice the limit may be no int."""
    left: list[int] = []
    launch = gathered_launch.launch

    def noted(*arguments: Any, **options: Any) -> Any:
        result = launch(*arguments, **options)
        left.append(int(result[0]))
        return result

    monkeypatch.setattr(gathered_launch, "limit", lambda *_: limit)
    monkeypatch.setattr(gathered_launch, "launch", noted)
    compare(run(CPU, 8, 5, 148, weight=FP32, grad_threshold=0.3))
    assert left == [8, 8]


def test_steps_that_stream_without_a_copy_engine(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in (ops, streamed_launch):
        monkeypatch.setattr(user, "has_copy_engine", lambda _: False)
    monkeypatch.setattr(ops, "choose_portable", lambda *_: "streamed")
    monkeypatch.setattr(gathered_launch, "limit", lambda *_: 2)
    compare(run(CPU, 8, 5, 148, weight=FP32, grad_threshold=0.3, state=True))
    assert host.launched == KERNELS


def test_silence(host: HostLoader) -> None:
    """Empty lists, and steps without active neurons."""
    made = run(CPU, 4, 3, 148, weight=FP32, threshold=50.0, grad_threshold=40.0)
    assert not bool(made.out.spikes.detach().any())
    compare(made)


def test_the_backward_pass_without_a_gradient_threshold_streams(host: HostLoader) -> None:
    compare(run(CPU, 4, 3, 148, weight=FP32))
    assert host.launched == ["transposed", *FORWARD, BACKWARD[-1]]


def test_weights_by_columns_are_not_transposed(host: HostLoader) -> None:
    compare(run(CPU, 4, 3, 152, columns=True, weight=FP32, grad_threshold=0.3))
    assert host.launched == [*FORWARD, *BACKWARD]


def test_weights_by_columns_of_a_backward_pass_that_streams(host: HostLoader) -> None:
    """They are not read as if they lay by rows, though their type and pitch are right."""
    compare(run(CPU, 4, 3, 192, columns=True, weight=FP32, weight_dtype=FP32))


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("batch", [1, 5])
def test_stamps_of_phases(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, direction: str, batch: int
) -> None:
    """Every warp passes the phases of a step in their order."""
    laid = gathered_launch.planned(direction, torch.empty(148, 148, dtype=BF16), batch)
    assert laid is not None
    times = torch.zeros((6, laid.blocks, laid.warps, len(phases.PHASES)), dtype=torch.int64)
    monkeypatch.setattr(
        gathered_launch, "source", phases.stamped(direction, times, gathered_launch.source)
    )
    compare(run(CPU, 6, batch, 148, weight=FP32, weight_dtype=BF16, grad_threshold=0.3))
    # One sample backward stamps no arrival, nor does a block without rows.
    passed = times[1:, ..., [0, 2, 3, 4, 5]]
    assert bool((passed > 0).all())
    assert bool((passed.diff(dim=-1) >= 0).all())
    waited = times[1:, ..., 1]
    assert bool((waited > 0).any()) == (direction == "forward" or batch > 1)


def test_results_are_the_same_bits(host: HostLoader) -> None:
    same_twice(CPU, 4, 5, 148, weight=FP32, grad_threshold=0.3)


def test_operators_pass_opcheck(host: HostLoader) -> None:
    """The copy of the weights has a shape where sizes are symbols too."""
    library = torch.library.Library("popsnn", "IMPL")
    for name, (call, _) in ops.OPERATORS.items():
        library.impl(name, call, "CPU")
    model = neuron.LIF("zero", True)
    options = encode(
        *arguments.RecurrentOptions(
            neuron=str(model.cuda_source),
            states=2,
            tensor_indices=(),
            values=(0.9, 1.0),
            gradient=gradient_source(model, surrogate.SuperSpike(), True),
            surrogate=10.0,
            grad_threshold=0.5,
            membrane=True,
            final=False,
            exact=False,
        )
    )
    inputs = (torch.randn(4, 3, 40), torch.randn(40, 40))
    forward = (*inputs, [], [], [], options, True, True, True)
    spikes, membrane, _, second, extra, by_source = torch.ops.popsnn.recurrent_forward(*forward)
    assert by_source.shape == (40, 40)
    backward = (
        *(*inputs, [], [], [], membrane, extra, second, by_source, spikes, None, []),
        options,
    )
    torch.library.opcheck(torch.ops.popsnn.recurrent_forward, forward)
    torch.library.opcheck(torch.ops.popsnn.recurrent_backward, (*backward, False, True, False))
    library._destroy()


def test_a_timeout_ends_with_nan(host: HostLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is left out, and the others go on without its list."""
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    launch = HostModule.launch

    def fewer(module: HostModule, name: str, blocks: int, *rest: Any, **together: bool) -> None:
        launch(module, name, blocks - (name == FORWARD[0]), *rest, **together)

    monkeypatch.setattr(HostModule, "launch", fewer)
    with torch.no_grad():
        out = run(CPU, 4, 3, 148, weight=FP32).out
    assert int(status) == 1
    assert bool(torch.isnan(out.membrane[1, :, :128]).all())


@pytest.mark.parametrize("neurons", [63, 64, 130, 200])
@pytest.mark.parametrize(
    "dtypes", [(FP32, FP32), (FP32, BF16), (BF16, BF16), (FP16, FP16)], ids=str
)
def test_transposed(
    host: HostLoader, neurons: int, dtypes: tuple[torch.dtype, torch.dtype]
) -> None:
    weight = torch.randn(neurons, neurons).to(dtypes[0])
    pitch = -(-neurons // 8) * 8
    out = transposed_launch.transposed(weight, dtypes[1], pitch)
    assert torch.equal(out[:, :neurons], weight.t().to(dtypes[1]))
    assert not bool(out[:, neurons:].any())


@given(
    direction=st.sampled_from(["forward", "backward"]),
    neurons=st.integers(1, 40_000),
    size=st.sampled_from([2, 4]),
    count=st.integers(1, 170),
    batch=st.integers(1, 60),
    most=st.integers(48 * 1024, SHARED),
)
@example(direction="forward", neurons=33_000, size=2, count=132, batch=48, most=SHARED)
def test_plans_fit(
    direction: str, neurons: int, size: int, count: int, batch: int, most: int
) -> None:
    made = plan(direction, neurons, size, count, batch, most)
    if made is None:
        return
    assert made.blocks <= count
    assert (made.blocks - 1) * made.outs < neurons <= made.blocks * made.outs
    assert made.shared_bytes <= most
    assert batch <= made.samples
    assert made.rows(made.vector(True)) >= 1
    lists = made.loads * (32 // made.window) * (made.warps // made.columns)
    assert direction == "backward" or lists >= made.blocks
    assert direction == "backward" or made.loads * (32 // made.window) <= planned.MOST_LISTS


@pytest.mark.parametrize("batch", [1, 8, 24, 48])
@pytest.mark.parametrize("neurons", [3500, 8192, 16384])
def test_large_layers_have_plans(neurons: int, batch: int) -> None:
    """On an H200; blocks of one range of neurons use all multiprocessors but a few."""
    made = plan("forward", neurons, 2, 132, batch, SHARED)
    assert made is not None
    assert made.blocks >= 100


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("batch", [1, 8, 9, 24, 48])
def test_limits_of_active_neurons(batch: int, size: int) -> None:
    """Of a layer that L2 holds and of one that it does not; backward small layers stream."""
    for neurons in (128, 3000, 8192, 40_000):
        for direction in ("forward", "backward"):
            assert 0 <= planned.limit(direction, neurons, batch, size) <= 0.95 * neurons
    assert planned.limit("forward", 8192, batch, size) > 2000
    assert planned.limit("backward", 2048, 24, size) == 0
    assert planned.limit("forward", 2000, 48, 2) == 0
    assert planned.limit("backward", 1000, 8, 2) == 900


def _plans() -> list[Plan]:
    shapes = ((8192, 1), (8192, 8), (8192, 24), (16384, 8))
    plans = [
        plan(direction, neurons, 2, 132, batch, SHARED)
        for neurons, batch in shapes
        for direction in ("forward", "backward")
    ]
    return [made for made in plans if made is not None]


@pytest.mark.parametrize("made", _plans(), ids=lambda made: f"{made.direction}{made.outs}")
def test_kernels_spill_little(made: Plan) -> None:
    """Nothing where a block has 64 neurons; 200 bytes a thread in the widest."""
    source = _source(made, BF16)
    assert most_spilt(source, "sm_90") <= (0 if made.outs <= 64 else 200)


@pytest.mark.parametrize("made", _plans()[:4], ids=lambda made: f"{made.direction}{made.outs}")
def test_state_stays_in_registers(made: Plan) -> None:
    """An element by an index that is no constant would put an object in memory."""
    pytest.importorskip("cuda.core")
    report = compiled(_source(made, BF16), "sm_90").report
    assert {int(n) for n in re.findall(r"(\d+) bytes stack frame", report)} == {0}


@pytest.mark.parametrize("arch", ["sm_80", "sm_86", "sm_89", "sm_100", "sm_120"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_compiles_for_every_architecture(arch: str, direction: str) -> None:
    """With as much shared memory as the GPUs of it have."""
    most = SHARED if arch in ("sm_80", "sm_100") else 101376
    made = plan(direction, 8192, 2, 128, 8, most)
    assert made is not None
    assert most_spilt(_source(made, BF16), arch) <= 200


def _source(made: Plan, weight: torch.dtype) -> str:
    model = neuron.LIF("zero", True)
    assert model.cuda_source is not None
    backward = made.direction == "backward"
    gradient = gradient_source(model, surrogate.SuperSpike(), True) if backward else ""
    planes = 3 if backward and weight == FP32 else 1
    return gathered_launch.source(
        made.direction, model.cuda_source, gradient, made, planes, weight, weight, made.vector(True)
    )


def test_constants_are_those_of_the_kernels() -> None:
    found = constants(
        header(
            *(f"recurrent/gathered/{name}" for name in ("gathered", "product", "active")),
            "recurrent/gathered/transposed",
        )
    )
    assert found["kFront"] == planned.FRONT
    assert found["kChunk"] == planned.CHUNK
    assert found["kActiveThreads"] == gathered_launch.ACTIVE_THREADS
    assert found["kTransposedTile"] == transposed_launch.TILE
    assert found["kTransposedThreads"] == transposed_launch.THREADS
