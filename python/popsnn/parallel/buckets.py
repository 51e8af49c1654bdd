"""Neighbouring parameters in one memory, of which each rank updates a shard."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple

import torch
from torch import Tensor, nn

from .time_split import TimeSplit

ALIGNMENT = 64  # elements that a shard is a multiple of: its address is one of 16 bytes

Optimizer = torch.optim.Optimizer


class Slice(NamedTuple):
    """Range of a parameter's gradient that goes to one rank."""

    parameter: nn.Parameter
    begin: int
    end: int
    rank: int
    offset: int  # in the shard of that rank


class Bucket:
    """Neighbouring parameters in one memory, [ranks * shard], a shard of which is this rank's."""

    param_group: Dict[str, Any]  # of the whole optimizer, whose options are every bucket's

    def __init__(
        self, parameters: List[nn.Parameter], dtype: torch.dtype, split: TimeSplit
    ) -> None:
        self.parameters = parameters
        self.dtype = dtype
        self.device = parameters[0].device
        count = sum(p.numel() for p in parameters)
        self.shard_size = -(-count // (split.size * ALIGNMENT)) * ALIGNMENT
        self.bytes = split.size * self.shard_size * dtype.itemsize
        self.slices: List[Slice] = []
        self.missing = len(parameters)
        at = 0
        for p in parameters:
            begin = 0
            while begin < p.numel():
                rank, offset = divmod(at + begin, self.shard_size)
                end = min(p.numel(), begin + self.shard_size - offset)
                self.slices.append(Slice(p, begin, end, rank, offset))
                begin = end
            at += p.numel()

    def take(
        self, values: Tensor, rank: int, make: Callable[[List[nn.Parameter]], Optimizer]
    ) -> None:
        """Move the parameters to `values` [ranks * shard], and make the optimizer of the shard."""
        own = slice(rank * self.shard_size, (rank + 1) * self.shard_size)
        flat = self.parameters[0].new_zeros(len(values))
        at = 0
        for p in self.parameters:
            end = at + p.numel()
            flat[at:end] = p.detach().reshape(-1)
            p.data = _alone(values[at:end]).view(p.shape)
            at = end
        values.copy_(flat)
        self.own_values = values[own]
        # Where the ranks hold other types than the optimizer, its shard is a copy.
        self.shard = nn.Parameter(
            self.own_values if flat.dtype == values.dtype else flat[own].clone()
        )
        self._sum = torch.zeros_like(self.shard)
        self.values = values
        self.optimizer = make([self.shard])

    def step(self, gradients: Tensor) -> None:
        """Update this rank's shard by the sum of `gradients` [ranks, shard]."""
        self.set_options()
        if len(gradients) == 1:
            self.shard.grad = gradients[0]
        else:
            torch.sum(gradients, 0, dtype=self.shard.dtype, out=self._sum)
            self.shard.grad = self._sum
        self.optimizer.step()
        self.shard.grad = None  # else what scales gradients would take it for the next step's
        if self.shard.dtype != self.dtype:
            self.own_values.copy_(self.shard.detach())

    def set_options(self) -> None:
        """Give the optimizer the options of all buckets."""
        self.optimizer.param_groups[0].update(options_of(self.param_group))


def options_of(group: Dict[str, Any]) -> Dict[str, Any]:
    """Return the options of a group of parameters."""
    return {name: value for name, value in group.items() if name != "params"}


def _alone(view: Tensor) -> Tensor:
    """Return the same memory as a tensor with a storage of its own, which keeps the memory.

    What is saved or copied of a view is all of the storage: other parameters, and gradients.
    """
    return torch.from_dlpack(torch.to_dlpack(view))  # type: ignore[attr-defined]


def gradient_of(parameter: nn.Parameter) -> Tensor:
    """Return the elements of a parameter's gradient in the order of the parameter's."""
    assert parameter.grad is not None
    return parameter.grad.reshape(-1)
