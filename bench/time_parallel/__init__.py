"""Several GPUs along time: a training step at a small batch and T = 4096, on 1, 2 and 4 ranks.

Runs under torchrun, one process a GPU, and measures all numbers of ranks in one launch:

    torchrun --standalone --nproc-per-node 4 -m bench.time_parallel
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, Callable, Iterator

import torch
import torch.distributed as dist
from torch import Tensor, nn

from bench.gpu import graphed, machine, milliseconds, once
from bench.rows import Row, Spread, spread
from popsnn.cuda import Adam
from popsnn.cuda.device.graph import no_collection
from popsnn.nn import LIF, LeakyIntegrator
from popsnn.parallel import Pipeline, ShardedOptimizer, TimeSplit, split_time

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
        modules: list[nn.Module] = []
        for _ in range(self.layers):
            linear = nn.Linear(self.width, self.width, device="cuda")
            nn.init.normal_(linear.weight, 0.0, 2.0 * self.width**-0.5)
            modules += [linear, LIF(0.9, surrogate="sigmoid")]
        modules += [nn.Linear(self.width, CLASSES, device="cuda"), LeakyIntegrator(0.9)]
        return nn.Sequential(*modules)

    def input(self) -> Tensor:
        """Return the spikes [T, B, width]."""
        generator = torch.Generator("cuda").manual_seed(1)
        shape = STEPS, self.batch, self.width
        return (torch.rand(shape, device="cuda", generator=generator) < 0.1).to(torch.bfloat16)

    def labels(self) -> Tensor:
        """Return the classes [B]."""
        return torch.arange(self.batch, device="cuda") % CLASSES

    def named(self) -> dict[str, object]:
        """Return it as in a row."""
        return {"layers": self.layers, "width": self.width, "batch": self.batch, "steps": STEPS}


CASES = (Case(8, 2048, 4), Case(8, 2048, 16), Case(16, 2048, 8), Case(8, 4096, 4), Case(1, 4096, 4))


def run() -> Iterator[list[Row]]:
    """Yield the rows of one case after the other on the first rank, and no rows on the others."""
    groups = _groups()
    for measure in (_measure, _measure_bf16):
        for case in CASES:
            yield list(measure(case, groups))


def _groups() -> dict[int, Any]:
    """Return this rank's group of each size that divides the launch.

    All of a size do the same at the same time: with the others idle, ranks would have mapped memory
    a different number of times, which torch cannot tell apart (`parallel.peers`).
    """
    rank, world = dist.get_rank(), dist.get_world_size()
    results = {}
    for size in (1, 2, 4):
        for first in range(0, world if world % size == 0 else 0, size):
            group = dist.new_group(list(range(first, first + size)))
            if first <= rank < first + size:
                results[size] = group
    return results


def _measure_bf16(case: Case, groups: dict[int, Any]) -> Iterator[Row]:
    """Measure with weights that every rank holds in bfloat16."""
    ends = {n: groups[n] for n in (1, max(groups))}
    yield from _along_time(case, ends, "popsnn-time-parallel-bf16-weights", torch.bfloat16)


def _along_time(
    case: Case, groups: dict[int, Any], subject: str, dtype: torch.dtype | None
) -> Iterator[Row]:
    single: Result | None = None
    for ranks, group in groups.items():
        dist.barrier()
        result = _train(case, ranks, group, dtype=dtype)
        if dist.get_rank() != 0:
            continue
        if single is None:
            single = result
        error = float((result.gradient - single.gradient).norm() / single.gradient.norm())
        extra = {"ranks": ranks, "loss_difference": abs(result.loss - single.loss)}
        yield _row({**case.named(), **extra}, result.times, result.peak, error, subject)


def _measure(case: Case, groups: dict[int, Any]) -> Iterator[Row]:
    """Measure ranks along time and by batch, and what the model of the pipeline says."""
    along = list(_along_time(case, groups, "popsnn-time-parallel", None))
    yield from along
    for ranks, group in groups.items():
        if ranks == 1 or case.batch % ranks:
            continue
        dist.barrier()
        result = _train(case, ranks, group, by_batch=True)
        if dist.get_rank() == 0:
            named = {**case.named(), "ranks": ranks}
            yield _row(named, result.times, result.peak, None, "popsnn-by-batch")
    hop = _hop(case, groups[2]) if 2 in groups else 0.0
    last = {n: _last(case, group) for n, group in groups.items()}
    if along:
        scan, optimizer = _scan(case), _optimizer(case)
        shard_ms = {n: _segment(case, n) for n in groups}
        for ranks in groups:
            whole = max(0.0, (ranks * shard_ms[ranks] - shard_ms[1]) / max(1, ranks - 1))
            pipeline = Pipeline(along[0].median, scan, hop, whole, last[ranks], case.layers + 1)
            inputs = {"scan_ms": scan, "hop_ms": hop, "best_ranks": round(pipeline.best, 1),
                      "segment_ms": shard_ms[ranks], "whole_ms": whole,
                      "last_update_ms": last[ranks], "optimizer_ms": optimizer}  # fmt: skip
            took = once(pipeline.time(ranks))
            named = {**case.named(), "ranks": ranks, **inputs}
            yield _row(named, took, None, None, "pipeline-model", True)


@dataclass(frozen=True)
class Result:
    """Time and results of a training step."""

    times: list[float]  # ms
    peak: int  # bytes
    loss: float
    gradient: Tensor  # [parameters]


def _train(
    case: Case,
    ranks: int,
    group: Any,
    *,
    by_batch: bool = False,
    dtype: torch.dtype | None = None,
) -> Result:
    """Train on `ranks` ranks, by time shards or by samples, as one CUDA graph a step.

    `dtype` is that of `ShardedOptimizer`.
    """
    split = TimeSplit(group)
    labels = case.labels()
    net = case.network()
    x = case.input()
    fraction = 1.0
    if by_batch:
        samples = slice(split.rank * case.batch // ranks, (split.rank + 1) * case.batch // ranks)
        x, labels = x[:, samples].contiguous(), labels[samples]
        fraction = 1.0 / ranks
    elif ranks > 1:
        split_time(net, split)
        x = split.segment(x)

    def gradients() -> Tensor:
        with torch.autocast("cuda", torch.bfloat16):
            out = net(x)
        logits = out.float().mean(0) if by_batch or ranks == 1 else split.mean(out.float())
        loss = fraction * nn.functional.cross_entropy(logits, labels)
        loss.backward()
        return loss.detach()

    optimizer = _adam(net, split, dtype)
    loss = float(gradients())
    results = [p.grad.reshape(-1).float() for p in net.parameters() if p.grad is not None]
    gradient = torch.cat(results)
    dist.all_reduce(gradient, group=group)
    optimizer.step()

    def step() -> None:
        optimizer.zero_grad()
        gradients()
        optimizer.step()

    torch.cuda.reset_peak_memory_stats()
    times = _times(_captured(step, group), group)
    _check_alike(net, group)
    return Result(times, torch.cuda.max_memory_allocated(), loss, gradient)


def _check_alike(net: nn.Module, group: Any) -> None:
    """Raise RuntimeError where the ranks have come to different weights."""
    total = torch.stack([p.detach().double().sum() for p in net.parameters()])
    least, most = total.clone(), total.clone()
    dist.all_reduce(least, op=dist.ReduceOp.MIN, group=group)
    dist.all_reduce(most, op=dist.ReduceOp.MAX, group=group)
    if not torch.equal(least, most):
        raise RuntimeError("bench.time_parallel: expected the same weights on all ranks")


def _adam(
    net: nn.Module, split: TimeSplit, dtype: torch.dtype | None = None
) -> Adam | ShardedOptimizer:
    """Return the optimizer of one rank or of several; `dtype` is that of `ShardedOptimizer`."""
    make = partial(Adam, lr=1e-5)
    if split.size == 1 and dtype is None:
        return make(net.parameters())
    return ShardedOptimizer(net, split, make, dtype)


def _captured(call: Callable[[], object], group: Any) -> Callable[[], None]:
    """Return the replay of a call that all ranks of a group capture."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    dist.barrier(group)
    graph = torch.cuda.CUDAGraph()
    own = torch.cuda.Stream()  # for what `gpu.graphed` says, which takes no barrier
    with no_collection(), torch.cuda.graph(graph, stream=own, capture_error_mode="thread_local"):
        call()
    return graph.replay


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


