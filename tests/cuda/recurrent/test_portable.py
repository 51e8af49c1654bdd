"""Weights that stay in registers and shared memory of any GPU since compute capability 8.0."""

from __future__ import annotations

from typing import Any, Iterator

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.cuda.host_kernels import HostLoader, recurrent
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.recurrent.runs import (
    RESETS,
    compare,
    compare_narrow,
    in_a_graph,
    run,
    same_twice,
)

from popsnn import functional, surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.device.properties import properties
from popsnn.cuda.recurrent import arguments, ops
from popsnn.cuda.recurrent.portable import launch as portable
from popsnn.cuda.recurrent.portable import plan as planned
from popsnn.cuda.recurrent.portable.plan import GROUP, plan
from popsnn.functional import neuron

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
KERNELS = ["recurrent_portable_forward", "recurrent_portable_backward"]
ADAPTIVE = {"layer": functional.recurrent_adaptive_lif, "state": True, "learn": True}
# Bytes a thread, of blocks of several tiles; NVRTC 13.0 and 13.5 differ by 16.
MOST_SPILT = 48
MOST_SPILT_OF_12 = 164  # compute capability 12.0
MOST_SPILT_OF_ONE_TILE = 0


@pytest.fixture
def host(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> HostLoader:
    """A CPU of 8 multiprocessors without a copy engine."""
    recurrent(monkeypatch, host_loader)
    host_loader.launched.clear()
    monkeypatch.setattr(ops, "has_copy_engine", lambda _: False)
    return host_loader


@pytest.mark.parametrize(
    ("batch", "neurons", "options"),
    [
        (21, 40, {}),  # blocks beyond the neurons, several groups of samples
        (5, 38, {"state": True, "learn": True}),  # a single group
        (9, 141, {"state": True, "learn": True, "reset": "subtract"}),  # two tiles a block
        (17, 52, ADAPTIVE),
        (3, 150, ADAPTIVE),
        (9, 40, {"state": True, "learn": True, "weight_dtype": FP16}),
        (21, 40, {"weight_dtype": FP32}),  # parts of the batch
        (5, 38, {"state": True, "learn": True, "weight_dtype": FP32}),  # a single one
        (9, 125, {"state": True, "learn": True, "reset": "subtract", "weight_dtype": FP32}),
        (19, 51, {**ADAPTIVE, "weight_dtype": FP32}),
        (3, 77, {**ADAPTIVE, "weight_dtype": FP32}),
    ],
)
def test_layers(host: HostLoader, batch: int, neurons: int, options: dict[str, Any]) -> None:
    compare(run(torch.device("cpu"), 4, batch, neurons, weight=FP32, **options))
    others = ("gradient_scale", "split_planes")
    assert [name for name in host.launched if name not in others] == KERNELS


@pytest.mark.parametrize("batch", [5, 20])
@pytest.mark.parametrize("count", [1, 2])
def test_weights_in_shared_memory(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, count: int, batch: int
) -> None:
    """Registers have those of a single unit, and units take turns in the registers of messages."""
    monkeypatch.setitem(planned.REGISTERS, "forward", 0)
    monkeypatch.setitem(planned.REGISTERS, "backward", 0)
    for user in (ops, portable):
        monkeypatch.setattr(user, "multiprocessors", lambda _: 54 // count)
    planned.plan.cache_clear()
    compare(run(torch.device("cpu"), 3, batch, 781 if count == 1 else 420, weight=FP32))
    planned.plan.cache_clear()
    assert host.launched == KERNELS


@pytest.mark.parametrize("batch", [20, 36, 52])
@pytest.mark.parametrize(("tiles", "buffers"), [(1, 7), (2, 3)])
def test_the_fewest_buffers_of_partial_sums(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, tiles: int, buffers: int, batch: int
) -> None:
    """Sets of warps with unequal numbers of groups: with fewer buffers they race."""

    def laid(direction: str, neurons: int, *_: int) -> planned.Plan:
        return planned.Plan(direction, neurons, tiles, 1, buffers, 12)

    for user in (ops, portable):
        monkeypatch.setattr(user, "multiprocessors", lambda _: 16 // tiles)
    monkeypatch.setattr(planned, "plan", laid)
    compare(run(torch.device("cpu"), 12, batch, 141, weight=FP32))
    assert host.launched == KERNELS


def test_blocks_of_three_tiles(host: HostLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single set of warps steps neurons; the last block has tiles beyond all units."""
    for user in (ops, portable):
        monkeypatch.setattr(user, "multiprocessors", lambda _: 3)
    compare(run(torch.device("cpu"), 3, 19, 125, weight=FP32, state=True))
    assert host.launched == KERNELS


def test_several_launches(host: HostLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned, "MOST_GROUPS", 4)
    planned.plan.cache_clear()
    compare(run(torch.device("cpu"), 2, 50, 130, weight=FP32, learn=True))
    planned.plan.cache_clear()
    assert host.launched == [name for name in KERNELS for _ in range(2)]


@pytest.mark.parametrize("batch", [5, 20])
def test_a_wait_that_is_given_up_ends(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """The last blocks are left out, and the others go on with NaN."""
    made = run(torch.device("cpu"), 4, batch, 40, weight=FP32)
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    blocks = made.x.shape[-1] // 16
    monkeypatch.setattr(planned.Plan, "blocks", property(lambda _: blocks))
    (grad,) = torch.autograd.grad(made.out.spikes.sum(), made.x)
    assert int(status) == 1
    assert bool(torch.isnan(grad[:3, :, :32]).all())
    assert not bool(torch.isnan(grad[3, :, :32]).any())
    status.zero_()
    with torch.no_grad():
        out = run(torch.device("cpu"), 4, batch, 40, weight=FP32).out
    assert int(status) == 1
    assert bool(torch.isnan(out.membrane[1:, :, :32]).all())


@pytest.mark.parametrize(
    ("arch", "count", "most_bytes", "neurons"),
    [
        ("sm_80", 108, 166912, 2944),
        ("sm_86", 28, 101376, 1024),
        ("sm_89", 128, 101376, 2944),
        ("sm_90", 132, 232448, 2048),
        ("sm_120", 170, 101376, 2944),
    ],
)
def test_compiles_for_every_architecture(
    arch: str, count: int, most_bytes: int, neurons: int
) -> None:
    """The layouts of an A100, RTX 3060, RTX 4090, H200 and RTX 5090."""
    laid = [plan(direction, neurons, 2, count, most_bytes) for direction in planned.UNITS]
    forward, backward = (each.layout for each in laid if each is not None)
    model = neuron.LIF(RESETS[0], True)
    text = str(model.cuda_source)
    gradient = gradient_source(model, surrogate.SuperSpike(), True)
    for layout, source in (
        (forward, portable.source("forward", text, "", forward, BF16, True)),
        (backward, portable.source("backward", text, gradient, backward, BF16, True, True, True)),
    ):
        of_tiles = MOST_SPILT_OF_12 if arch == "sm_120" else MOST_SPILT
        most = of_tiles if layout[0] > 1 else MOST_SPILT_OF_ONE_TILE
        assert most_spilt(source, arch) <= most


@pytest.mark.parametrize(
    ("arch", "count", "most_bytes", "neurons", "most"),
    [
        ("sm_80", 108, 166912, 1536, 0),
        ("sm_80", 108, 166912, 1728, 84),
        ("sm_89", 128, 101376, 1152, 0),
        ("sm_90", 132, 232448, 1024, 0),
        ("sm_90", 132, 232448, 2112, 52),
        ("sm_120", 170, 101376, 1536, 24),
    ],
)
def test_terms_of_float32_compile_for_every_architecture(
    arch: str, count: int, most_bytes: int, neurons: int, most: int
) -> None:
    """Those of the largest layers, and of layers in parts."""
    model = neuron.LIF(RESETS[0], True)
    text = str(model.cuda_source)
    gradient = gradient_source(model, surrogate.SuperSpike(), True)
    for direction in planned.UNITS:
        laid = plan(direction, neurons, 2, count, most_bytes, True)
        assert laid is not None
        flags = (False, "") if direction == "forward" else (True, gradient)
        source = portable.source(
            direction, text, flags[1], laid.layout, FP32, True, flags[0], flags[0],
            terms=laid.terms, in_parts=planned.most_parts(laid.blocks, count, False) > 1,
        )  # fmt: skip
        assert most_spilt(source, arch) <= most


@pytest.mark.parametrize("kind", ["axonal", "dendritic"])
def test_delays(host: HostLoader, kind: str) -> None:
    """Of learnt whole steps, the ends among them."""
    steps = torch.arange(40).remainder(4).float().requires_grad_()
    late = functional.DelaySteps(kind, steps, 3, spread="straight_through")
    compare(run(torch.device("cpu"), 5, 11, 40, weight=FP32, state=True, delay=late))
    assert host.launched == KERNELS


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    result = constants(header("recurrent/portable/portable"))
    assert result["kProductWarps"] == planned.PRODUCT_WARPS
    assert result["kUnitWords4"] * 4 == portable.WORDS["backward"]
    text = header("recurrent/portable/messages")
    spikes, gradients = text.split("struct PortableGradients")
    for direction, of in (("forward", constants(spikes)), ("backward", constants(gradients))):
        assert of["kUnit"] == planned.UNITS[direction]
        assert of["kBlocks"] == planned.BLOCKS[direction]
    octet = constants(header("recurrent/resident/octet"))
    assert octet["kThreads"] == portable.THREADS
    assert octet["kSamples"] == GROUP


@given(
    direction=st.sampled_from(list(planned.UNITS)),
    neurons=st.integers(1, 5000),
    states=st.integers(2, 6),
    count=st.integers(1, 170),
    most=st.integers(48 * 1024, 232448),
    exact=st.booleans(),
)
def test_what_fits(
    direction: str, neurons: int, states: int, count: int, most: int, exact: bool
) -> None:
    """Blocks on the multiprocessors, weights and states in shared memory."""
    laid = plan(direction, neurons, states, count, most, exact)
    if laid is None:
        return
    assert laid.blocks <= count
    assert laid.blocks * laid.tiles * planned.TILE >= neurons
    assert laid.units_of_warp * planned.PRODUCT_WARPS >= laid.units
    assert 1 <= laid.held <= laid.units_of_warp
    assert laid.buffers >= (2 * laid.sets - 1 if laid.sets > 1 else 2)
    values = planned.values_of(direction, states)
    assert laid.shared_bytes(laid.groups, values) <= most


def test_large_layers_stay_on_large_gpus() -> None:
    """Of an A100, an RTX 4090 and an RTX 3060."""
    for neurons, count, most in ((2944, 108, 166912), (2944, 128, 101376), (1024, 28, 101376)):
        assert planned.fits(neurons, 48, 2, False, False, count, most)
    assert not planned.fits(4096, 48, 2, False, False, 108, 166912)
    assert not planned.fits(2944, 48, 2, False, False, 28, 101376)
    assert not planned.fits(1024, 97, 2, False, False, 108, 166912)  # no room for two parts
    assert planned.fits(2944, 97, 2, False, False, 108, 166912)
    assert planned.fits(512, 97, 2, False, False, 108, 166912)
    assert not planned.fits(512, 97, 2, False, True, 108, 166912)  # delays have no parts
    for neurons, count, most in ((2112, 132, 232448), (1728, 108, 166912), (1536, 128, 101376)):
        assert planned.fits(neurons, 48, 2, True, False, count, most)
        assert not planned.fits(neurons + 16, 48, 2, True, False, count, most)


@given(batch=st.integers(1, 500), groups=st.integers(1, 12), parts=st.integers(1, 4))
def test_every_sample_is_launched_once(batch: int, groups: int, parts: int) -> None:
    launches = arguments.launches_of(batch, GROUP, parts, GROUP * groups)
    assert all(0 < len(samples) <= parts for samples in launches)
    every = [each for samples in launches for each in samples]
    assert sum(count for _, count in every) == batch
    assert [first for first, _ in every] == [
        sum(count for _, count in every[:i]) for i in range(len(every))
    ]
    assert all(0 < count <= groups * GROUP for _, count in every)
    assert len({count for _, count in every[:-1]}) <= 1


@pytest.fixture
def without_engine(
    request: pytest.FixtureRequest, gpu: torch.device, monkeypatch: pytest.MonkeyPatch
) -> Iterator[torch.device]:
    """A GPU, taken as one without a copy engine, that runs the kernels of this file alone."""
    given = request.node.callspec.params
    batch, states = given.get("batch", 1), 3 if given.get("options") is ADAPTIVE else 2
    have = properties(gpu)
    most = (have.multiprocessors, have.shared_bytes)
    exact = given.get("options", {}).get("weight_dtype") == FP32
    if not planned.fits(given["neurons"], batch, states, exact, False, *most):
        pytest.skip(f"engine cuda: {have.multiprocessors} multiprocessors do not hold the weights")
    monkeypatch.setattr(ops, "has_copy_engine", lambda _: False)
    launched: list[str] = []
    launch = portable.launch

    def noted(direction: str, *arguments: Any, **options: Any) -> Any:
        launched.append(direction)
        return launch(direction, *arguments, **options)

    monkeypatch.setattr(portable, "launch", noted)
    yield gpu
    assert set(launched) == {"forward", "backward"}


@pytest.mark.parametrize(
    ("steps", "batch", "neurons", "options"),
    [
        (20, 48, 300, {}),
        (9, 5, 700, {"state": True, "learn": True}),
        (5, 100, 2200, {"state": True, "reset": "subtract"}),  # two launches
        (11, 21, 1501, {"learn": True}),
        (9, 30, 500, ADAPTIVE),
        (20, 48, 300, {"weight": FP32, "weight_dtype": FP32}),
        (9, 5, 1003, {"state": True, "learn": True, "weight": FP32, "weight_dtype": FP32}),
        (5, 150, 700, {"state": True, "weight": FP32, "weight_dtype": FP32}),
        (11, 21, 1701, {"learn": True, "weight": FP32, "weight_dtype": FP32}),
        (9, 30, 500, {**ADAPTIVE, "weight": FP32, "weight_dtype": FP32}),
    ],
)
def test_on_a_gpu(
    without_engine: torch.device, steps: int, batch: int, neurons: int, options: dict[str, Any]
) -> None:
    compare(run(without_engine, steps, batch, neurons, **options))


@pytest.mark.parametrize("neurons", [200, 1800])
def test_runs_on_a_gpu_repeat(without_engine: torch.device, neurons: int) -> None:
    same_twice(without_engine, 30, 40, neurons)
    in_a_graph(without_engine, 12, neurons)
    compare_narrow(run(without_engine, 7, 9, neurons, dtype=torch.float16))
