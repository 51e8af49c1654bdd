"""Times on a GPU, what bounds them, and their rows."""

from __future__ import annotations

import os
from functools import partial
from typing import Callable, Mapping

import torch
from torch import Tensor

from bench.rows import Row, Spread, spread
from popsnn.cuda.device.properties import LIMITS

RUNS, WARMUP = 30, 5
MOST_RUNS = 200  # of what takes a fraction of a millisecond and waits for the CPU, which varies


def here() -> bool:
    """Return whether there is a GPU; where there is none, a line says so."""
    if not torch.cuda.is_available():
        print("  needs a CUDA device: nothing is measured")
        return False
    return True


def machine() -> str:
    """Name of the GPU, and the limits that it runs with."""
    limits = os.environ.get(LIMITS)
    return torch.cuda.get_device_name() + (f", {limits}" if limits else "")


def milliseconds(call: Callable[[], object], runs: int = RUNS, warmup: int = WARMUP) -> list[float]:
    """Time calls by CUDA events; they are enqueued one after the other without waiting."""
    for _ in range(warmup):
        call()
    events = []
    for _ in range(runs):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        events.append((begin, end))
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in events]


def calibrated(call: Callable[[], object], seconds: float = 0.6) -> list[float]:
    """Time calls, fewer of those that take long."""
    call()
    (first,) = milliseconds(call, runs=1, warmup=0)
    runs = int(max(3, min(MOST_RUNS, 1e3 * seconds / max(first, 1e-3))))
    return milliseconds(call, runs=runs, warmup=min(WARMUP, runs))


def in_one_thread(call: Callable[[], object]) -> list[float]:
    """Time calls whose backward passes run in the thread that asks for them."""
    with torch.autograd.set_multithreading_enabled(False):
        return calibrated(call)


def graphed(call: Callable[[], object], capture_error_mode: str = "global") -> Callable[[], object]:
    """Return the replay of a call that is captured in a CUDA graph, which costs the CPU little.

    It is torch's method, also for peers; ours is measured by `popsnn.cuda.CapturedStep` where that
    is what users have. Where another thread uses the device meanwhile, as NCCL's does, the mode is
    "thread_local".
    """
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    # In a stream of its own: cuBLAS has one workspace of each, which goes with the first of the
    # graphs that were captured in it (github.com/pytorch/pytorch/issues/193402).
    own = torch.cuda.Stream()
    with torch.cuda.graph(graph, stream=own, capture_error_mode=capture_error_mode):
        call()
    return partial(_replay, graph, call)


def _replay(graph: torch.cuda.CUDAGraph, held: object) -> None:
    """Replay a graph; `held` is kept meanwhile, whose memory the graph reads."""
    graph.replay()


def copy_bandwidth(elements: int = 1 << 28) -> float:
    """Return GB/s of a device-to-device copy, bytes read and bytes written."""
    source = torch.randn(elements, device="cuda")
    target = torch.empty_like(source)
    median = spread(milliseconds(lambda: target.copy_(source)), 1.0)["median"]
    return 2 * source.numel() * source.element_size() / median / 1e6


def peak_bytes(call: Callable[[], object]) -> int:
    """Return the most memory that a call takes beyond what is held already."""
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    output = call()
    torch.cuda.synchronize()
    del output
    return torch.cuda.max_memory_allocated() - before


def row(
    suite: str,
    case: Mapping[str, object],
    subject: str,
    dtype: torch.dtype | str,
    metric: str,
    times: list[float] | Spread,
    *,
    peak: int | None = None,
    limit: str | None = None,
    error: float | None = None,
) -> Row:
    """Return one row of a suite; times are in milliseconds."""
    measured = spread(times, 1.0) if isinstance(times, list) else times
    return Row(
        suite=suite,
        case=case,
        subject=subject,
        dtype=str(dtype).replace("torch.", ""),
        metric=metric,
        **measured,
        peak_bytes=peak,
        limit=limit,
        max_rel_error=error,
        machine=machine(),
    )


def once(value: float) -> Spread:
    """Return a figure that is no time and is the same in every run."""
    return {"median": value, "min": value, "max": value, "runs": 1}


def relative_error(got: Tensor, expected: Tensor) -> float:
    """Return the largest deviation relative to the largest element."""
    return float((got.double() - expected).abs().max() / expected.abs().max())
