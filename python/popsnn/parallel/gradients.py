"""Gradients of parameters whose uses are spread over the ranks of a time split."""

# Without `from __future__ import annotations`: torch compares those of `sum_hook` with types.

from typing import List, cast

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


def sum_hook(split: TimeSplit, bucket: dist.GradBucket) -> torch.futures.Future[Tensor]:  # type: ignore[name-defined]
    """Sum the gradients of a bucket: `ddp.register_comm_hook(split, sum_hook)`.

    `DistributedDataParallel` then does what `sum_gradients` does, beside the backward pass, where
    without the hook it would take the mean.
    """
    work = dist.all_reduce(bucket.buffer(), group=split.group, async_op=True)
    return work.get_future().then(lambda future: future.value()[0])
