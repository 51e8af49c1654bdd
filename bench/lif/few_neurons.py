"""LIF of few neurons, as those of a small hidden layer: forward, and forward and backward.

The backward pass runs time shards at once there, see `cuda/popsnn/scan/segments.cuh`; the
subject ``popsnn-cuda-one-pass`` is the same without. A graph holds several calls, whose times are
divided by their number.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import Callable, Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.rows import Row, spread
from popsnn.cuda.scan import segments

from .elementwise import first_line, forward_backward
from .subjects import Subject, definition, popsnn_cuda, subjects

NEURONS = (2048, 8192, 32768)
STEPS = (256, 1024, 4096)
TYPES = (torch.float32, torch.bfloat16)
CALLS = 8  # in a graph
CHECKED = 2048  # neurons that are compared with the reference in float64
ONE_PASS = Subject("popsnn-cuda-one-pass", popsnn_cuda)


@contextmanager
def one_pass() -> Iterator[None]:
    """Let backward go through the steps one after the other, however few neurons there are."""
    before, segments.BYTES = segments.BYTES, 0
    try:
        yield
    finally:
        segments.BYTES = before


def run() -> Iterator[Row]:
    """Measure both variants of ours, and the peers that a CUDA graph can hold."""
    if not gpu.here():
        return
    bandwidth = gpu.copy_bandwidth()
    print(f"  copy: {bandwidth:.0f} GB/s")
    chosen = [
        subject
        for subject in subjects()
        if subject.graph and subject.name != "popsnn-cuda-superspike"
    ]
    chosen.insert(1, ONE_PASS)
    for neurons in NEURONS:
        for steps in STEPS:
            for dtype in TYPES:
                yield from _case(neurons, steps, dtype, bandwidth, chosen)


def _case(
    neurons: int, steps: int, dtype: torch.dtype, bandwidth: float, chosen: list[Subject]
) -> Iterator[Row]:
    torch.manual_seed(0)
    case: dict[str, object] = {"T": steps, "neurons": neurons, "part": "few_neurons"}
    x = (0.5 * torch.randn(steps, 1, neurons, device="cuda")).to(dtype).requires_grad_()
    grad = torch.randn(steps, 1, neurons, device="cuda").to(dtype)
    expected, expected_grad = definition(x[..., :CHECKED], grad[..., :CHECKED])
    for subject in chosen:
        if not subject.takes(steps, dtype):
            continue
        with one_pass() if subject is ONE_PASS else nullcontext():
            try:
                yield from _subject(subject, case, x, grad, expected, expected_grad, bandwidth)
            except Exception as error_of_peer:
                if subject.name.startswith("popsnn"):
                    raise
                print(f"  {case} {dtype} {subject.name}: {first_line(error_of_peer)}")


def _subject(
    subject: Subject,
    case: dict[str, object],
    x: Tensor,
    grad: Tensor,
    expected: Tensor,
    expected_grad: Tensor,
    bandwidth: float,
) -> Iterator[Row]:
    layer = subject.make(x.dtype)
    both = forward_backward(layer, x, grad)
    spikes, grad_x = layer(x).detach(), both()
    wrong = int((spikes[..., :CHECKED].double() != expected).sum())
    error = gpu.relative_error(grad_x[..., :CHECKED], expected_grad)
    del spikes, grad_x
    peak = gpu.peak_bytes(both)
    for metric, call, passes in (("fwd_ms", lambda: layer(x), 2), ("fwd_bwd_ms", both, 5)):
        times = _times(call)
        floor = passes * x.numel() * x.element_size() / bandwidth / 1e6
        median = spread(times, 1.0)["median"]
        limit = (
            f"{passes} passes of {x.element_size()} bytes at the copy's {bandwidth:.0f} GB/s: "
            f"{floor:.3f} ms, {floor / median:.1%} of it reached"
        )
        name = f"{subject.name}-graph"
        yield gpu.row(
            "lif", case, name, x.dtype, metric, times, peak=peak, limit=limit, error=error
        )
        shown = f"{metric:<11}{1e3 * median:9.1f} us  {floor / median:6.1%}"
        print(f"  N={case['neurons']:<6}T={case['T']:<5}{str(x.dtype)[6:]:<9}{name:<36}{shown}")
    print(f"    {wrong} of {expected.numel()} spikes off, gradient {error:.1e} off")


def _times(call: Callable[[], object]) -> list[float]:
    """Return the milliseconds of one call of several in a graph."""
    replay = gpu.graphed(lambda: [call() for _ in range(CALLS)])
    return [sample / CALLS for sample in gpu.calibrated(replay, 0.2)]
