"""The processes of a training that torchrun has started, each with a part of every batch."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import Iterator, List, Sequence

import torch
import torch.distributed as dist
from torch import nn

# An error of gloo: its source file, and a first sentence.
TRANSPORT = re.compile(r"\[\S*gloo/\S+\] (?P<reason>.+?)(?:\. |$)")


class Ranks:
    """The processes of the run as one of them sees them; it is alone without torchrun.

    Attributes
    ----------
    rank, world : int
        Number of this process, and of all.
    """

    def __init__(self, device: torch.device) -> None:
        self.world = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0")) if self.world > 1 else 0
        self.device = device
        if self.world > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if device.type == "cuda" else "gloo")

    @property
    def first(self) -> bool:
        """Whether this is the process that writes and prints."""
        return self.rank == 0

    def wrap(self, net: nn.Module) -> nn.Module:
        """Return the network, whose gradients are averaged over the processes as they come."""
        if self.world == 1:
            return net
        return nn.parallel.DistributedDataParallel(net)

    def sums(self, values: Sequence[float]) -> List[float]:
        """Return the sums of values over the processes, each at the same place of the list."""
        if self.world == 1:
            return list(values)
        added = torch.tensor(values, dtype=torch.float64, device=self.device)
        dist.all_reduce(added)
        return [float(value) for value in added]

    def any(self, *flags: bool) -> List[bool]:
        """Return which of the flags is set in any process."""
        return [count > 0 for count in self.sums([float(flag) for flag in flags])]

    @contextmanager
    def complete(self) -> Iterator[None]:
        """Raise an error of one sentence where another process has ended.

        Raises
        ------
        RuntimeError
            In place of the transport's error, which names a line of its source.
        """
        try:
            yield
        except RuntimeError as error:
            lost = TRANSPORT.match(str(error))
            if lost is None:
                raise
            raise RuntimeError(
                f"train: process {self.rank}: expected all {self.world} processes to train to the "
                f"end, got {lost.group('reason')}"
            ) from error

    def wait(self) -> None:
        """Go on when all processes have come here."""
        self.sums([0.0])


def local_device() -> torch.device:
    """Return the GPU of this process of torchrun's, and make it the current one."""
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device


def started_by_torchrun() -> bool:
    """Return whether this process is one of several."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1
