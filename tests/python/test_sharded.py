"""Several ranks' `ShardedOptimizer` in one process, with tensors as memories and no streams."""

from __future__ import annotations

import copy
import gc
import weakref
from contextlib import nullcontext
from functools import partial
from typing import Any, ClassVar, Iterator

import pytest
import torch
import torch.distributed as dist

from popsnn.cuda import peer_messages
from popsnn.parallel import GradientSums, ShardedOptimizer, TimeSplit, gradients, peers

RANKS = 3


class Split:
    """What of a `TimeSplit` the optimizer asks for."""

    def __init__(self, rank: int) -> None:
        self.rank, self.size, self.messages, self.group = rank, RANKS, "peer", None

    def finish(self) -> None:
        pass


class Memory:
    """A `PeerMemory` of ranks of one process, each of which makes its own."""

    made: ClassVar[dict[int, torch.Tensor]] = {}

    def __init__(self, group: Any, size: int, device: torch.device) -> None:
        self.size = size

    def of(self, rank: int) -> torch.Tensor:
        return self.made.setdefault(rank, torch.zeros(self.size, dtype=torch.uint8))


class Stream:
    """A stream whose work is done when it is given."""

    def __init__(self, device: torch.device | None = None) -> None:
        pass

    def wait_stream(self, other: Stream) -> None:
        pass

    def wait_event(self, event: None) -> None:
        pass

    def record_event(self) -> None:
        pass


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What was announced and waited for, and in which count."""
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(Memory, "made", {})
    monkeypatch.setattr(peers, "PeerMemory", Memory)
    monkeypatch.setattr(torch.cuda, "Stream", Stream)
    monkeypatch.setattr(torch.cuda, "stream", lambda stream: nullcontext())
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: Stream())
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: None)
    monkeypatch.setattr(dist, "barrier", lambda group: None)
    for name in ("announce", "wait"):
        monkeypatch.setattr(
            peer_messages, name, lambda to, name=name: told.append((name, to.number.data_ptr()))
        )
    return told


@pytest.mark.parametrize("dtype", [None, torch.bfloat16])
def test_ranks_update_their_shares_and_hand_them_out(
    one_process: list[tuple[str, int]], dtype: torch.dtype | None
) -> None:
    make = partial(torch.optim.SGD, lr=0.25, momentum=0.5)
    torch.manual_seed(0)
    whole = torch.nn.Sequential(torch.nn.Linear(40, 30), torch.nn.Linear(30, 7))
    exact = make(whole.parameters())
    nets = [copy.deepcopy(whole) for _ in range(RANKS)]
    optimizers = [ShardedOptimizer(net, Split(rank), make, dtype) for rank, net in enumerate(nets)]
    for _ in range(3):
        for p in whole.parameters():
            p.grad = torch.zeros_like(p)
        # The first rank is the last in the backward pass, and sums what is there by then.
        for net, optimizer in reversed(list(zip(nets, optimizers))):
            optimizer.zero_grad()
            for p, of_whole in reversed(list(zip(net.parameters(), whole.parameters()))):
                found = torch.randint(-8, 9, p.shape).to(p.dtype)  # sums without rounding
                p.backward(found)
                of_whole.grad += found
        exact.step()
        for optimizer in optimizers:
            optimizer.step()
        for net in nets:
            for p, of_whole in zip(net.parameters(), whole.parameters()):
                assert p.dtype == (dtype or torch.float32)
                assert torch.equal(p, of_whole.to(p.dtype))


@pytest.mark.parametrize("rank", range(RANKS))
def test_a_rank_waits_for_those_behind_it_some_buckets_later(
    one_process: list[tuple[str, int]], rank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradients, "BUCKET_BYTES", 1)
    net = torch.nn.Sequential(*(torch.nn.Linear(8, 8, bias=False) for _ in range(6)))
    optimizer = ShardedOptimizer(net, Split(rank), partial(torch.optim.SGD, lr=1.0))
    for p in reversed(list(net.parameters())):
        p.backward(torch.ones_like(p))
    assert len(optimizer.optimizers) == 6
    what = [name for name, _ in one_process]
    assert what == ["announce"] * rank + ["announce", "wait"] * (6 - rank)
    announced = [place for name, place in one_process if name == "announce"]
    waited = [place for name, place in one_process if name == "wait"]
    assert waited == announced[: 6 - rank]


@pytest.fixture
def alone() -> Iterator[TimeSplit]:
    """The split of one rank."""
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        yield TimeSplit()
    finally:
        dist.destroy_process_group()


def test_a_parameter_without_a_gradient_is_named(alone: TimeSplit) -> None:
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=1.0))
    net.weight.sum().backward()
    with pytest.raises(
        RuntimeError,
        match="ShardedOptimizer: step: expected a backward pass that gives every parameter a "
        "gradient, got 1 without one",
    ):
        optimizer.step()


def test_gradients_of_several_passes_do_not_stand_for_missing_ones(
    alone: TimeSplit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradients, "BUCKET_BYTES", 1)
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=1.0))
    for _ in range(2):
        net.weight.sum().backward()
    with pytest.raises(RuntimeError, match="got 1 without one"):
        optimizer.step()
    net.bias.sum().backward()
    with pytest.raises(
        RuntimeError,
        match="ShardedOptimizer: step: expected one backward pass since the last, got several",
    ):
        optimizer.step()


def test_the_state_of_another_network_is_refused(alone: TimeSplit) -> None:
    one, other = (
        ShardedOptimizer(torch.nn.Linear(3, size), alone, partial(torch.optim.SGD, lr=1.0))
        for size in (3, 300)
    )
    with pytest.raises(
        ValueError,
        match=r"^ShardedOptimizer: load_state_dict: expected shares of \[64\] weights, "
        r"got \[1216\]$",
    ):
        one.load_state_dict(other.state_dict())


def test_parameters_that_were_moved_are_not_left_behind(alone: TimeSplit) -> None:
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=1.0))
    net.double()
    net(torch.ones(2, 3).double()).sum().backward()
    with pytest.raises(
        RuntimeError,
        match="ShardedOptimizer: step: expected the module's parameters in the memory that they "
        "were moved to, got others",
    ):
        optimizer.step()


@pytest.mark.parametrize("kind", [GradientSums, partial(ShardedOptimizer, make=torch.optim.SGD)])
def test_a_network_goes_with_the_last_reference(alone: TimeSplit, kind: Any) -> None:
    net = torch.nn.Linear(3, 3)
    one = kind(net, alone)
    held = weakref.ref(net.weight), weakref.ref(one)
    del net, one
    gc.collect()
    assert [each() for each in held] == [None, None]


def others(monkeypatch: pytest.MonkeyPatch, given: Any) -> None:
    """Let there be another rank, which gives that to all ranks."""

    def all_gather_object(every: list[Any], mine: Any, group: Any) -> None:
        every[:] = [mine, given]

    monkeypatch.setattr(dist, "get_world_size", lambda group: 2)
    monkeypatch.setattr(dist, "all_gather_object", all_gather_object)


def test_own_memory_stays_as_long_as_a_view_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from torch.distributed import _symmetric_memory as symmetric

    monkeypatch.setattr(symmetric, "empty", torch.empty)
    monkeypatch.setattr(symmetric, "rendezvous", lambda own, group: None)
    monkeypatch.setattr(torch.cuda, "device", lambda device: nullcontext())
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    monkeypatch.setattr(dist, "get_rank", lambda group: 1)
    monkeypatch.setattr(peers, "_made", 3)
    others(monkeypatch, 3)
    memory = peers.PeerMemory(None, 64, torch.device("cpu"))
    assert peers._made == 4
    view = memory.of(1)
    assert view.shape == (64,)
    assert view.untyped_storage().data_ptr() == memory._own.untyped_storage().data_ptr()


def test_ranks_that_mapped_other_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two of four GPUs had trained together before: in torch all four then waited for ever.
    sentence = (
        "expected ranks that have mapped memory for as many groups before, as torch tells their "
        "memories apart by that number, got [2, 5]"
    )
    monkeypatch.setattr(peers, "_made", 2)
    others(monkeypatch, 5)
    with pytest.raises(RuntimeError) as caught:
        peers.PeerMemory(None, 64, torch.device("cpu"))
    assert str(caught.value) == f"PeerMemory: group: {sentence}"
    monkeypatch.setattr(dist, "get_backend", lambda group: "nccl")
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    others(monkeypatch, ("here", 1, 2, 5))
    assert peers.reach(None) == sentence
