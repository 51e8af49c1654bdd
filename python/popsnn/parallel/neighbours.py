"""Neighbours: messages to and from the GPUs of the ranks before and after."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..cuda.comm import peer_messages
from .peers import PeerMemory

COUNTS = 128  # bytes kept for the counts of one direction, 4 * peer_messages.BLOCKS and more
DIRECTION = peer_messages.RINGS + 2 * COUNTS  # rings, come, taken


class Neighbours:
    """Channels between each rank of a group and the next, in both directions, over mapped memory.

    A message is one kernel on each side. It is sent before the next kernel of the stream
    begins, where one of NCCL, in a stream of its own, waits until a product leaves it room.

    Parameters
    ----------
    group : ProcessGroup
    rank, size : int
    device : device
    """

    def __init__(self, group: Any, rank: int, size: int, device: torch.device) -> None:
        self._memory = PeerMemory(group, 2 * DIRECTION, device)
        self._numbers = torch.zeros(4, peer_messages.BLOCKS, dtype=torch.int32, device=device)
        self._send = {}
        self._take = {}
        for index, step in enumerate((-1, 1)):
            if 0 <= rank + step < size:
                sent, taken = self._numbers[index], self._numbers[2 + index]
                self._send[step] = self._end(rank, rank + step, step, sent)
                self._take[step] = self._end(rank + step, rank, -step, taken)

    def send(self, x: Tensor, neighbour: int) -> None:
        """Send contiguous `x` to the rank `neighbour` further on, -1 or 1."""
        peer_messages.send(x, self._send[neighbour])

    def fetch(self, x: Tensor, neighbour: int) -> None:
        """Fill contiguous `x` with what the rank `neighbour` further on, -1 or 1, sends."""
        peer_messages.take(x, self._take[neighbour])

    def _end(self, sender: int, receiver: int, step: int, number: Tensor) -> peer_messages.End:
        """Return an end of the channel from one rank to the one `step` further on."""
        begin = DIRECTION * (step > 0)
        there = self._memory.of(receiver)[begin : begin + DIRECTION]
        here = self._memory.of(sender)[begin : begin + DIRECTION]
        counts = peer_messages.RINGS, peer_messages.RINGS + COUNTS
        size = 4 * peer_messages.BLOCKS
        return peer_messages.End(
            there[: peer_messages.RINGS],
            there[counts[0] : counts[0] + size].view(torch.int32),
            here[counts[1] : counts[1] + size].view(torch.int32),
            number,
        )
