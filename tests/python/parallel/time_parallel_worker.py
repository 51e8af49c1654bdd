"""The ranks of test_time_parallel.py: each runs every case split and whole, compares them.

Arguments: ranks, folder for the rendezvous and for the outcome of each rank (JSON, by case: the
greatest absolute difference of anything compared, or the text of an exception).
"""

from __future__ import annotations

import copy
import json
import multiprocessing
import sys
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import torch
import torch._dynamo  # for DistributedDataParallel: before the ranks are forked
import torch.distributed as dist
from torch import Tensor
from torch import nn as torch_nn

from popsnn import models, nn
from popsnn.parallel import (
    GradientSums,
    ShardedOptimizer,
    TimeSplit,
    gradients,
    split_time,
    sum_gradients,
    sum_hook,
)

Outcome = List[Tensor]
Case = Callable[[TimeSplit], List[Tuple[Tensor, Tensor]]]
CASES: Dict[str, Case] = {}


def case(function: Case) -> Case:
    CASES[function.__name__] = function
    return function


def neurons() -> torch_nn.Module:
    options = {"reset": "subtract", "detach_reset": False, "surrogate": "atan", "threshold": 0.4}
    return torch_nn.Sequential(
        torch_nn.Linear(6, 16),
        nn.LIF(0.8, learn_beta=True, learn_threshold=True, **options),
        torch_nn.Linear(16, 16),
        nn.AdaptiveLIF(**options),
        torch_nn.Linear(16, 16),
        nn.SynapticLIF(**options),
        torch_nn.Linear(16, 16),
        nn.PLIF(threshold=0.4),
        torch_nn.Linear(16, 3),
        nn.LeakyIntegrator(0.9),
    )


def compare(
    make: Callable[[], torch_nn.Module],
    x: Tensor,
    split: TimeSplit,
    read: Callable[[TimeSplit, Tensor], Tensor] = TimeSplit.mean,
    whole_read: Callable[[Tensor], Tensor] = lambda y: y.mean(0),
) -> List[Tuple[Tensor, Tensor]]:
    """Train one step on all steps, and on this rank's time shard; return what must be the same."""
    torch.manual_seed(1)
    whole = make().double()
    torch.manual_seed(1)
    part = make().double()
    handle = split_time(part, split)
    target = torch.randn(x.shape[1], 3, generator=torch.Generator().manual_seed(2)).double()

    expected = whole_read(whole(x))
    (expected * target).sum().backward()
    got = read(split, part(split.segment(x)))
    (got * target).sum().backward()
    sum_gradients(part, split)
    pairs = [(got, expected)]
    for parameter, other in zip(part.parameters(), whole.parameters()):
        assert other.grad is not None
        assert float(other.grad.abs().sum()) > 0 or other.numel() == 1
        pairs.append((parameter.grad, other.grad))
    pairs += list(zip(part.buffers(), whole.buffers()))

    part.eval()
    whole.eval()
    with torch.no_grad():
        pairs.append((split.gather(part(split.segment(x))), whole(x)))
    handle.remove()
    pairs.append((part(x), whole(x)))
    return pairs


