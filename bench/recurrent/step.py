"""Inference by a recurrent LIF layer one time step at a time, many steps in a CUDA graph.

Each step has another current: neurons that get the same one again and again fire three times as
often, and a step by columns reads twice as many of their weights. A case whose states are "passed
on" gives a step those that the last one returned; else they are copied, in two kernels more, to
where each step reads them.
"""

from __future__ import annotations

from typing import Any, Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted
from popsnn import functional

from .work import BETA, SCALES, STEPS, Work, row

BF16, FP32 = torch.bfloat16, torch.float32
COPIED = ((1024, 1), (1024, 48), (2944, 1), (2944, 48), (8192, 1), (8192, 48))
COPIED_BY_COLUMNS = ((2944, 1), (8192, 1), (8192, 8), (8192, 48))
# Neurons, samples, type of the weights, activity: by columns, states passed on.
PASSED_ON = (
    (1024, 1, BF16, "5 %"),
    (2944, 1, BF16, "5 %"),
    (8192, 1, BF16, "1 %"),
    (8192, 1, BF16, "5 %"),
    (8192, 8, BF16, "1 %"),
    (8192, 8, BF16, "5 %"),
    (8192, 16, BF16, "1 %"),
    (8192, 32, BF16, "1 %"),
    (16384, 1, BF16, "1 %"),
    (8192, 1, FP32, "1 %"),
    (8192, 8, FP32, "1 %"),
)
ROWS = ((8192, 1, BF16, "1 %"), (8192, 8, BF16, "1 %"), (8192, 1, FP32, "1 %"))  # likewise, by rows
RUNS = 20
BANDWIDTH = 4.2e12  # bytes/s of an H200's memory


def run() -> Iterator[Row]:
    """Measure steps whose states are copied, steps whose states are passed on, and plain torch."""
    if not gpu.here():
        return
    ours = wanted("popsnn-cuda")
    for neurons, batch in COPIED if ours else ():
        yield step(neurons, batch, BF16, "5 %", columns=False, copied=True)
    for neurons, batch in COPIED_BY_COLUMNS if ours else ():
        yield step(neurons, batch, BF16, "5 %", columns=True, copied=True)
    for case in PASSED_ON if ours else ():
        yield step(*case, columns=True)
    for case in ROWS if ours else ():
        yield step(*case, columns=False)
    for case in ROWS[:2] if wanted("torch") else ():
        yield in_torch(*case)


def step(
    neurons: int,
    batch: int,
    dtype: torch.dtype,
    activity: str,
    *,
    columns: bool,
    copied: bool = False,
) -> Row:
    """Measure the kernels, in ms a step, and their error against the reference in float64."""
    torch.manual_seed(0)
    work = Work(neurons, batch, SCALES[activity])
    x, weight = work.x.bfloat16(), work.weight.to(dtype)
    if columns:
        weight = weight.t().contiguous().t()
    start = functional.LIFState(*torch.zeros(2, batch, neurons, device="cuda"))

    def after(x: Tensor, state: functional.LIFState, membrane: bool = False) -> Any:
        return functional.recurrent_lif(
            x, weight, state, beta=BETA, weight_dtype=dtype, membrane=membrane, backend="cuda"
        )

    @torch.no_grad()
    def steps() -> functional.LIFState:
        state = start
        for current in x.split(1):
            out = after(current, state)
            if copied:
                for value, other in zip(state, out.state):
                    value.copy_(other)
            else:
                state = out.state
        return state

    state = functional.LIFState(*(value.clone() for value in steps()))
    times = [time / STEPS for time in milliseconds(graphed(steps), RUNS)]
    with torch.no_grad():
        got = after(x[:1], state, membrane=True).membrane[0].double()
    v, s = (value.double() for value in state)
    expected = BETA * v * (1 - s) + x[0].double() + s @ weight.double().t()
    error = gpu.relative_error(got, expected)
    spikes = round(float(s.mean()), 4)
    layout = ", by columns" if columns else ""
    case = {
        "T": 1,
        "batch": batch,
        "neurons": neurons,
        "spikes": spikes,
        "weights": f"{str(dtype).replace('torch.', '')}{layout}",
    }
    if not copied:
        case = {**case, "activity": activity, "states": "passed on"}
    median = 1e3 * spread(times, 1.0)["median"]
    limit = read(int(s.any(0).sum()) if columns else neurons, weight)
    print(f"  N={neurons} B={batch} {case['weights']} ({spikes}): {median:.2f} us; {limit}")
    return row(case, "popsnn-cuda-graph", BF16, "step_ms", times, limit=limit, error=error)


def read(senders: int, weight: Tensor) -> str:
    """Return what the weights of so many senders take to read."""
    size = senders * weight.shape[1] * weight.element_size()
    return f"memory: weights {size / 1e6:.1f} MB at 4.2 TB/s, {1e3 * size / BANDWIDTH:.4f} ms"


def in_torch(neurons: int, batch: int, dtype: torch.dtype, activity: str) -> Row:
    """Measure plain torch, compiled: a dense product and what follows it."""
    torch.manual_seed(0)
    work = Work(neurons, batch, SCALES[activity])
    x, weight = work.x.to(dtype), work.weight.to(dtype)
    torch.compiler.reset()

    @torch.compile
    def after(x: Tensor, v: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
        v = BETA * v * (1 - s) + x + s.to(dtype) @ weight.t()
        return v, (v >= 1).to(v.dtype)

    @torch.no_grad()
    def steps() -> Tensor:
        v, s = torch.zeros(2, batch, neurons, device="cuda")
        for current in x:
            v, s = after(current, v, s)
        return s

    spikes = round(float(steps().mean()), 4)
    times = [time / STEPS for time in milliseconds(graphed(steps), RUNS)]
    case = {
        "T": 1,
        "batch": batch,
        "neurons": neurons,
        "spikes": spikes,
        "weights": str(dtype).replace("torch.", ""),
        "activity": activity,
        "states": "passed on",
    }
    name = f"torch-{torch.__version__}-compiled-graph"
    print(f"  {name} N={neurons} B={batch}: {1e3 * spread(times, 1.0)['median']:.2f} us")
    return row(case, name, dtype, "step_ms", times)
