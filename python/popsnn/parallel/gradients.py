"""Gradients of parameters whose uses are spread over the ranks of a time split."""

# Without `from __future__ import annotations`: torch compares those of `sum_hook` with types.

import weakref
from functools import partial
from typing import Any, Dict, List, cast

import torch
import torch.distributed as dist
from torch import Tensor, nn

from .time_split import TimeSplit

BUCKET_BYTES = 1 << 20  # of a message, where more latency than transfer is left to save


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
        for grad, view in zip(grads, flat.split([grad.numel() for grad in grads])):
            grad.copy_(view.view_as(grad))


class GradientSums:
    """Sums the gradients of a network over the ranks while the backward pass goes on.

    Neighbouring parameters make a bucket of at least `BUCKET_BYTES`, the last parameters the first.
    A bucket is one message, sent as soon as its gradients are whole and those of the buckets
    before it are. `wait` must follow every backward pass, in which every parameter gets a gradient.
    Can be captured in a CUDA graph. Needs torch 2.1.

    Parameters
    ----------
    module : Module
    split : TimeSplit
    """

    def __init__(self, module: nn.Module, split: TimeSplit) -> None:
        self.split = split
        parameters = [p for p in module.parameters() if p.requires_grad]
        self._buckets = buckets_of(parameters, {p: p.dtype for p in parameters})
        self._missing = [len(bucket) for bucket in self._buckets]
        self._pending: List[Any] = []
        for index, bucket in enumerate(self._buckets):
            for parameter in bucket:
                parameter.register_post_accumulate_grad_hook(
                    partial(tell_of_gradient, weakref.ref(self), index)
                )

    def _gradient_ready(self, index: int, parameter: Tensor) -> None:
        self._missing[index] -= 1
        first = len(self._pending)
        for bucket, missing in zip(self._buckets[first:], self._missing[first:]):
            if missing:
                break
            gradients = [p.grad for p in bucket]
            self._pending.append(self.split.group.allreduce_coalesced(gradients))

    def wait(self) -> None:
        """Let what follows on the current stream see the sums.

        Raises
        ------
        RuntimeError
            Where a parameter got no gradient since the last call, or several.
        """
        check_one_pass("GradientSums: wait", self._missing)
        for work in self._pending:
            work.wait()
        self._pending = []
        self._missing = [len(bucket) for bucket in self._buckets]
        self.split.finish()


def check_one_pass(operation: str, missing: List[int]) -> None:
    """Raise RuntimeError unless each parameter got one gradient; `missing` are those of buckets."""
    without = sum(max(0, count) for count in missing)
    if without:
        raise RuntimeError(
            f"{operation}: expected a backward pass that gives every parameter a gradient, "
            f"got {without} without one"
        )
    if any(missing):
        raise RuntimeError(f"{operation}: expected one backward pass since the last, got several")


def tell_of_gradient(owner: "weakref.ref[Any]", index: int, parameter: Tensor) -> None:
    """Tell what is held of a parameter's gradient in bucket `index`.

    A hook that holds it itself would keep both for ever: Python's collector does not see into those
    of parameters.
    """
    sums = owner()
    if sums is not None:
        sums._gradient_ready(index, parameter)


def buckets_of(
    parameters: List[nn.Parameter], types: Dict[nn.Parameter, torch.dtype]
) -> List[List[nn.Parameter]]:
    """Return the parameters, last to first, in buckets of one type and device each."""
    buckets: List[List[nn.Parameter]] = []
    size = BUCKET_BYTES
    for p in reversed(parameters):
        like = buckets[-1][0] if buckets else p
        alike = (p.dtype, types[p], p.device) == (like.dtype, types[like], like.device)
        if size >= BUCKET_BYTES or not alike:
            buckets.append([])
            size = 0
        buckets[-1].append(p)
        size += p.numel() * p.element_size()
    return buckets


def sum_hook(split: TimeSplit, bucket: dist.GradBucket) -> torch.futures.Future[Tensor]:  # type: ignore[name-defined]
    """Sum the gradients of a bucket: `ddp.register_comm_hook(split, sum_hook)`.

    `DistributedDataParallel` then does what `sum_gradients` does, during the backward pass, where
    without the hook it would take the mean.
    """
    work = dist.all_reduce(bucket.buffer(), group=split.group, async_op=True)
    return work.get_future().then(lambda future: future.value()[0])