@case
def every_neuron(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    return compare(neurons, torch.randn(12, 2, 6).double(), split)


@case
def segments_of_unequal_length(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    return compare(neurons, torch.randn(11, 2, 6).double(), split)


@case
def a_loss_on_the_last_step(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    x = torch.randn(9, 2, 6).double()
    return compare(neurons, x, split, lambda split, y: split.gather(y)[-1], lambda y: y[-1])


@case
def spiking_resnet(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    def make() -> torch_nn.Module:
        return models.SpikingResNet(
            (1, 1, 1, 1), False, 3, in_channels=2, stem="cifar", beta=0.7, threshold=0.8,
            surrogate="atan", detach_reset=False,
        )  # fmt: skip

    return compare(make, torch.randn(6, 2, 2, 8, 8).double(), split)


@case
def sew_resnet(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    def make() -> torch_nn.Module:
        return models.SEWResNet((1, 2, 1, 1), False, 3, in_channels=2, stem="cifar", threshold=0.8)

    return compare(make, torch.randn(5, 2, 2, 8, 8).double(), split)


def whole_and_part(split: TimeSplit) -> Tuple[torch_nn.Module, torch_nn.Module]:
    """Two networks of the same weights, of which the second is split."""
    torch.manual_seed(1)
    whole = neurons().double()
    part = copy.deepcopy(whole)
    split_time(part, split)
    return whole, part


@case
def beside_distributed_data_parallel(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    whole, part = whole_and_part(split)
    ddp = torch_nn.parallel.DistributedDataParallel(part)
    ddp.register_comm_hook(split, sum_hook)
    x = torch.randn(8, 2, 6).double()
    whole(x).mean(0).square().sum().backward()
    split.mean(ddp(split.segment(x))).square().sum().backward()
    split.finish()
    return [(a.grad, b.grad) for a, b in zip(part.parameters(), whole.parameters())]


@case
def gradients_summed_beside_the_backward_pass(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    whole, part = whole_and_part(split)
    gradients.BUCKET_BYTES = 1000  # several buckets
    sums = GradientSums(part, split)
    x = torch.randn(8, 2, 6).double()
    for _ in range(2):
        whole(x).mean(0).square().sum().backward()
        for p in part.parameters():
            p.grad = None
        split.mean(part(split.segment(x))).square().sum().backward()
        sums.wait()
    return [(2 * a.grad, b.grad) for a, b in zip(part.parameters(), whole.parameters())]


@case
def an_optimizer_whose_state_is_shared_out(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    whole, part = whole_and_part(split)
    gradients.BUCKET_BYTES = 1000  # several buckets, whose shards cut parameters
    make = partial(torch.optim.SGD, lr=0.1, momentum=0.9)
    sharded, optimizer = ShardedOptimizer(part, split, make), make(whole.parameters())
    x = torch.randn(8, 2, 6).double()
    for _ in range(3):
        sharded.load_state_dict(sharded.state_dict())
        sharded.zero_grad()
        optimizer.zero_grad()
        whole(x).mean(0).square().sum().backward()
        optimizer.step()
        split.mean(part(split.segment(x))).square().sum().backward()
        sharded.step()
    assert len(sharded.optimizers) > 1
    saved = sum(value.numel() for state in sharded.optimizers for value in state.state)
    assert saved < sum(p.numel() for p in whole.parameters())
    return list(zip(part.parameters(), whole.parameters()))


@case
def weights_of_another_type_than_the_optimizer(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    torch.manual_seed(1)
    part = neurons()
    torch.manual_seed(1)
    exact, whole = neurons().double(), neurons()
    whole.load_state_dict(exact.state_dict())
    part.load_state_dict(exact.state_dict())
    split_time(part, split)
    part.double()
    make = partial(torch.optim.SGD, lr=0.01, momentum=0.9)
    sharded = ShardedOptimizer(part, split, make, dtype=torch.float32)
    optimizer = make(exact.parameters())
    assert part[0].weight.dtype == torch.float32
    assert part[1].beta.dtype == torch.float64
    x = torch.randn(8, 2, 6)
    for _ in range(3):
        sharded.load_state_dict(sharded.state_dict())
        sharded.zero_grad()
        whole.zero_grad()
        whole(x).mean(0).square().sum().backward()
        for parameter, rounded in zip(exact.parameters(), whole.parameters()):
            parameter.grad = rounded.grad.double()
        optimizer.step()
        whole.load_state_dict(exact.state_dict())
        split.mean(part(split.segment(x))).square().sum().backward()
        sharded.step()
    pairs = zip(part.parameters(), whole.parameters())
    near = all(torch.allclose(a.float(), b, rtol=0, atol=1e-5) for a, b in pairs)
    return [(torch.tensor(float(near)), torch.tensor(1.0))]


@case
def data_parallel_times_time_parallel(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    """Two groups of half the ranks, each with half of the samples."""
    half = split.size // 2
    groups = [dist.new_group(list(range(k * half, (k + 1) * half))) for k in range(2)]
    mine = split.rank // half
    inner = TimeSplit(groups[mine])
    whole, part = whole_and_part(inner)
    x = torch.randn(8, 4, 6).double()
    whole(x).mean(0).square().sum().backward()
    own = inner.segment(x)[:, 2 * mine : 2 * mine + 2]
    inner.mean(part(own)).square().sum().backward()
    inner.finish()
    sum_gradients(part, split)
    return [(a.grad, b.grad) for a, b in zip(part.parameters(), whole.parameters())]


@case
def a_frozen_network_needs_no_messages_back(split: TimeSplit) -> List[Tuple[Tensor, Tensor]]:
    net = neurons().double().requires_grad_(False)
    x = torch.randn(8, 2, 6).double()
    expected = net(x)
    split_time(net, split)
    return [(split.gather(net(split.segment(x))), expected)]


def difference(pairs: List[Tuple[Tensor, Tensor]]) -> float:
    greatest = 0.0
    for tensor, other in pairs:
        assert tensor.shape == other.shape, f"{tuple(tensor.shape)} is not {tuple(other.shape)}"
        if tensor.numel():
            greatest = max(greatest, float((tensor.detach() - other.detach()).abs().max()))
    return greatest


def main(rank: int, ranks: int, meeting: str, outcome: Path) -> None:
    torch.set_num_threads(1)
    store = dist.FileStore(meeting, ranks)
    dist.init_process_group(
        "gloo", store=store, rank=rank, world_size=ranks, timeout=timedelta(seconds=60)
    )
    split = TimeSplit()
    result: Dict[str, object] = {}
    for name, function in CASES.items():
        torch.manual_seed(0)
        try:
            result[name] = difference(function(split))
        except Exception as error:
            result[name] = f"{type(error).__name__}: {error}"
        dist.barrier()
    outcome.write_text(json.dumps(result))
    dist.destroy_process_group()


def fork_ranks(ranks: int, folder: Path) -> List[int]:
    """Return the exit codes of the ranks, forked from one process: importing torch takes longer."""
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    processes = [
        context.Process(
            target=main, args=(rank, ranks, str(folder / "meeting"), folder / f"{rank}.json")
        )
        for rank in range(ranks)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


if __name__ == "__main__":
    number = int(sys.argv[1])
    sys.exit(fork_ranks(number, Path(sys.argv[2])) != [0] * number)
