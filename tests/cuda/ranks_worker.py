"""One of the ranks of tests/cuda/test_ranks.py, on the kernels compiled for a CPU.

Arguments: rank, ranks, file for the rendezvous, folder for what is compiled, file for the outcome
(JSON: by order of memory, the relative error of the output and of the gradient).
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.cuda.host_kernels import HostLoader, unsupported

import popsnn.cuda
from popsnn import models
from popsnn.cuda.device import launch
from popsnn.parallel import TimeSplit, split_time, sum_gradients


def network(channels_last: bool) -> torch.nn.Module:
    torch.manual_seed(1)
    net = models.SpikingResNet(
        (1, 1, 1, 1), False, 3, in_channels=2, stem="cifar", beta=0.7, threshold=0.8,
        detach_reset=False, backend="cuda",
    )  # fmt: skip
    return net.to(memory_format=torch.channels_last) if channels_last else net


def errors(split: TimeSplit, channels_last: bool) -> list[float]:
    whole, part = network(channels_last), network(channels_last)
    split_time(part, split)
    torch.manual_seed(2)
    x, target = torch.randn(36, 2, 2, 8, 8), torch.randn(2, 3)
    expected = whole(x).mean(0)
    (expected * target).sum().backward()
    got = split.mean(part(split.segment(x)))
    (got * target).sum().backward()
    sum_gradients(part, split)
    mine, other = (
        torch.cat([p.grad.reshape(-1) for p in net.parameters() if p.grad is not None])
        for net in (part, whole)
    )
    output = (got - expected).detach().abs().max() / expected.detach().abs().max()
    return [float(output), float((mine - other).norm() / other.norm())]


def main(rank: int, ranks: int, meeting: str, folder: Path, outcome: Path) -> None:
    torch.set_num_threads(1)
    store = dist.FileStore(meeting, ranks)
    dist.init_process_group(
        "gloo", store=store, rank=rank, world_size=ranks, timeout=timedelta(seconds=120)
    )
    launch.load = HostLoader(folder)
    popsnn.cuda.unsupported = unsupported
    split = TimeSplit()
    outcome.write_text(json.dumps([errors(split, last) for last in (False, True)]))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]), Path(sys.argv[5]))
