"""TimeSplit: ranks that hold consecutive shards of the time axis."""

from __future__ import annotations

from typing import Any, List, Tuple

import torch
import torch.distributed as dist
from torch import Tensor

from .._internal import checks
from .._internal.decorators import once_differentiable
from . import peers
from .neighbours import Neighbours

MESSAGES = ("auto", "peer", "group")


class TimeSplit:
    """The ranks of a process group, each with a shard of the steps, in the order of the ranks.

    Parameters
    ----------
    group : ProcessGroup, optional
        Default: all processes. With messages over NCCL, leave out the `device_id` of
        `init_process_group`: it puts messages between two ranks in line with those of all ranks.
    messages : {"auto", "peer", "group"}
        How states go to the neighbours: "peer" through memory that their GPUs map, "group" through
        the process group. "auto" takes the first where the ranks' GPUs are of one host, the group
        is NCCL's and torch has symmetric memory. All ranks must choose the same.

    Attributes
    ----------
    rank, size : int
        This process's rank in the group, and the number of processes.
    messages : str
        "peer" or "group".

    Raises
    ------
    RuntimeError
        Where `torch.distributed` is not initialised; where messages "peer" are asked for and the
        GPUs cannot have them.
    ValueError
        Where `messages` is none of the three.
    """

    def __init__(self, group: Any = None, messages: str = "auto") -> None:
        if not (dist.is_available() and dist.is_initialized()):
            raise RuntimeError(
                "TimeSplit: group: expected torch.distributed to be initialised, "
                "as by init_process_group under torchrun"
            )
        self.group: Any = dist.group.WORLD if group is None else group
        self.rank = dist.get_rank(self.group)
        self.size = dist.get_world_size(self.group)
        self._pending: List[Tuple[Any, Tensor]] = []
        self._neighbours: Neighbours | None = None
        self.messages = "group"
        if checks.choice("TimeSplit", "messages", messages, MESSAGES) != "group":
            reason = peers.reach(self.group)
            if reason is None:
                self.messages = "peer"
            elif messages == "peer":
                raise RuntimeError(
                    f"TimeSplit: messages: expected what the ranks have, got {messages!r}: {reason}"
                )

    @property
    def first(self) -> bool:
        """Whether this process has the first steps."""
        return self.rank == 0

    @property
    def last(self) -> bool:
        """Whether this process has the last steps."""
        return self.rank == self.size - 1

    def bounds(self, steps: int) -> tuple[int, int]:
        """Return where this process's shard of `steps` steps begins and ends.

        Raises
        ------
        ValueError
            Where there are fewer steps than ranks.
        """
        if steps < self.size:
            raise ValueError(
                f"TimeSplit: steps: expected at least one for each of {self.size} ranks, "
                f"got {steps}"
            )
        return steps * self.rank // self.size, steps * (self.rank + 1) // self.size

    def segment(self, x: Tensor) -> Tensor:
        """Return this process's steps of `x` [T, ...], a view."""
        begin, end = self.bounds(len(x))
        return x[begin:end]

    def mean(self, x: Tensor) -> Tensor:
        """Return the mean [...] over the steps of every rank's `x` [T / ranks, ...].

        Every rank gets it and must compute the same loss from it; its gradient then reaches each
        rank's own steps, and `sum_gradients` makes those of the parameters whole.
        """
        return _Mean.apply(x, self)

    def gather(self, x: Tensor) -> Tensor:
        """Return all steps [T, ...] of every rank's `x` [T / ranks, ...]; see `mean`."""
        return _Gather.apply(x, self)

    def receive(self, like: Tensor, anchors: tuple[Tensor, ...]) -> Tensor:
        """Return what the previous rank passed on, of the shape and type of `like`.

        `anchors` are what the state's successors depend on: the state has a gradient where one of
        them has. On the first rank this is zeros.
        """
        return _Receive.apply(self, like, *anchors)

    def pass_on(self, x: Tensor, state: Tensor) -> Tensor:
        """Send `state` to the next rank and return `x`, through which its gradient comes back.

        The gradient of the state is asked for when that of `x` is: before any layer that made them.
        """
        return _PassOn.apply(x, state, self)

    def send(self, x: Tensor, neighbour: int) -> None:
        """Send `x` to the rank `neighbour` further on, -1 or 1, without waiting for it.

        While a CUDA graph is captured, `finish` must follow before its end.
        """
        if self.messages == "peer":
            self._connected(x).send(x.contiguous(), neighbour)
            return
        if not _capturing(x):
            self._pending = [(work, sent) for work, sent in self._pending if not _done(work)]
        x = x.contiguous()
        self._pending.append((dist.isend(x, self._global(neighbour), group=self.group), x))

    def fetch(self, x: Tensor, neighbour: int) -> None:
        """Fill contiguous `x` with what the rank `neighbour` further on, -1 or 1, sends."""
        if self.messages == "peer":
            self._connected(x).fetch(x, neighbour)
            return
        dist.recv(x, self._global(neighbour), group=self.group)

    def finish(self) -> None:
        """Wait until everything that this process sent is with its neighbours."""
        for work, _ in self._pending:
            work.wait()
        self._pending = []

    def _connected(self, x: Tensor) -> Neighbours:
        """Return the channels to the neighbours, which all ranks make with their first message."""
        if self._neighbours is None:
            self._neighbours = Neighbours(self.group, self.rank, self.size, x.device)
        return self._neighbours

    def _global(self, neighbour: int) -> int:
        return int(dist.get_global_rank(self.group, self.rank + neighbour))


