from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cuda.conftest import Engine
from tests.cuda.host_kernels import HostLoader
from tests.cuda.kernel_facts import constants, header, most_spilt

from popsnn.cuda.comm import peer_messages
from popsnn.cuda.comm.peer_messages import (
    BLOCKS,
    MOST,
    RANKS,
    RINGS,
    SHARD,
    SLOTS,
    THREADS,
    Announcements,
    End,
)
from popsnn.cuda.device import launch


def channel(device: torch.device) -> tuple[End, End]:
    """Return the sender's end and the receiver's, both in one memory."""
    rings = torch.zeros(RINGS, dtype=torch.uint8, device=device)
    come, taken, sent, received = torch.zeros(4, BLOCKS, dtype=torch.int32, device=device)
    return End(rings, come, taken, sent), End(rings, come, taken, received)


def test_constants_are_those_of_the_header() -> None:
    text = header("comm/peer_messages")
    numbers = constants(text)
    assert numbers["kPeerThreads"] == THREADS
    assert numbers["kPeerBlocks"] == BLOCKS
    assert numbers["kPeerSlots"] == SLOTS
    assert numbers["kPeerRanks"] == RANKS
    assert "kPeerShard = 1 << 16;" in text
    assert SHARD == 1 << 16


@pytest.mark.parametrize("size", [1, 65, 50_001, MOST // 4 + 5])
def test_messages_come_in_order(kernels: Engine, size: int) -> None:
    sender, receiver = channel(kernels.device)
    for ahead in (1, 2, 1):  # the second time some are in flight together
        messages = [torch.randn(size, device=kernels.device) for _ in range(ahead)]
        for message in messages:
            peer_messages.send(message, sender)
        for message in messages:
            got = torch.full_like(message, float("nan"))
            peer_messages.take(got, receiver)
            assert torch.equal(got, message)


def test_a_message_is_a_change_that_autograd_sees(kernels: Engine) -> None:
    sender, receiver = channel(kernels.device)
    weight = torch.ones(4, device=kernels.device, requires_grad=True)
    to = torch.zeros_like(weight)
    loss = (weight * to).sum()
    peer_messages.send(weight.detach(), sender)
    peer_messages.take(to, receiver)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(1, 3000), min_size=1, max_size=3 * SLOTS))
def test_rings_are_used_again_for_other_sizes(host_loader: HostLoader, sizes: list[int]) -> None:
    before, launch.load = launch.load, host_loader
    try:
        sender, receiver = channel(torch.device("cpu"))
        open_messages: list[torch.Tensor] = []
        for size in sizes:
            open_messages.append(torch.randn(size))
            peer_messages.send(open_messages[-1], sender)
            if len(open_messages) == SLOTS:
                taken = open_messages.pop(0)
                got = torch.empty_like(taken)
                peer_messages.take(got, receiver)
                assert torch.equal(got, taken)
    finally:
        launch.load = before
    assert sender.number.tolist() == [len(sizes)] * BLOCKS


@pytest.mark.parametrize(
    ("message", "got"),
    [
        (torch.zeros(7, dtype=torch.bfloat16), r"14 bytes at 0 beyond one, strides \(1,\)"),
        (torch.zeros(9)[1:], r"32 bytes at 4 beyond one, strides \(1,\)"),
        (torch.zeros(4, 6).t(), r"96 bytes at 0 beyond one, strides \(1, 6\)"),
    ],
)
def test_what_is_no_message(message: torch.Tensor, got: str) -> None:
    sender, receiver = channel(torch.device("cpu"))
    expected = "expected a contiguous tensor of a multiple of 4 bytes at a multiple of 16, got"
    for name, call, end in (
        ("send", peer_messages.send, sender),
        ("take", peer_messages.take, receiver),
    ):
        with pytest.raises(ValueError, match=f"^peer_{name}: message: {expected} {got}$"):
            call(message, end)


def test_a_graph_sends_the_next_message_at_each_replay() -> None:
    if not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    sender, receiver = channel(torch.device("cuda"))
    message = torch.zeros(1000, device="cuda")
    got = torch.zeros_like(message)
    peer_messages.send(message, sender)
    peer_messages.take(got, receiver)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        peer_messages.send(message, sender)
        peer_messages.take(got, receiver)
    for number in range(1, 2 * SLOTS):
        message.fill_(number)
        graph.replay()
        assert got.eq(number).all()


def test_all_ranks_are_waited_for(kernels: Engine) -> None:
    ranks, rounds = 3, 4
    told = torch.zeros(ranks, ranks, dtype=torch.int32, device=kernels.device)  # of whom, by whom
    own = torch.zeros(ranks, 1, dtype=torch.int32, device=kernels.device)
    capacity = [
        Announcements(tuple(tensor[rank].view(1) for tensor in told), told[rank], own[rank])
        for rank in range(ranks)
    ]
    for number in range(1, rounds + 1):
        for rank, place in enumerate(capacity):
            peer_messages.announce(place)
            assert told[:, rank].eq(number).all()
        for place in capacity:
            peer_messages.wait(place)
    assert own.eq(rounds).all()


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_compiles_for_every_architecture(arch: str) -> None:
    assert most_spilt(peer_messages.SOURCE, arch) == 0
