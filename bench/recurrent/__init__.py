"""A recurrent LIF layer, forward and backward with its weights' gradient, next to plain torch.

v = 0.9 v (1 - s) + x + V s, a spike where v >= 1, surrogate derivative (10 |v - 1| + 1)^-2 where
v >= 0.9, no gradient through the reset; T = 100. The current's scale sets the activity.
"""

from __future__ import annotations

from typing import Iterator

import torch

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted
from popsnn import functional

from . import adaptive, peers
from .work import BETA, STEPS, Layer, Work, gradient_error, lower_limit, membranes, row

# Neurons, samples, what the products take the weights as, activity.
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
)
STEPPED = ((1024, 1), (1024, 48), (2944, 1), (2944, 48), (8192, 1), (8192, 48))
BY_COLUMNS = ((2944, 1), (8192, 1), (8192, 8), (8192, 48))  # likewise, of weights that lie so
PEERS = ((2944, 48), (2944, 8), (1024, 48), (8192, 48))
ADAPTIVE = (1024, 48)
SCALES = {"5 %": 0.53, "1 %": 0.235}  # of the current, for about so many spikes
RUNS = 20


def run() -> Iterator[Row]:
    """Measure whole sequences, single steps, adaptive neurons, then the peers."""
    if not gpu.here():
        return
    for neurons, batch, taken_as, activity in CASES if wanted("popsnn-cuda") else ():
        torch.manual_seed(0)
        yield from ours(Work(neurons, batch, SCALES[activity]), activity, taken_as)
    for neurons, batch in STEPPED if wanted("popsnn-cuda") else ():
        torch.manual_seed(0)
        yield from stepped(Work(neurons, batch, SCALES["5 %"]))
    for neurons, batch in BY_COLUMNS if wanted("popsnn-cuda") else ():
        torch.manual_seed(0)
        yield from stepped(Work(neurons, batch, SCALES["5 %"]), columns=True)
    if wanted("popsnn-cuda") or wanted("torch"):
        yield from adaptive.measure(*ADAPTIVE)
    for neurons, batch in PEERS if wanted("torch") else ():
        torch.manual_seed(0)
        yield from peers.measure(Work(neurons, batch, SCALES["5 %"]), "5 %")


def ours(work: Work, activity: str, taken_as: torch.dtype) -> Iterator[Row]:
    """Measure the kernels, called and as a CUDA graph, and the forward direction alone."""
    wide = (work.neurons, work.batch, activity) == (2944, 48, "5 %")
    dtypes = (torch.bfloat16, torch.float32) if wide else (torch.bfloat16,)
    for dtype in dtypes if taken_as == torch.bfloat16 else (torch.float32,):
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
                f"  N={work.neurons} B={work.batch} {activity} ({case['spikes']}) {name} {dtype}, "
                f"weights {taken_as}: {spread(times, 1.0)['median']:.3f} ms, gradients off by "
                f"{error:.1e}"
            )
            yield row(case, name, dtype, "fwd_bwd_ms", times, limit=limit, error=error, peak=peak)
        times = milliseconds(graphed(layer.forward), RUNS)
        yield row(case, "popsnn-cuda-graph", dtype, "fwd_ms", times)


def stepped(work: Work, columns: bool = False) -> Iterator[Row]:
    """Measure inference one step at a time, its states carried in place, many steps a CUDA graph.

    What comes in is another current at each step: of neurons that are given the same one again and
    again three times as many spike, and a step by columns reads twice as many of them.
    """
    x, weight = work.x.bfloat16(), work.weight
    if columns:
        weight = weight.t().contiguous().t()
    state = functional.LIFState(*torch.zeros(2, work.batch, work.neurons, device="cuda"))

    @torch.no_grad()
    def steps() -> None:
        for t in range(STEPS):
            out = functional.recurrent_lif(
                x[t : t + 1],
                weight,
                state,
                beta=BETA,
                weight_dtype=torch.bfloat16,
                membrane=False,
                backend="cuda",
            )
            for value, after in zip(state, out.state):
                value.copy_(after)

    times = [time / STEPS for time in milliseconds(graphed(steps), RUNS)]
    spikes = round(float(state.s.mean()), 4)  # of the last step
    layout = ", by columns" if columns else ""
    median = 1e3 * spread(times, 1.0)["median"]
    print(f"  N={work.neurons} B={work.batch}{layout} ({spikes}): {median:.1f} us a step")
    case = {
        "T": 1,
        "batch": work.batch,
        "neurons": work.neurons,
        "spikes": spikes,
        "weights": f"bfloat16{layout}",
    }
    yield row(case, "popsnn-cuda-graph", torch.bfloat16, "step_ms", times)
