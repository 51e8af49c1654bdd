"""ShardedOptimizer: each rank updates a shard of the weights, and has the state of that alone."""

# Without `from __future__ import annotations`: torch compares those of hooks with types.

import weakref
from functools import partial
from typing import Any, Callable, Dict, List, Optional

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd

from ..cuda.device import launch
from .buckets import Bucket, Optimizer, gradient_of, options_of
from .gradients import buckets_of, check_one_pass, tell_of_gradient
from .peer_copies import PeerCopies
from .time_split import TimeSplit


class ShardedOptimizer(torch.optim.Optimizer):
    """An optimizer that every rank runs on a shard of the weights only: ZeRO, stage 1.

    A rank gets the sum of the gradients of its shard, updates it and hands it to the others
    (Rajbhandari et al., 2020, "ZeRO: Memory Optimizations Toward Training Trillion Parameter
    Models"). It takes the place of `GradientSums` and of the optimizer. Between GPUs that map each
    other's memory (`TimeSplit.messages` "peer"), gradients are copied to where they are summed
    while the backward pass goes on, by the copy engines: its products keep all multiprocessors.
    Neighbouring parameters make a bucket of at least `gradients.BUCKET_BYTES`, the last the
    first; those that are whole on all ranks are updated before the pass has ended.

    `step` must follow every backward pass, in which every parameter gets a gradient; nothing can
    scale or clip them between, since some are used by then. Can be captured in a CUDA graph. Needs
    torch 2.1. For optimizers that treat each weight by itself.

    It has one group of parameters, whose options may change between a `step` and the next backward
    pass, as torch's learning-rate schedulers do.

    Parameters
    ----------
    module : Module
        Its parameters move to other memory; references to their `data` get stale.
    split : TimeSplit
        The ranks that divide the weights; all have the same to begin with.
    make : callable
        Makes the optimizer of a list of parameters, each [n]: `partial(torch.optim.Adam, lr=1e-3)`.
    dtype : dtype, optional
        Type that linear layers and convolutions hold on every rank and send gradients in; the
        shards keep the type that there was. With bfloat16 what runs under autocast finds the same
        numbers, casts no weights and sends half the bytes. Default: the parameters' own.

    Attributes
    ----------
    optimizers : list of Optimizer
        One a bucket, each of one parameter: this rank's shard of it. Their options are those of
        `param_groups`.

    Raises
    ------
    ValueError
        Where no parameter of the module requires a gradient.
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
        dtypes = {p: (dtype if p in products else None) or p.dtype for p in module.parameters()}
        groups = buckets_of([p for p in dtypes if p.requires_grad], dtypes)
        if not groups:
            raise ValueError(
                "ShardedOptimizer: module: expected parameters that require a gradient, got none"
            )
        self._buckets = [Bucket(parameters, dtypes[parameters[0]], split) for parameters in groups]
        self._whole = 0  # buckets of this pass whose gradients are
        self._updated = 0  # and that are updated
        self._peers: Optional[PeerCopies] = None
        if split.messages == "peer" and split.size > 1:
            self._peers = PeerCopies(self._buckets, split, self._buckets[0].device)
        for index, bucket in enumerate(self._buckets):
            if self._peers is None:
                count = split.size * bucket.shard_size
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
        options = options_of(self.optimizers[0].param_groups[0])
        super().__init__([bucket.shard for bucket in self._buckets], options)
        for bucket in self._buckets:
            bucket.param_group = self.param_groups[0]

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for bucket in self._buckets:
            for parameter in bucket.parameters:
                if set_to_none:
                    parameter.grad = None
                elif parameter.grad is not None:
                    parameter.grad.zero_()

    def add_param_group(self, param_group: Dict[str, Any]) -> None:
        """Refuse a second group: the module's parameters are all there are.

        Raises
        ------
        ValueError
            Where there is a group, as there is once the optimizer is made.
        """
        if self.param_groups:
            raise ValueError("ShardedOptimizer: add_param_group: expected one group, got a second")
        super().add_param_group(param_group)

    def state_dict(self) -> Dict[str, Any]:
        """Return the state of this rank's shard, and its weights in the optimizer's own type."""
        for bucket in self._buckets:
            bucket.set_options()
        return {
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "shares": [shard.clone() for shard in self._shards()],
        }

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Take over what `state_dict` of the same rank, of as many, returned.

        The weights of the module, which other ranks have too, are loaded by the module.

        Raises
        ------
        ValueError
            Where it is of another network or number of ranks.
        """
        sizes, loaded_sizes = ([len(x) for x in of] for of in (self._shards(), state["shares"]))
        if sizes != loaded_sizes:
            raise ValueError(
                f"ShardedOptimizer: load_state_dict: expected shards of {sizes} weights, "
                f"got {loaded_sizes}"
            )
        for optimizer, loaded in zip(self.optimizers, state["optimizers"]):
            optimizer.load_state_dict(loaded)
        self.param_groups[0].update(options_of(self.optimizers[0].param_groups[0]))
        for shard, loaded in zip(self._shards(), state["shares"]):
            shard.copy_(loaded)

    def _shards(self) -> List[Tensor]:
        return [bucket.shard.detach() for bucket in self._buckets]

    def _gradient_ready(self, index: int, parameter: Tensor) -> None:
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

    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """Update all parameters, on every rank, by the sums of their gradients.

        Returns
        -------
        What `closure`, the backward pass, does where there is one.

        Raises
        ------
        RuntimeError
            Where a parameter got no gradient since the last call, or several; where parameters
            were moved to other memory, as by `Module.to`, which no update would reach.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        check_one_pass("ShardedOptimizer: step", [bucket.missing for bucket in self._buckets])
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
            launch.written(*bucket.parameters)  # through the memory of all of them
            bucket.missing = len(bucket.parameters)
        self.split.finish()
        return loss

    def _step_by_group(self, bucket: Bucket) -> None:
        size, rank = self.split.size, self.split.rank
        gradients = torch.zeros(
            size, bucket.shard_size, dtype=bucket.shard.dtype, device=bucket.device
        )
        for cut in bucket.slices:
            to = gradients[cut.rank, cut.offset : cut.offset + cut.end - cut.begin]
            to.copy_(gradient_of(cut.parameter)[cut.begin : cut.end])
        if size > 1:
            dist.all_reduce(gradients, group=self.split.group)
        bucket.step(gradients[rank : rank + 1])
        if size > 1:
            shards = [torch.empty_like(bucket.own_values) for _ in range(size)]
            dist.all_gather(shards, bucket.own_values, group=self.split.group)
            bucket.values.copy_(torch.cat(shards))
