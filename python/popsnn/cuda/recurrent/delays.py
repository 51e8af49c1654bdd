"""Delays of a layer's own spikes: `cuda/popsnn/recurrent/delays.cuh`."""

from __future__ import annotations

import ctypes
from typing import NamedTuple, Sequence

import torch
from torch import Tensor

from .arguments import RecurrentArguments, RecurrentOptions, RecurrentParts, pointer

KINDS = {"axonal": "kAxonal", "dendritic": "kDendritic", "synaptic": "kSynaptic"}  # popsnn::Delay


class RecurrentDelays(ctypes.Structure):
    """`popsnn::RecurrentDelays`."""

    __slots__ = ()
    _fields_ = [
        ("steps", ctypes.c_void_p),
        ("history", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("sums", ctypes.c_void_p),
        ("grad_history", ctypes.c_void_p),
        ("grad_steps", ctypes.c_void_p),
        ("line", ctypes.c_void_p),
        ("rows", ctypes.c_int),
        ("longest", ctypes.c_int),
        ("whole", ctypes.c_int),
    ]


class RecurrentDelayedArguments(RecurrentArguments):
    """`popsnn::RecurrentDelayedArguments`."""

    __slots__ = ()
    _fields_ = [("delays", RecurrentDelays)]  # noqa: RUF012


class Delays(NamedTuple):
    """Delays of a call, and what was there before its first time step.

    The history is that of spikes [D + 1, B, N], the last of which are the state's, and of sums
    [D, B, N] where delays are dendritic, oldest first. Synaptic delays are in the weights of a
    call, [D + 1, N, N], those of D steps first.
    """

    kind: str
    longest: int  # D
    learn: bool
    whole: bool  # whether steps have to be whole; others are rounded where they are used
    steps: Tensor  # float32 [N]; none of synaptic delays, [0]
    history: Tensor | None = None
    first: Tensor | None = None  # float32 [B, N]: the spikes that act on step 0, of axonal delays

    @classmethod
    def of(cls, call: RecurrentOptions, tensors: Sequence[Tensor]) -> Delays | None:
        """Return those of a call, or None where it has none."""
        if not call.delay:
            return None
        kind, longest = call.delay, call.longest
        return cls(kind, longest, call.learn_delay, call.whole_delay, *tensors)

    @property
    def axonal(self) -> bool:
        """Whether they are those of sources."""
        return self.kind == "axonal"

    @property
    def source(self) -> str:
        """C++ of their kind."""
        return f"popsnn::Delay::{KINDS[self.kind]}"

    @property
    def tensors(self) -> list[Tensor]:
        """Those that are there."""
        return [t for t in (self.steps, self.history, self.first) if t is not None]

    def fill(self, record: RecurrentDelays, sample: int = 0, **tensors: Tensor | None) -> None:
        """Write a kernel's record, of samples from `sample` on; `tensors` are fields by name."""
        record.steps, record.longest = self.steps.data_ptr(), self.longest
        record.whole = self.whole
        record.rows = 0 if self.history is None else len(self.history)
        rows = {"history": self.history, "first": self.first, **tensors}
        for name, tensor in rows.items():
            setattr(record, name, pointer(tensor, sample))

    def gradients(self) -> list[Tensor]:
        """Return memory for the gradients of steps, history and first spikes."""
        steps = self.steps if self.learn else self.steps[:0]
        return [torch.empty_like(tensor) for tensor in (steps, *self.tensors[1:])]

    def line(self, x: Tensor, dtype: torch.dtype) -> Tensor:
        """Return memory for what is delayed, [D + T, B, N], with what is known before step 0."""
        line = x.new_empty((self.longest + len(x), *x.shape[1:]), dtype=dtype)
        if self.history is None:
            line[: self.longest].zero_()
        else:
            line[: self.longest] = self.history[-self.longest :]
        return line

    def forward_line(self, x: Tensor) -> Tensor:
        """Return memory for what forward delays, [T, B, N], behind D steps of the history."""
        return self.line(x, x.dtype if self.axonal else torch.float32)[self.longest :]

    def write_outputs(self, line: Tensor, spikes: Tensor, sums: Tensor | None) -> None:
        """Write what kernels have in `forward_line` instead: spikes, or sums where wanted."""
        if self.axonal:
            spikes.copy_(line)
        elif sums is not None:
            sums.copy_(line)

    def grad_line(self, x: Tensor) -> Tensor:
        """Return memory for the gradients that backward delays, [T + D, B, N], zeros at the end."""
        line = x.new_empty((len(x) + self.longest, *x.shape[1:]), dtype=torch.float32)
        line[len(x) :].zero_()
        return line

    def write_gradients(
        self,
        grads: Sequence[Tensor],  # as of `gradients`, without that of the first spikes
        line: Tensor,  # float32 [T + D, B, N]: the gradients of what is delayed, then zeros
        sent: Tensor | None,  # 16 bits [T, B, N]: delayed spikes, of learnt axonal delays
        sums: Tensor | None,  # float32 [T, B, N]: of learnt dendritic delays: sums before them
    ) -> None:
        """Write the gradients of steps and history, where the kernel left that to do."""
        whole = self.steps.round().clamp(0, self.longest).nan_to_num().long()
        if self.history is not None:
            before = torch.arange(-len(self.history), 0, device=line.device)
            at = before[:, None, None] + whole  # [rows, 1, N]
            grad = line.gather(0, at.clamp_min(0).expand_as(self.history))
            grads[1].copy_(grad.masked_fill_(at < 0, 0.0))
        if not self.learn:
            return
        steps = len(line) - self.longest
        grad = line[:steps]
        if self.axonal:  # spikes that were sent a step earlier are those of a delay that is longer
            assert sent is not None
            longer = (grad[1:] * sent[:-1]).sum((0, 1))
            shorter = (grad[:-1] * sent[1:]).sum((0, 1))
            if self.first is not None:
                longer += (grad[0] * self.first).sum(0)
        else:
            assert sums is not None
            every = self.line(sums, torch.float32)  # [D + T, B, N]
            every[self.longest :] = sums
            last = self.longest + torch.arange(steps, device=line.device)[:, None, None] - whole
            longer, shorter = (
                (grad * every.gather(0, at.expand_as(grad))).sum((0, 1))
                for at in ((last - 1).clamp_min(0), (last + 1).clamp_max(len(every) - 1))
            )
        longer.masked_fill_(whole == self.longest, 0.0)
        shorter.masked_fill_(whole == 0, 0.0)
        torch.sub(longer, shorter, out=grads[0]).mul_(0.5)


def arguments_of(delays: Delays | None, sample: int, line: Tensor | None) -> RecurrentArguments:
    """Return the arguments of a kernel of samples from `sample` on, with its delays alone."""
    if delays is None:
        return RecurrentArguments()
    arguments = RecurrentDelayedArguments()
    delays.fill(arguments.delays, sample, line=line)
    return arguments


def parts_of(
    delays: Delays | None,
    samples: Sequence[tuple[int, int]],
    line: Tensor | None,
    blocks: int,
    divided: bool,
) -> tuple[ctypes.Structure, Sequence[RecurrentArguments]]:
    """Return the arguments of a launch, and those of each part of the batch, of so many blocks.

    `samples` are the first sample and the number of samples of each; without parts there is one.
    """
    if not divided:
        arguments = arguments_of(delays, samples[0][0], line)
        return arguments, [arguments]
    parts = RecurrentParts()
    parts.blocks = blocks
    return parts, parts.part
