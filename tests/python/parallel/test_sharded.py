"""Several ranks' `ShardedOptimizer` in one process, with tensors as memories and no streams."""

from __future__ import annotations

import copy
import gc
import io
import weakref
from contextlib import nullcontext
from functools import partial
from typing import Any, ClassVar

import pytest
import torch
import torch.distributed as dist

from popsnn.cuda import Adam
from popsnn.cuda.comm import peer_messages
from popsnn.parallel import GradientSums, ShardedOptimizer, TimeSplit, gradients, peers

RANKS = 3


class Split:
    """The attributes of a `TimeSplit` that the optimizer uses."""

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
    """Announcements and waits, and their counts."""
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
                result = torch.randint(-8, 9, p.shape).to(p.dtype)  # sums without rounding
                p.backward(result)
                of_whole.grad += result
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


def saved(what: Any) -> bytes:
    file = io.BytesIO()
    torch.save(what, file)
    return file.getvalue()


@pytest.mark.parametrize("dtype", [None, torch.bfloat16])
def test_what_is_saved_is_the_module_alone(
    one_process: list[tuple[str, int]], dtype: torch.dtype | None
) -> None:
    expected = torch.nn.Sequential(torch.nn.Linear(40, 30), torch.nn.LayerNorm(30))
    nets = [copy.deepcopy(expected) for _ in range(RANKS)]
    expected[0].to(dtype)
    optimizers = [
        ShardedOptimizer(net, Split(rank), partial(torch.optim.SGD, lr=1.0), dtype)
        for rank, net in enumerate(nets)
    ]
    for net in nets:
        copied = copy.deepcopy(net)
        for network in (net, copied):
            assert len(saved(network.state_dict())) == len(saved(expected.state_dict()))
            assert len(saved(list(network.parameters()))) == len(saved(list(expected.parameters())))
        loaded = torch.load(io.BytesIO(saved(net.state_dict())), weights_only=True)
        assert all(
            torch.equal(loaded[name], tensor) for name, tensor in expected.state_dict().items()
        )
        for tensor in net.state_dict().values():  # which are the parameters all the same
            tensor.fill_(3.0)
        assert all(bool((p == 3.0).all()) for p in net.parameters())
        assert not any(bool((p == 3.0).any()) for p in copied.parameters())
    for rank, optimizer in enumerate(optimizers):
        for bucket, memory in zip(optimizer._buckets, optimizer._peers.values[rank]):
            assert bool((memory[: sum(p.numel() for p in bucket.parameters)] == 3.0).all())


@pytest.fixture
def alone(process_group: None) -> TimeSplit:
    """The split of one rank."""
    return TimeSplit()


def test_what_is_saved_through_a_group_is_the_module_alone(alone: TimeSplit) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(40, 30), torch.nn.Linear(30, 7))
    before = saved(net.state_dict())
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=1.0))
    assert len(optimizer.optimizers) == 1  # whose memory has all of them, and padding
    assert saved(net.state_dict()) == before


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
    optimizer, other = (
        ShardedOptimizer(torch.nn.Linear(3, size), alone, partial(torch.optim.SGD, lr=1.0))
        for size in (3, 300)
    )
    with pytest.raises(
        ValueError,
        match=r"^ShardedOptimizer: load_state_dict: expected shards of \[64\] weights, "
        r"got \[1216\]$",
    ):
        optimizer.load_state_dict(other.state_dict())


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
    optimizer = kind(net, alone)
    stored = weakref.ref(net.weight), weakref.ref(optimizer)
    del net, optimizer
    gc.collect()
    assert [each() for each in stored] == [None, None]


def train_on_ones(net: torch.nn.Module, optimizer: Any) -> None:
    optimizer.zero_grad()
    net(torch.ones(2, 3)).square().sum().backward()
    optimizer.step()


def test_a_step_is_a_change_that_autograd_sees(alone: TimeSplit) -> None:
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=1.0))
    loss = net.weight.square().sum()
    train_on_ones(net, optimizer)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_rates_follow_a_schedule(alone: TimeSplit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradients, "BUCKET_BYTES", 1)
    nets = [torch.nn.Linear(3, 3)]
    nets.append(copy.deepcopy(nets[0]))
    make = partial(torch.optim.SGD, lr=0.1, momentum=0.9)
    optimizer = ShardedOptimizer(nets[0], alone, make)
    assert len(optimizer.optimizers) == 2
    optimizers = [optimizer, make(nets[1].parameters())]
    schedules = [torch.optim.lr_scheduler.ExponentialLR(each, gamma=0.5) for each in optimizers]
    for _ in range(3):
        for net, each, schedule in zip(nets, optimizers, schedules):
            train_on_ones(net, each)
            schedule.step()
            assert schedule.get_last_lr() == [each.param_groups[0]["lr"]]
        for parameter, other in zip(*(net.parameters() for net in nets)):
            torch.testing.assert_close(parameter, other)
    for net, each in zip(nets, optimizers):
        for group in each.param_groups:
            group.update(lr=0.3, momentum=0.0)
        train_on_ones(net, each)
    for parameter, other in zip(*(net.parameters() for net in nets)):
        torch.testing.assert_close(parameter, other)
    again = ShardedOptimizer(copy.deepcopy(nets[0]), alone, make)
    again.load_state_dict(optimizer.state_dict())
    assert again.param_groups[0]["lr"] == 0.3
    assert [inner.param_groups[0]["lr"] for inner in again.optimizers] == [0.3, 0.3]


def test_a_rate_that_a_graph_reads_keeps_its_memory(
    alone: TimeSplit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradients, "BUCKET_BYTES", 1)
    rate = torch.tensor(0.1)
    optimizer = ShardedOptimizer(torch.nn.Linear(3, 3), alone, partial(Adam, lr=rate))
    state = copy.deepcopy(optimizer.state_dict())
    for group in optimizer.param_groups:
        group["lr"].fill_(0.2)
    optimizer.load_state_dict(state)
    stored = [adam.param_groups[0]["lr"] for adam in (optimizer, *optimizer.optimizers)]
    assert all(tensor is rate for tensor in stored)
    assert float(rate) == pytest.approx(0.1)


def test_no_gradient_is_left_for_what_scales_them(alone: TimeSplit) -> None:
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=0.1))
    train_on_ones(net, optimizer)
    assert [p.grad for group in optimizer.param_groups for p in group["params"]] == [None]
    optimizer.zero_grad(set_to_none=False)
    assert all(not p.grad.any() for p in net.parameters())


def test_a_closure_makes_the_gradients(alone: TimeSplit) -> None:
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, partial(torch.optim.SGD, lr=0.1))

    def closure() -> float:
        optimizer.zero_grad()
        loss = net(torch.ones(2, 3)).square().sum()
        loss.backward()
        return float(loss.detach())

    with torch.no_grad():
        first = optimizer.step(closure)
        assert optimizer.step(closure) < first


def test_what_it_cannot_take_is_refused(alone: TimeSplit) -> None:
    make = partial(torch.optim.SGD, lr=0.1)
    net = torch.nn.Linear(3, 3)
    optimizer = ShardedOptimizer(net, alone, make)
    with pytest.raises(ValueError, match=r"^ShardedOptimizer: add_param_group: expected one group"):
        optimizer.add_param_group({"params": [torch.nn.Parameter(torch.zeros(3))]})
    with pytest.raises(
        ValueError,
        match=r"^ShardedOptimizer: module: expected parameters that require a gradient, got none$",
    ):
        ShardedOptimizer(net.requires_grad_(False), alone, make)


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
