"""Several GPUs along time: a training step at a small batch and T = 4096, on 1, 2 and 4 ranks.

Runs under torchrun, one process a GPU, and measures all numbers of ranks in one launch:

    torchrun --standalone --nproc-per-node 4 -m bench.time_parallel
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import Any, Callable, Iterator

import torch
import torch.distributed as dist
from torch import Tensor, nn

from bench.gpu import graphed, machine, milliseconds, once
from bench.rows import Row, Spread, spread
from popsnn.nn import LIF, LeakyIntegrator
from popsnn.parallel import GradientSums, Pipeline, TimeSplit, split_time

STEPS, CLASSES, RUNS, WARMUP = 4096, 20, 10, 3
COMMAND = "torchrun --standalone --nproc-per-node {ranks} -m bench.time_parallel"


@dataclass(frozen=True)
class Case:
    """A network of `layers` times Linear(width, width) and LIF, and a leaky readout."""

    layers: int
    width: int
    batch: int

    def network(self) -> nn.Sequential:
        """Return it with the same weights on every rank."""
        torch.manual_seed(0)
        parts: list[nn.Module] = []
        for _ in range(self.layers):
            linear = nn.Linear(self.width, self.width)
            nn.init.normal_(linear.weight, 0.0, 2.0 * self.width**-0.5)
            parts += [linear, LIF(0.9, surrogate="sigmoid")]
        parts += [nn.Linear(self.width, CLASSES), LeakyIntegrator(0.9)]
        return nn.Sequential(*parts).cuda()

    def input(self) -> Tensor:
        """Return the spikes [T, B, width]."""
        generator = torch.Generator("cuda").manual_seed(1)
        shape = STEPS, self.batch, self.width
        return (torch.rand(shape, device="cuda", generator=generator) < 0.1).to(torch.bfloat16)


CASES = (Case(8, 2048, 4), Case(8, 2048, 16), Case(16, 2048, 8), Case(8, 4096, 4), Case(1, 4096, 4))


def run() -> list[Row]:
    """Return the rows on the first rank, and nothing on the others."""
    found = []
    groups = {n: dist.new_group(list(range(n))) for n in (1, 2, 4) if n <= dist.get_world_size()}
    for case in CASES:
        found += list(_measure(case, groups))
    return found


def _measure(case: Case, groups: dict[int, Any]) -> Iterator[Row]:
    labels = torch.arange(case.batch, device="cuda") % CLASSES
    single: Result | None = None
    named = {"layers": case.layers, "width": case.width, "batch": case.batch, "steps": STEPS}
    for ranks, group in groups.items():
        dist.barrier()
        result = _train(case, ranks, group, labels) if dist.get_rank() < ranks else None
        if result is None or dist.get_rank() != 0:
            continue
        if single is None:
            single = result
        error = float((result.gradient - single.gradient).norm() / single.gradient.norm())
        extra = {"loss_difference": abs(result.loss - single.loss)}
        yield _row({**named, "ranks": ranks, **extra}, result.times, result.peak, error)
    for ranks, group in groups.items():
        if ranks == 1 or case.batch % ranks:
            continue
        dist.barrier()
        if dist.get_rank() < ranks:
            result = _train(case, ranks, group, labels, by_batch=True)
            if dist.get_rank() == 0:
                yield _row(
                    {**named, "ranks": ranks}, result.times, result.peak, None, "popsnn-by-batch"
                )
    mine = {n: group for n, group in groups.items() if dist.get_rank() < n}
    sums = {n: _sums(case.network(), group) for n, group in mine.items()}
    last = {n: _sums(nn.Sequential(case.network()[0]), group) for n, group in mine.items()}
    hop = _hop(case, groups[2]) if 2 in mine else 0.0
    scan, optimizer = _scan(case), _optimizer(case)
    if dist.get_rank() == 0 and single is not None:
        for ranks in groups:
            # Those of the first layer have no backward pass left to hide behind.
            pipeline = Pipeline(
                median(single.times), scan, hop, optimizer, last[ranks], case.layers + 1
            )
            inputs = {"scan_ms": scan, "hop_ms": hop, "best_ranks": round(pipeline.best, 1),
                      "sums_ms": sums[ranks], "last_sum_ms": last[ranks],
                      "optimizer_ms": optimizer}  # fmt: skip
            took = once(pipeline.time(ranks))
            yield _row(
                {**named, "ranks": ranks, **inputs}, took, None, None, "pipeline-model", True
            )


@dataclass(frozen=True)
class Result:
    """What a training step took and gave."""

    times: list[float]  # ms
    peak: int  # bytes
    loss: float
    gradient: Tensor  # [parameters]


def _train(case: Case, ranks: int, group: Any, labels: Tensor, by_batch: bool = False) -> Result:
    """Train on `ranks` ranks, by segments of time or by samples, as one CUDA graph a step."""
    split = TimeSplit(group)
    net = case.network()
    x = case.input()
    sums = GradientSums(net, split)
    share = 1.0
    if by_batch:
        samples = slice(split.rank * case.batch // ranks, (split.rank + 1) * case.batch // ranks)
        x, labels = x[:, samples].contiguous(), labels[samples]
        share = 1.0 / ranks
    else:
        split_time(net, split)
        x = split.segment(x)
    optimizer = torch.optim.Adam(net.parameters(), 1e-5, fused=True, capturable=True)

    def gradients() -> Tensor:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16):
            out = net(x)
        logits = out.float().mean(0) if by_batch else split.mean(out.float())
        loss = share * nn.functional.cross_entropy(logits, labels)
        loss.backward()
        sums.wait()
        return loss.detach()

    def step() -> None:
        gradients()
        optimizer.step()

    loss = float(gradients())
    gradient = torch.cat([p.grad.reshape(-1) for p in net.parameters() if p.grad is not None])
    torch.cuda.reset_peak_memory_stats()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    dist.barrier(group)
    graph = torch.cuda.CUDAGraph()
    own = torch.cuda.Stream()  # for what `gpu.graphed` says, which has no place for the barrier
    with torch.cuda.graph(graph, stream=own, capture_error_mode="thread_local"):
        step()
    times = _times(graph.replay, group)
    return Result(times, torch.cuda.max_memory_allocated(), loss, gradient)


def _times(step: Callable[[], None], group: Any) -> list[float]:
    """Milliseconds of steps, each from a common start to the end of the slowest rank."""
    times = []
    for index in range(WARMUP + RUNS):
        torch.cuda.synchronize()
        dist.barrier(group)
        torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        elapsed = torch.tensor([1e3 * (time.perf_counter() - start)], device="cuda")
        dist.all_reduce(elapsed, op=dist.ReduceOp.MAX, group=group)
        if index >= WARMUP:
            times.append(float(elapsed))
    return times


def _scan(case: Case) -> float:
    """Milliseconds of one layer's neurons alone, forward and backward, over all steps."""
    neurons = LIF(0.9, surrogate="sigmoid")
    shape = STEPS, case.batch, case.width
    x = torch.randn(shape, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    grad = torch.randn_like(x)

    def both() -> None:
        torch.autograd.grad(neurons(x), x, grad)

    return _graph_ms(both)


def _graph_ms(call: Callable[[], None]) -> float:
    """Milliseconds of a call as a CUDA graph, which is what the training steps are."""
    return median(milliseconds(graphed(call, "thread_local"), runs=20))


def _sums(net: nn.Sequential, group: Any) -> float:
    """Milliseconds of the sums of a network's gradients, with nothing beside them."""
    layers = [[torch.zeros_like(p) for p in layer.parameters()] for layer in net]

    def all_reduce() -> None:
        for grads in filter(None, layers):
            group.allreduce_coalesced(grads).wait()

    return _graph_ms(all_reduce)


def _optimizer(case: Case) -> float:
    """Milliseconds of the optimizer's step, which every rank does in full."""
    net = case.network()
    for p in net.parameters():
        p.grad = torch.zeros_like(p)
    adam = torch.optim.Adam(net.parameters(), 1e-5, fused=True, capturable=True)
    return median(milliseconds(adam.step, runs=20))


def _hop(case: Case, group: Any) -> float:
    """Milliseconds of a message with a layer's states there and of its answer back."""
    states = torch.zeros(2, case.batch, case.width, device="cuda")
    other = 1 - dist.get_rank()

    def there_and_back() -> None:
        if other:
            dist.send(states, 1, group=group)
            dist.recv(states, 1, group=group)
        else:
            dist.recv(states, 0, group=group)
            dist.send(states, 0, group=group)

    return _graph_ms(there_and_back)


def _row(
    case: dict[str, object],
    times: list[float] | Spread,
    peak: int | None,
    error: float | None,
    subject: str = "popsnn-time-parallel",
    modelled: bool = False,
) -> Row:
    measured = spread(times, 1.0) if isinstance(times, list) else times
    row = Row(
        suite="time_parallel",
        case=case,
        subject=subject,
        dtype="bfloat16",
        metric="train_step_ms",
        **measured,
        peak_bytes=peak,
        limit="the single rank's time over the number of ranks",
        max_rel_error=error,
        modelled=modelled,
        machine=f"{torch.cuda.device_count()} x {machine()}",
        command=COMMAND.format(ranks=dist.get_world_size()),
    )
    shown = " ".join(f"{key} {value}" for key, value in case.items())
    shown_error = "" if error is None else f" gradient error {error:.1e}"
    print(f"  {subject:<22} {row.median:9.3f} ms  {shown}{shown_error}", flush=True)
    return row
