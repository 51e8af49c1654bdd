"""The recurrent kernels compiled for a CPU, where all their threads take turns."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.cuda.host_kernels import HostLoader, HostModule, lose_messages, recurrent
from tests.cuda.recurrent.runs import compare, every_step, run

from popsnn import functional
from popsnn.cuda.recurrent import arguments
from popsnn.cuda.recurrent import ops as recurrent_ops
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.streamed import launch as streamed_launch

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32


@pytest.fixture
def host(host_loader: HostLoader, monkeypatch: pytest.MonkeyPatch) -> HostLoader:
    """A CPU of 8 multiprocessors."""
    recurrent(monkeypatch, host_loader)
    host_loader.launched.clear()
    return host_loader


ADAPTIVE = {"layer": functional.recurrent_adaptive_lif, "state": True, "learn": True}
CLUSTERS = ["recurrent_cluster_forward", "recurrent_cluster_backward"]


@pytest.mark.parametrize(
    ("batch", "neurons", "options"),
    [
        (21, 250, {}),
        (3, 301, ADAPTIVE),
        (9, 70, {"weight_dtype": FP16, "state": True, "learn": True}),
    ],
)
def test_layers_in_clusters(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
    neurons: int,
    options: dict[str, Any],
) -> None:
    """Of four blocks and of eight; the last cluster has fewer samples than the others."""
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    compare(run(torch.device("cpu"), 4, batch, neurons, weight=FP32, **options))
    assert [name for name in host.launched if name != "gradient_scale"] == CLUSTERS


def test_messages_that_are_lost_in_a_cluster(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks wait for a while, and go on with NaN."""
    lose_messages(monkeypatch, host)
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    with torch.no_grad():
        out = run(torch.device("cpu"), 5, 5, 38, weight=FP32).out
    assert int(status) == 1
    assert bool(torch.isnan(out.membrane[1:]).all())
    assert not bool(torch.isnan(out.membrane[0]).any())


def test_weights_in_registers(host: HostLoader) -> None:
    compare(run(torch.device("cpu"), 4, 70, 40, weight=FP32))
    assert host.launched == ["recurrent_forward", "recurrent_backward"]


@pytest.mark.parametrize("weight", [FP32, FP16], ids=str)
def test_weights_of_float16_in_registers(host: HostLoader, weight: torch.dtype) -> None:
    compare(run(torch.device("cpu"), 4, 21, 40, weight=weight, weight_dtype=FP16, learn=True))
    assert host.launched == ["recurrent_forward", "gradient_scale", "recurrent_backward"]


def test_weights_of_bfloat16_that_are_taken_as_float16(host: HostLoader) -> None:
    made = run(torch.device("cpu"), 4, 21, 40, weight=BF16, weight_dtype=FP16)
    weight = made.weight.detach().float()
    wide = functional.recurrent_lif(made.x, weight, weight_dtype=FP16, backend="cuda")
    assert torch.equal(made.out.membrane, wide.membrane)


@pytest.mark.parametrize(
    ("batch", "neurons", "of_tile"), [(5, 38, 2048), (8, 150, 80)], ids=["one tile", "two tiles"]
)
def test_weights_in_registers_of_few_samples(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, batch: int, neurons: int, of_tile: int
) -> None:
    """Blocks beyond the neurons, and parts of the senders that some warps have and some do not."""
    monkeypatch.setattr(octet, "TILE_NEURONS", of_tile)
    monkeypatch.setattr(recurrent_ops, "multiprocessors", lambda _: 20)
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    options = {"state": of_tile < neurons, "learn": of_tile < neurons}
    compare(run(torch.device("cpu"), 4, batch, neurons, weight=FP32, **options))
    assert host.launched == ["recurrent_octet", "recurrent_backward"]


@pytest.mark.parametrize(("batch", "neurons", "of_tile"), [(33, 71, 32), (9, 60, 20)])
def test_weights_of_wide_blocks_in_registers(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, batch: int, neurons: int, of_tile: int
) -> None:
    """As of more than 2048 neurons, and a state before the first step.

    Of the last pair's 48 neurons, the first layer has all in a unit of senders, the second 16.
    """
    monkeypatch.setattr(resident, "MOST_QUADS", 1)
    monkeypatch.setattr(pair, "TILE_NEURONS", of_tile)
    compare(run(torch.device("cpu"), 3, batch, neurons, weight=FP32, state=True, learn=True))


@pytest.mark.parametrize(
    ("batch", "neurons", "most", "launches", "options"),
    [
        (37, 40, 16, (2, 1), {"state": True, "learn": True}),
        (90, 64, 32, (2, 1), {"weight_dtype": FP16}),
        (33, 20, 96, (1, 1), {"state": True}),
    ],
)
def test_parts_of_a_batch_in_registers(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
    neurons: int,
    most: int,
    launches: tuple[int, int],
    options: dict[str, Any],
) -> None:
    """Two or four at once, of uneven numbers of groups; the last launch has fewer."""
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    monkeypatch.setattr(resident, "DIVIDED", 1)
    monkeypatch.setattr(resident, "DIVIDED_STEPS", 1)
    monkeypatch.setattr(arguments, "MOST_SAMPLES", most)
    compare(run(torch.device("cpu"), 4, batch, neurons, weight=FP32, **options))
    kinds = [name for name in host.launched if name != "gradient_scale"]
    forward, backward = launches
    assert kinds == ["recurrent_forward"] * forward + ["recurrent_backward"] * backward