def _segment(case: Case, ranks: int) -> float:
    """Milliseconds of the passes over one of as many shards, on one rank and with no messages."""
    net, labels, x = case.network(), case.labels(), case.input()[: STEPS // ranks]

    def both() -> None:
        with torch.autocast("cuda", torch.bfloat16):
            logits = net(x).float().mean(0)
        loss = nn.functional.cross_entropy(logits, labels)
        torch.autograd.grad(loss, list(net.parameters()))

    return _graph_ms(both)


def _optimizer(case: Case) -> float:
    """Milliseconds of the optimizer's step on one rank."""
    net = case.network()
    for p in net.parameters():
        p.grad = torch.zeros_like(p)
    return _graph_ms(Adam(net.parameters(), lr=1e-5).step)


def _last(case: Case, group: Any) -> float:
    """Milliseconds of the update of the first layer alone, which no backward pass is left to hide.

    Its gradients go to the ranks that sum them, and its weights come back.
    """
    layer = nn.Sequential(case.network()[0])
    parameters = list(layer.parameters())
    results = [torch.zeros_like(p) for p in parameters]
    optimizer = _adam(layer, TimeSplit(group))

    def update() -> None:
        optimizer.zero_grad()
        torch.autograd.backward(parameters, results)  # as at the end of a backward pass
        optimizer.step()

    return median(_times(_captured(update, group), group))


def _hop(case: Case, group: Any) -> float:
    """Milliseconds of a message with a layer's states there and of its answer back."""
    split = TimeSplit(group)
    states = torch.zeros(2, case.batch, case.width, device="cuda")

    def there_and_back() -> None:
        if split.first:
            split.send(states, 1)
            split.fetch(states, 1)
        else:
            split.fetch(states, -1)
            split.send(states, -1)
        split.finish()

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
