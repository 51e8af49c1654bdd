"""Gradients to the ranks that sum them, and weights back, by copies between GPUs' memories."""

from __future__ import annotations

from typing import List

import torch
import torch.distributed as dist
from torch import Tensor

from ..cuda.comm import peer_messages
from ..cuda.comm.peer_messages import Announcements
from . import peers
from .buckets import Bucket, Slice, gradient_of
from .time_split import TimeSplit


class PeerCopies:
    """The copies between the ranks' memories, and what makes them wait for each other."""

    def __init__(self, buckets: List[Bucket], split: TimeSplit, device: torch.device) -> None:
        self._buckets, self._split = buckets, split
        self._device = device
        size = sum(bucket.bytes for bucket in buckets)
        counts = 4 * split.size * (len(buckets) + 1)
        self._memory = peers.PeerMemory(split.group, 2 * size + counts, device)
        # By rank and bucket: its values [ranks * shard]; the gradients [ranks, shard] that it sums.
        self.values: List[List[Tensor]] = []
        self.gradients: List[List[Tensor]] = []
        announced: List[Tensor] = []  # by rank, [buckets + 1, ranks]
        for rank in range(split.size):
            memory = self._memory.of(rank)
            self.values.append(_cut(memory, buckets, 0))
            self.gradients.append(
                [view.view(split.size, -1) for view in _cut(memory, buckets, size)]
            )
            announced.append(memory[2 * size :].view(torch.int32).view(-1, split.size))
        own = torch.zeros(len(buckets) + 1, 1, dtype=torch.int32, device=device)
        self._announcements = [
            Announcements(
                tuple(device[index, split.rank].view(1) for device in announced),
                announced[split.rank][index],
                own[index],
            )
            for index in range(len(buckets) + 1)
        ]
        self._pushing, self._updating, self._handing = (torch.cuda.Stream(device) for _ in range(3))

    def begin(self) -> None:
        """Wait until all ranks have moved their parameters, before anybody may change them."""
        torch.cuda.synchronize(self._device)
        dist.barrier(self._split.group)

    def push(self, index: int) -> None:
        """Copy a bucket's gradients to the ranks that sum them."""
        rank, slices = self._split.rank, self._buckets[index].slices
        self._pushing.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(self._pushing):
            for cut in slices:
                if cut.rank != rank:
                    self._copy(index, cut)
            peer_messages.announce(self._announcements[index])
            for cut in slices:  # which no other stream waits for
                if cut.rank == rank:
                    self._copy(index, cut)

    def _copy(self, index: int, cut: Slice) -> None:
        to = self.gradients[cut.rank][index][self._split.rank]
        gradient = gradient_of(cut.parameter)[cut.begin : cut.end]
        to[cut.offset : cut.offset + len(gradient)].copy_(gradient)

    def update(self, index: int) -> None:
        """Sum the gradients of a bucket's shard, update it and copy it to the others.

        Not before what was pushed last is: a kernel that waits for other ranks takes the room of a
        block, without which each of a product's kernels takes a quarter longer; and kernels that
        start together with the next layer's neurons crowd these on some multiprocessors, where
        they take 212 microseconds and not 95.
        """
        bucket, rank = self._buckets[index], self._split.rank
        self._updating.wait_stream(self._pushing)
        with torch.cuda.stream(self._updating):
            peer_messages.wait(self._announcements[index])
            bucket.step(self.gradients[rank][index])
        self._handing.wait_stream(self._updating)
        own = slice(rank * bucket.shard_size, (rank + 1) * bucket.shard_size)
        with torch.cuda.stream(self._handing):
            for step in range(1, self._split.size):
                other = (rank + step) % self._split.size
                self.values[other][index][own].copy_(bucket.own_values)

    def join(self) -> None:
        """Let the current stream wait until all weights of this rank are new."""
        with torch.cuda.stream(self._handing):
            peer_messages.announce(self._announcements[-1])
        current = torch.cuda.current_stream(self._device)
        for stream in (self._pushing, self._updating, self._handing):
            current.wait_stream(stream)
        peer_messages.wait(self._announcements[-1])


def _cut(memory: Tensor, buckets: List[Bucket], begin: int) -> List[Tensor]:
    """Return of `memory` from `begin` on the range of each bucket."""
    peers = []
    for bucket in buckets:
        peers.append(memory[begin : begin + bucket.bytes].view(bucket.dtype))
        begin += bucket.bytes
    return peers
