"""ShardedOptimizer: each rank updates a share of the weights, and has the state of that alone."""

# Without `from __future__ import annotations`: torch compares those of hooks with types.

import weakref
from functools import partial
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd

from ..cuda import peer_messages
from ..cuda.peer_messages import Announcements
from . import peers
from .gradients import buckets_of, tell_of_gradient
from .time_split import TimeSplit

ALIGNMENT = 64  # elements that a share is a multiple of: its address is one of 16 bytes

Optimizer = torch.optim.Optimizer


class _Part(NamedTuple):
    """What of a parameter's gradient goes to one rank."""

    parameter: nn.Parameter
    begin: int
    end: int
    rank: int
    place: int  # in the share of that rank


class _Bucket:
    """Neighbouring parameters in one memory, [ranks * share], a share of which is this rank's."""

    def __init__(
        self, parameters: List[nn.Parameter], dtype: torch.dtype, split: TimeSplit
    ) -> None:
        self.parameters = parameters
        self.dtype = dtype
        self.device = parameters[0].device
        count = sum(p.numel() for p in parameters)
        self.share = -(-count // (split.size * ALIGNMENT)) * ALIGNMENT
        self.bytes = split.size * self.share * dtype.itemsize
        self.parts: List[_Part] = []
        self.missing = len(parameters)
        at = 0
        for p in parameters:
            begin = 0
            while begin < p.numel():
                rank, place = divmod(at + begin, self.share)
                end = min(p.numel(), begin + self.share - place)
                self.parts.append(_Part(p, begin, end, rank, place))
                begin = end
            at += p.numel()

    def take(
        self, values: Tensor, rank: int, make: Callable[[List[nn.Parameter]], Optimizer]
    ) -> None:
        """Move the parameters to `values` [ranks * share], and make the optimizer of the share."""
        own = slice(rank * self.share, (rank + 1) * self.share)
        flat = self.parameters[0].new_zeros(len(values))
        at = 0
        for p in self.parameters:
            end = at + p.numel()
            flat[at:end] = p.detach().reshape(-1)
            p.data = values[at:end].view(p.shape)
            at = end
        values.copy_(flat)
        self.mine = values[own]
        # Where the ranks hold other types than the optimizer, its share is a copy.
        self.shard = nn.Parameter(self.mine if flat.dtype == values.dtype else flat[own].clone())
        self.shard.grad = torch.zeros_like(self.shard)
        self.values = values
        self.optimizer = make([self.shard])

    def step(self, gradients: Tensor) -> None:
        """Update this rank's share by the sum of `gradients` [ranks, share]."""
        if len(gradients) == 1:
            self.shard.grad = gradients[0]
        else:
            torch.sum(gradients, 0, dtype=self.shard.dtype, out=self.shard.grad)
        self.optimizer.step()
        if self.shard.dtype != self.dtype:
            self.mine.copy_(self.shard.detach())


class ShardedOptimizer:
    """An optimizer that every rank runs on a share of the weights only: ZeRO, stage 1.

    A rank gets the sum of the gradients of its share, updates it and hands it to the others
    (Rajbhandari et al., 2020, "ZeRO: Memory Optimizations Toward Training Trillion Parameter
    Models"). It takes the place of `GradientSums` and of the optimizer. Between GPUs that map each
    other's memory (`TimeSplit.messages` "peer"), gradients are copied to where they are summed
    while the backward pass goes on, by the copy engines: its products keep all multiprocessors.
    Neighbouring parameters make a bucket of at least `gradients.BUCKET_BYTES`, the last ones the
    first; those that are whole on all ranks are updated before the pass has ended.

    `step` must follow every backward pass, in which every parameter gets a gradient. Can be
    captured in a CUDA graph. Needs torch 2.1. For optimizers that treat each weight by itself.

    Parameters
    ----------
    module : Module
        Its parameters move to other memory; references to their `data` get stale.
    split : TimeSplit
        The ranks that share the weights; all have the same to begin with.
    make : callable
        Makes the optimizer of a list of parameters, each [n]: `partial(torch.optim.Adam, lr=1e-3)`.
    dtype : dtype, optional
        Type that linear layers and convolutions hold on every rank and send gradients in; the
        shares keep the type that there was. With bfloat16 what runs under autocast finds the same
        numbers, casts no weights and sends half the bytes. Default: the parameters' own.

    Attributes
    ----------
    optimizers : list of Optimizer
        One a bucket, each of one parameter: this rank's share of it.
    """

    def __init__(
        self,
        module: nn.Module,
        split: TimeSplit,
        make: Callable[[List[nn.Parameter]], Optimizer],
        dtype: Optional[torch.dtype] = None,
    ) -> None:
        self.split = split
        products = {
            p
            for layer in module.modules()
            if dtype is not None and isinstance(layer, (nn.Linear, _ConvNd))
            for p in layer.parameters(recurse=False)
        }
        held = {p: (dtype if p in products else None) or p.dtype for p in module.parameters()}
        found = buckets_of([p for p in held if p.requires_grad], held)
        self._buckets = [_Bucket(one, held[one[0]], split) for one in found]
        self._whole = 0  # buckets of this pass whose gradients are
        self._updated = 0  # and that are updated
        device = self._buckets[0].device if self._buckets else torch.device("cpu")
        self._peers: Optional[_Peers] = None
        if split.messages == "peer" and split.size > 1:
            self._peers = _Peers(self._buckets, split, device)
        for index, bucket in enumerate(self._buckets):
            if self._peers is None:
                count = split.size * bucket.share
                values = torch.zeros(count, dtype=bucket.dtype, device=bucket.device)
            else:
                values = self._peers.values[split.rank][index]
            bucket.take(values, split.rank, make)
            for parameter in bucket.parameters:
                parameter.register_post_accumulate_grad_hook(
                    partial(tell_of_gradient, weakref.ref(self), index)
                )
        if self._peers is not None:
            self._peers.begin()
        self.optimizers = [bucket.optimizer for bucket in self._buckets]

    def zero_grad(self) -> None:
        """Forget the gradients of all parameters."""
        for bucket in self._buckets:
            for parameter in bucket.parameters:
                parameter.grad = None

    def state_dict(self) -> Dict[str, Any]:
        """Return the state of this rank's share, and its weights in the optimizer's own type."""
        return {
            "optimizers": [one.state_dict() for one in self.optimizers],
            "shares": [bucket.shard.detach().clone() for bucket in self._buckets],
        }

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Take over what `state_dict` of the same rank, of as many, returned.

        The weights of the module, which other ranks have too, are loaded by the module.
        """
        for one, loaded in zip(self.optimizers, state["optimizers"]):
            one.load_state_dict(loaded)
        for bucket, share in zip(self._buckets, state["shares"]):
            bucket.shard.detach().copy_(share)

    def _found(self, index: int, parameter: Tensor) -> None:
        self._buckets[index].missing -= 1
        while self._whole < len(self._buckets) and not self._buckets[self._whole].missing:
            if self._peers is not None:
                self._peers.push(self._whole)
                # Rank k is ahead of the first by k neighbours, each by less than a layer: what it
                # would wait for is there.
                if self._whole - self._updated >= self.split.rank:
                    self._peers.update(self._updated)
                    self._updated += 1
            self._whole += 1

    def step(self) -> None:
        """Update all parameters, on every rank, by the sums of their gradients.

        Raises
        ------
        RuntimeError
            Where a parameter got no gradient since the last call, or several; where parameters
            were moved to other memory, as by `Module.to`, which no update would reach.
        """
        without = sum(max(0, bucket.missing) for bucket in self._buckets)
        if without:
            raise RuntimeError(
                "ShardedOptimizer: step: expected a backward pass that gives every parameter a "
                f"gradient, got {without} without one"
            )
        if any(bucket.missing for bucket in self._buckets):
            raise RuntimeError(
                "ShardedOptimizer: step: expected one backward pass since the last, got several"
            )
        for bucket in self._buckets:
            if bucket.parameters[0].data_ptr() != bucket.values.data_ptr():
                raise RuntimeError(
                    "ShardedOptimizer: step: expected the module's parameters in the memory that "
                    "they were moved to, got others"
                )
        if self._peers is not None:
            for index in range(self._updated, len(self._buckets)):
                self._peers.update(index)
            self._peers.join()
        else:
            for bucket in self._buckets:
                self._step_by_group(bucket)
        self._whole = self._updated = 0
        for bucket in self._buckets:
            bucket.missing = len(bucket.parameters)
        self.split.finish()

    def _step_by_group(self, bucket: _Bucket) -> None:
        size, rank = self.split.size, self.split.rank
        gradients = torch.zeros(size, bucket.share, dtype=bucket.shard.dtype, device=bucket.device)
        for part in bucket.parts:
            to = gradients[part.rank, part.place : part.place + part.end - part.begin]
            to.copy_(_gradient(part.parameter)[part.begin : part.end])
        if size > 1:
            dist.all_reduce(gradients, group=self.split.group)
        bucket.step(gradients[rank : rank + 1])
        if size > 1:
            shares = [torch.empty_like(bucket.mine) for _ in range(size)]
            dist.all_gather(shares, bucket.mine, group=self.split.group)
            bucket.values.copy_(torch.cat(shares))


class _Peers:
    """The copies between the ranks' memories, and what makes them wait for each other."""

    def __init__(self, buckets: List[_Bucket], split: TimeSplit, device: torch.device) -> None:
        self._buckets, self._split = buckets, split
        self._device = device
        size = sum(bucket.bytes for bucket in buckets)
        counts = 4 * split.size * (len(buckets) + 1)
        self._memory = peers.PeerMemory(split.group, 2 * size + counts, device)
        # By rank and bucket: its values [ranks * share]; the gradients [ranks, share] that it sums.
        self.values: List[List[Tensor]] = []
        self.gradients: List[List[Tensor]] = []
        told: List[Tensor] = []  # by rank, [buckets + 1, ranks]
        for rank in range(split.size):
            memory = self._memory.of(rank)
            self.values.append(_cut(memory, buckets, 0))
            self.gradients.append([one.view(split.size, -1) for one in _cut(memory, buckets, size)])
            told.append(memory[2 * size :].view(torch.int32).view(-1, split.size))
        own = torch.zeros(len(buckets) + 1, 1, dtype=torch.int32, device=device)
        self._announcements = [
            Announcements(
                tuple(one[index, split.rank].view(1) for one in told),
                told[split.rank][index],
                own[index],
            )
            for index in range(len(buckets) + 1)
        ]
        self._pushing, self._updating, self._handing = (torch.cuda.Stream(device) for _ in range(3))
        self._pushed: Dict[int, torch.cuda.Event] = {}

    def begin(self) -> None:
        """Wait until all ranks have moved their parameters, before anybody may change them."""
        torch.cuda.synchronize(self._device)
        dist.barrier(self._split.group)

    def push(self, index: int) -> None:
        """Copy a bucket's gradients to the ranks that sum them."""
        rank, parts = self._split.rank, self._buckets[index].parts
        self._pushing.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(self._pushing):
            for part in parts:
                if part.rank != rank:
                    self._copy(index, part)
            peer_messages.announce(self._announcements[index])
            for part in parts:  # which nobody else waits for
                if part.rank == rank:
                    self._copy(index, part)
            self._pushed[index] = self._pushing.record_event()

    def _copy(self, index: int, part: _Part) -> None:
        to = self.gradients[part.rank][index][self._split.rank]
        gradient = _gradient(part.parameter)[part.begin : part.end]
        to[part.place : part.place + len(gradient)].copy_(gradient)

    def update(self, index: int) -> None:
        """Sum the gradients of a bucket's share, update it and copy it to the others.

        Not before the current stream comes here: a kernel that waits for other ranks takes the
        room of a block, without which each of a product's kernels takes a quarter longer.
        """
        bucket, rank = self._buckets[index], self._split.rank
        self._updating.wait_stream(torch.cuda.current_stream(self._device))
        self._updating.wait_event(self._pushed[index])
        with torch.cuda.stream(self._updating):
            peer_messages.wait(self._announcements[index])
            bucket.step(self.gradients[rank][index])
        self._handing.wait_stream(self._updating)
        own = slice(rank * bucket.share, (rank + 1) * bucket.share)
        with torch.cuda.stream(self._handing):
            for step in range(1, self._split.size):
                other = (rank + step) % self._split.size
                self.values[other][index][own].copy_(bucket.mine)

    def join(self) -> None:
        """Let the current stream wait until all weights of this rank are new."""
        with torch.cuda.stream(self._handing):
            peer_messages.announce(self._announcements[-1])
        current = torch.cuda.current_stream(self._device)
        for stream in (self._pushing, self._updating, self._handing):
            current.wait_stream(stream)
        peer_messages.wait(self._announcements[-1])


def _cut(memory: Tensor, buckets: List[_Bucket], begin: int) -> List[Tensor]:
    """Return of `memory` from `begin` on the part of each bucket."""
    found = []
    for bucket in buckets:
        found.append(memory[begin : begin + bucket.bytes].view(bucket.dtype))
        begin += bucket.bytes
    return found


def _gradient(parameter: nn.Parameter) -> Tensor:
    """Return the elements of a parameter's gradient in the order of the parameter's."""
    assert parameter.grad is not None
    return parameter.grad.reshape(-1)
