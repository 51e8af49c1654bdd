"""Gradients of parameters whose uses are spread over the ranks of a time split."""

# Without `from __future__ import annotations`: torch compares those of `sum_hook` with types.

from typing import Any, List, cast

import torch
import torch.distributed as dist
from torch import Tensor, nn

from .time_split import TimeSplit


def sum_gradients(module: nn.Module, split: TimeSplit) -> None:
    """Replace the gradient of every parameter by its sum over the ranks.

    A parameter without a gradient on this rank counts as zero. One message a type of gradient.
    """
    split.finish()
    parameters = [p for p in module.parameters() if p.requires_grad]
    for p in parameters:
        if p.grad is None:
            p.grad = torch.zeros_like(p)
    for dtype in sorted({p.dtype for p in parameters}, key=str):
        grads = cast(List[Tensor], [p.grad for p in parameters if p.dtype == dtype])
        flat = torch.cat([grad.reshape(-1) for grad in grads])
        dist.all_reduce(flat, group=split.group)
        for grad, part in zip(grads, flat.split([grad.numel() for grad in grads])):
            grad.copy_(part.view_as(grad))


class GradientSums:
    """Sums the gradients of a network over the ranks while the backward pass goes on.

    Each parameter's gradient is on its way as soon as it is whole. `wait` must follow every
    backward pass, in which every parameter gets a gradient. Can be captured in a CUDA graph.
    Needs torch 2.1.

    Parameters
    ----------
    module : Module
    split : TimeSplit
    """

    def __init__(self, module: nn.Module, split: TimeSplit) -> None:
        self.split = split
        self._under_way: List[Any] = []
        for parameter in module.parameters():
            if parameter.requires_grad:
                parameter.register_post_accumulate_grad_hook(self._send)

    def _send(self, parameter: Tensor) -> None:
        work = dist.all_reduce(parameter.grad, group=self.split.group, async_op=True)
        self._under_way.append(work)

    def wait(self) -> None:
        """Let what follows on the current stream see the sums."""
        for work in self._under_way:
            work.wait()
        self._under_way = []
        self.split.finish()


def sum_hook(split: TimeSplit, bucket: dist.GradBucket) -> torch.futures.Future[Tensor]:  # type: ignore[name-defined]
    """Sum the gradients of a bucket: `ddp.register_comm_hook(split, sum_hook)`.

    `DistributedDataParallel` then does what `sum_gradients` does, beside the backward pass, where
    without the hook it would take the mean.
    """
    work = dist.all_reduce(bucket.buffer(), group=split.group, async_op=True)
    return work.get_future().then(lambda future: future.value()[0])