def _capturing(x: Tensor) -> bool:
    return x.is_cuda and torch.cuda.is_current_stream_capturing()


def _done(work: Any) -> bool:
    if not work.is_completed():
        return False
    work.wait()
    return True


class _Receive(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, split: TimeSplit, like: Tensor, *anchors: Tensor) -> Tensor:
        ctx.split = split
        ctx.anchors = len(anchors)
        if split.first:
            return torch.zeros_like(like)
        state = torch.empty_like(like, memory_format=torch.contiguous_format)
        split.fetch(state, -1)
        return state

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, ...]:
        if not ctx.split.first:
            ctx.split.send(grad, -1)
        return (None, None) + (None,) * ctx.anchors


class _PassOn(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, state: Tensor, split: TimeSplit) -> Tensor:
        ctx.split = split
        ctx.like = torch.empty(0, dtype=state.dtype, device=state.device), state.shape
        if not split.last:
            split.send(state, 1)
        return x.view_as(x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        empty, shape = ctx.like
        if ctx.split.last:
            return grad, empty.new_zeros(shape), None
        state = empty.new_empty(shape)
        ctx.split.fetch(state, 1)
        return grad, state, None


class _Mean(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, split: TimeSplit) -> Tensor:
        # In one message with the number of steps, in a type that holds it.
        wide = torch.promote_types(x.dtype, torch.float32)
        sums = torch.cat([x.sum(0, dtype=wide).reshape(-1), x.new_full((1,), len(x), dtype=wide)])
        dist.all_reduce(sums, group=split.group)
        steps = sums[-1:]
        ctx.save_for_backward(steps)
        ctx.shape = x.shape
        return (sums[:-1] / steps).to(x.dtype).view(x.shape[1:])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (steps,) = ctx.saved_tensors
        return (grad / steps.to(grad.dtype)).expand(ctx.shape), None


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, split: TimeSplit) -> Tensor:
        lengths = torch.zeros(split.size, dtype=torch.int64, device=x.device)
        lengths[split.rank] = len(x)
        dist.all_reduce(lengths, group=split.group)
        counts = lengths.tolist()
        longest = x.new_zeros(max(counts), *x.shape[1:])
        longest[: len(x)] = x
        shards = [torch.empty_like(longest) for _ in counts]
        dist.all_gather(shards, longest, group=split.group)
        ctx.begin, ctx.steps = sum(counts[: split.rank]), len(x)
        return torch.cat([shard[:count] for shard, count in zip(shards, counts)])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return grad[ctx.begin : ctx.begin + ctx.steps], None