@pytest.mark.parametrize(
    ("weight_dtype", "neurons"), [(BF16, 148), (FP32, 141), (FP16, 148)], ids=str
)
def test_weights_that_stream(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, weight_dtype: torch.dtype, neurons: int
) -> None:
    """By teams of several blocks, and by one block for several tiles."""
    monkeypatch.setattr(resident, "fits", lambda *_: False)
    monkeypatch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
    options = {"weight": FP32, "weight_dtype": weight_dtype, "state": True}
    compare(run(torch.device("cpu"), 3, 11, neurons, **options))
    scale = ["gradient_scale"] * (weight_dtype == FP16)
    assert host.launched == ["recurrent_streamed_forward", *scale, "recurrent_streamed_backward"]
    monkeypatch.setattr(streamed_launch, "multiprocessors", lambda _: 1)
    compare(run(torch.device("cpu"), 3, 9, neurons, **options))


@pytest.mark.parametrize("weight_dtype", [BF16, FP32], ids=str)
@pytest.mark.parametrize(("multiprocessors", "launches"), [(8, 1), (2, 2)])
def test_groups_of_samples(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    weight_dtype: torch.dtype,
    multiprocessors: int,
    launches: int,
) -> None:
    """Each begins with the states of its own samples; the last one is not whole."""
    monkeypatch.setattr(resident, "fits", lambda *_: False)
    monkeypatch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
    monkeypatch.setattr(streamed_launch, "multiprocessors", lambda _: multiprocessors)
    options = {"weight": FP32, "weight_dtype": weight_dtype}
    compare(run(torch.device("cpu"), 2, 250, 24, **options, **ADAPTIVE))
    assert host.launched == [
        *["recurrent_streamed_forward"] * launches,
        *["recurrent_streamed_backward"] * launches,
    ]


@pytest.mark.parametrize(
    ("batch", "neurons", "weight", "weight_dtype", "options"),
    [
        (1, 136, BF16, BF16, {"state": True}),
        (2, 133, BF16, BF16, ADAPTIVE),
        (4, 136, BF16, BF16, ADAPTIVE),
        (7, 130, BF16, BF16, {"state": True}),
        (11, 72, BF16, BF16, {"state": True, "reset": "subtract"}),
        (32, 66, BF16, BF16, ADAPTIVE),
        (1, 136, FP32, FP32, {"state": True}),
        (7, 133, FP32, FP32, ADAPTIVE),
        (2, 134, FP32, BF16, {"state": True}),
        (7, 130, FP16, FP16, {"state": True}),
        (2, 134, FP32, FP16, {"state": True}),
        (3, 136, FP32, BF16, {}),
    ],
)
def test_a_single_step_of_weights_by_columns(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
    neurons: int,
    weight: torch.dtype,
    weight_dtype: torch.dtype,
    options: dict[str, Any],
) -> None:
    """The last block has fewer neurons than the others."""
    monkeypatch.setattr(step_launch, "most_samples", every_step)
    options = {"weight": weight, "weight_dtype": weight_dtype, "columns": True, **options}
    compare(run(torch.device("cpu"), 1, batch, neurons, **options))
    masks = [] if batch in step_launch.SCANS or "state" not in options else ["recurrent_step_masks"]
    scale = ["gradient_scale"] * (weight_dtype == FP16)
    assert host.launched == [*masks, "recurrent_step", *scale, "recurrent_streamed_backward"]


