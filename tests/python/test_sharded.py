"""Several ranks' `ShardedOptimizer` in one process, with tensors as memories and no streams."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any, ClassVar

import pytest
import torch
import torch.distributed as dist

from popsnn.cuda import peer_messages
from popsnn.parallel import ShardedOptimizer, TimeSplit, gradients, peers

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
    nets = [torch.nn.Sequential(torch.nn.Linear(40, 30), torch.nn.Linear(30, 7)) for _ in "123"]
    for net in nets:
        net.load_state_dict(whole.state_dict())
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
    ShardedOptimizer(net, Split(rank), partial(torch.optim.SGD, lr=1.0))
    for p in reversed(list(net.parameters())):
        p.backward(torch.ones_like(p))
    what = [name for name, _ in one_process]
    assert what == ["announce"] * rank + ["announce", "wait"] * (6 - rank)
    announced = [place for name, place in one_process if name == "announce"]
    waited = [place for name, place in one_process if name == "wait"]
    assert waited == announced[: 6 - rank]


def test_a_parameter_without_a_gradient_is_named() -> None:
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        net = torch.nn.Linear(3, 3)
        optimizer = ShardedOptimizer(net, TimeSplit(), partial(torch.optim.SGD, lr=1.0))
        net.weight.sum().backward()
        with pytest.raises(
            RuntimeError,
            match="ShardedOptimizer: step: expected a backward pass that gives every parameter a "
            "gradient, got 1 without one",
        ):
            optimizer.step()
    finally:
        dist.destroy_process_group()
