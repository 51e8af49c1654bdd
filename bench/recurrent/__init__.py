"""A recurrent LIF layer, forward and backward with its weights' gradient, next to plain torch.

v = 0.9 v (1 - s) + x + V s, a spike where v >= 1, surrogate derivative (10 |v - 1| + 1)^-2 where
v >= 0.9, no gradient through the reset; T = 100, in one case 1,000. The current's scale sets the
activity.
"""

from __future__ import annotations

from typing import Iterator

import torch

from bench import gpu, rows
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted, wanted_case

from . import adaptive, peers, step
from .work import SCALES, STEPS, Layer, Work, gradient_error, lower_limit, membranes, row

# Neurons, samples, what the products take the weights as, activity; of STEPS steps.
CASES = (
    (2944, 48, torch.bfloat16, "5 %"),
    (2944, 48, torch.bfloat16, "1 %"),
    (2944, 8, torch.bfloat16, "5 %"),
    (1024, 48, torch.bfloat16, "5 %"),
    (1024, 8, torch.bfloat16, "5 %"),
    (8192, 48, torch.bfloat16, "5 %"),
    (2944, 48, torch.float32, "5 %"),
    (1024, 48, torch.float32, "5 %"),
    (1024, 256, torch.bfloat16, "5 %"),
    (2944, 256, torch.bfloat16, "5 %"),
    (1024, 256, torch.float32, "5 %"),
    (2944, 48, torch.float16, "5 %"),
    (1024, 48, torch.float16, "5 %"),
)
LONG = ((1000, 1024, 256, torch.bfloat16, "5 %"),)  # these begin with their steps
PEERS = ((2944, 48), (2944, 8), (1024, 48), (8192, 48))
ADAPTIVE = ((1024, 48), (2944, 48))
RUNS = 20


def run() -> Iterator[Row]:
    """Measure whole sequences, single steps, adaptive neurons, then the peers."""
    if not gpu.here():
        return
    cases = (*((STEPS, *case) for case in CASES), *LONG)
    for steps, neurons, batch, taken_as, activity in cases if wanted("popsnn-cuda") else ():
        case = {"T": steps, "neurons": neurons, "batch": batch, "activity": activity}
        if not wanted_case({**case, "weights": str(taken_as).replace("torch.", "")}):
            continue
        torch.manual_seed(0)
        yield from ours(Work(neurons, batch, SCALES[activity], steps=steps), activity, taken_as)
    if rows.CASES:  # these name sequences of LIF neurons alone
        return
    yield from step.run()
    if wanted("popsnn-cuda") or wanted("torch"):
        for neurons, batch in ADAPTIVE:
            yield from adaptive.measure(neurons, batch)
    for neurons, batch in PEERS if wanted("torch") else ():
        torch.manual_seed(0)
        yield from peers.measure(Work(neurons, batch, SCALES["5 %"]), "5 %")


def ours(work: Work, activity: str, taken_as: torch.dtype) -> Iterator[Row]:
    """Measure the kernels, called and as a CUDA graph, and the forward direction alone."""
    wide = (work.neurons, work.batch, activity) == (2944, 48, "5 %")
    dtypes = (torch.bfloat16, torch.float32) if wide else (torch.bfloat16,)
    for dtype in dtypes if taken_as == torch.bfloat16 else (taken_as,):
        layer = Layer(*work.leaves(dtype), taken_as)
        graph = graphed(layer.both)
        spikes, grad_x, grad_weight = layer.both()
        case = work.case(activity, spikes, taken_as)
        spikes = spikes.detach()
        error = gradient_error(layer, spikes, membranes(layer, spikes), grad_x, grad_weight)
        del spikes, grad_x, grad_weight
        peak = gpu.peak_bytes(layer.both)
        limit = lower_limit(work, taken_as)
        for name, call in (("popsnn-cuda", layer.both), ("popsnn-cuda-graph", graph)):
            times = milliseconds(call, RUNS)
            print(
                f"  T={work.steps} N={work.neurons} B={work.batch} {activity} "
                f"({case['spikes']}) {name} {dtype}, "
                f"weights {taken_as}: {spread(times, 1.0)['median']:.3f} ms, gradients off by "
                f"{error:.1e}"
            )
            yield row(case, name, dtype, "fwd_bwd_ms", times, limit=limit, error=error, peak=peak)
        times = milliseconds(graphed(layer.forward), RUNS)
        yield row(case, "popsnn-cuda-graph", dtype, "fwd_ms", times)