@pytest.mark.parametrize("batch", [1, 2, 5, 20])
def test_a_single_step_of_several_sections(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """A warp lists the senders of a section, and keeps those that fill no chunk for the next."""
    monkeypatch.setattr(step_launch, "most_samples", every_step)
    monkeypatch.setattr(step_launch, "WARPS", 1)
    with torch.no_grad():
        made = run(torch.device("cpu"), 1, batch, 1100, state=True, columns=True)
    state = made.state
    expected = made.x.double() + 0.9 * (state.v * (1 - state.s)).double()
    expected += state.s.double() @ made.weight.double().t()
    assert float((made.out.membrane - expected).detach().abs().max()) <= 1e-5


def test_a_step_of_many_samples_streams_weights_by_columns(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "fits", lambda *_: False)
    monkeypatch.setattr(recurrent_ops, "gathers", lambda *_: False)
    compare(run(torch.device("cpu"), 1, 11, 148, weight=FP32, state=True, columns=True))
    assert host.launched == ["recurrent_streamed_forward", "recurrent_streamed_backward"]


@pytest.mark.parametrize("strategy", ["portable", "streamed"])
def test_adaptive_neurons(host: HostLoader, monkeypatch: pytest.MonkeyPatch, strategy: str) -> None:
    """Of three states and four parameters, whose weights stay where they fit, or stream."""
    monkeypatch.setattr(recurrent_ops, "gathers", lambda *_, **__: False)
    if strategy == "streamed":
        monkeypatch.setattr(recurrent_ops, "choose_portable", lambda *_: "streamed")
    whole = run(torch.device("cpu"), 4, 11, 52, weight=FP32, detach_reset=False, **ADAPTIVE)
    compare(whole)
    assert host.launched == [f"recurrent_{strategy}_{of}" for of in ("forward", "backward")]
    state = whole.state
    for part in (whole.x[:1], whole.x[1:]):
        out = functional.recurrent_adaptive_lif(
            part, whole.weight, state, weight_dtype=BF16, backend="cuda", **whole.options
        )
        state = out.state
    for value, other in zip(out.state, whole.out.state):
        assert torch.equal(value, other)


@pytest.mark.parametrize(("in_registers", "batch", "neurons"), [(True, 5, 38), (False, 11, 148)])
def test_pieces_of_a_sequence_are_the_sequence(
    host: HostLoader,
    monkeypatch: pytest.MonkeyPatch,
    in_registers: bool,
    batch: int,
    neurons: int,
) -> None:
    """Bit for bit, from the states that an interrupted run had kept."""
    if not in_registers:
        monkeypatch.setattr(resident, "fits", lambda *_: False)
    whole = run(torch.device("cpu"), 5, batch, neurons, weight=FP32)
    x, state = whole.x.detach(), None
    for part in (x[:2], x[2:]):
        out = functional.recurrent_lif(part, whole.weight, state, weight_dtype=BF16, backend="cuda")
        state = out.state
    assert torch.equal(out.spikes, whole.out.spikes[2:])
    assert torch.equal(out.membrane, whole.out.membrane[2:])
    assert torch.equal(out.state.v, whole.out.state.v)


@pytest.mark.parametrize("divided", [False, True])
def test_kernels_are_told_how_long_a_wait_may_last(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, divided: bool
) -> None:
    launched = []

    def launch(module: HostModule, name: str, *options: Any, **together: bool) -> None:
        given = options[-1]
        parts = given.part if divided else [given]
        launched.append((name, [part.timeout for part in parts if part.batch > 0]))

    monkeypatch.setattr(HostModule, "launch", launch)
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    made = run(torch.device("cpu"), 10, 64 if divided else 32, 40, weight=FP32)
    torch.autograd.grad(made.out.spikes.sum(), made.x)
    told = {"recurrent_forward": 2 if divided else 1, "recurrent_backward": 4 if divided else 1}
    assert launched == [(name, [arguments.TIMEOUT] * parts) for name, parts in told.items()]


@pytest.mark.parametrize("batch", [5, 9])
def test_a_wait_that_is_given_up_ends(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """A block is left out, and the others go on without what it would publish."""
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    monkeypatch.setattr(resident.Shape, "blocks", property(lambda _: 7))
    monkeypatch.setattr(octet, "blocks", lambda *_: 3)
    out = run(torch.device("cpu"), 3, batch, 38, weight=FP32).out
    assert bool(torch.isnan(out.membrane[1:, :, :8]).all())


def test_messages_that_are_lost_in_a_cluster_backward(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No barrier is armed again before its phase has ended, which `HostLoader` would report."""
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    made = run(torch.device("cpu"), 5, 5, 38, weight=FP32)
    lose_messages(monkeypatch, host)
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    (grad,) = torch.autograd.grad(made.out.spikes.sum(), made.x)
    assert int(status) == 1
    assert bool(torch.isnan(grad[:4]).all())
    assert not bool(torch.isnan(grad[4]).any())


@pytest.mark.parametrize("batch", [5, 9])
def test_a_wait_that_is_given_up_backward_ends(
    host: HostLoader, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """The last blocks are left out, and the first step back needs nobody."""
    made = run(torch.device("cpu"), 6, batch, 38, weight=FP32)
    monkeypatch.setattr(arguments, "TIMEOUT", 1000)
    status = torch.zeros(1, dtype=torch.int32)
    monkeypatch.setattr(arguments, "check", lambda _: status)
    blocks = pair.blocks(38)
    monkeypatch.setattr(pair, "blocks", lambda *_: blocks - 2)
    monkeypatch.setattr(octet, "blocks", lambda *_: 3)
    outputs = (made.out.spikes, made.out.membrane)
    (grad,) = torch.autograd.grad(outputs, made.x, [torch.ones_like(part) for part in outputs])
    assert int(status) == 1
    assert bool(torch.isnan(grad[:5, :, :32]).all())
    assert not bool(torch.isnan(grad[5, :, :32]).any())
