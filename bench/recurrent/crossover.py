"""A single time step by columns next to one by rows, at several fractions of neurons that fire.

`popsnn.cuda.recurrent.step.launch.most_samples` follows from these rows. Each of 16 steps in a CUDA
graph has spikes of its own, chosen at random, and does not carry its states. Where few fire, the
weights of all 16 steps together may stay in L2; steps of `bench.recurrent.step` do carry theirs.
"""

from __future__ import annotations

from typing import Iterator

import torch

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row
from popsnn import functional
from popsnn.cuda.device.properties import multiprocessors
from popsnn.cuda.recurrent.step import launch

from .step import BF16, FP32
from .work import BETA, row

# Type of the weights, of the products, samples by neurons.
CASES = (
    (BF16, BF16, {64: (1, 2), 256: (1, 2), 1024: (1, 2, 4, 8), 2048: (8,), 2944: (1, 8, 16)}),
    (BF16, BF16, {4096: (8, 16, 32), 8192: (1, 8, 16, 32), 16384: (1, 32)}),
    (FP32, FP32, {256: (1, 2), 1024: (1, 2, 4, 8), 2944: (1, 2, 4, 8), 4096: (2, 4, 8)}),
    (FP32, FP32, {8192: (1, 4, 8)}),
    (FP32, BF16, {256: (1, 8), 1024: (1, 8), 2944: (1, 8), 8192: (8,)}),
)
FIRES = (0.005, 0.01, 0.05, 1.0)
STEPS, RUNS = 16, 10


def run() -> Iterator[Row]:
    """Measure all cases by columns, whether they are chosen or not, and by rows."""
    if not gpu.here():
        return
    chosen = launch.most_samples
    for weights, products, sizes in CASES:
        for neurons, batches in sizes.items():
            rows = (torch.randn(neurons, neurons, device="cuda") / neurons**0.5).to(weights)
            columns = rows.t().contiguous().t()
            for batch in batches:
                launch.most_samples = lambda *_, most=batch: most
                by_columns = [_step(columns, products, batch, fires) for fires in FIRES]
                launch.most_samples = chosen
                by_rows = _step(rows, products, batch, FIRES[-1])
                yield from by_columns
                yield by_rows
                most = chosen(
                    neurons, rows.element_size(), products == FP32, multiprocessors(rows.device)
                )
                times = ", ".join(f"{1e3 * made.median:.2f}" for made in [*by_columns, by_rows])
                print(
                    f"  N={neurons} B={batch} {weights} as {products}: {times} us "
                    f"({FIRES} by columns, by rows); {'chosen' if batch <= most else 'not chosen'}"
                )


def _step(weight: torch.Tensor, products: torch.dtype, batch: int, fires: float) -> Row:
    """Measure steps of weights [N, N]."""
    neurons = weight.shape[0]
    x = 0.3 * torch.randn(STEPS, batch, neurons, device="cuda").bfloat16()
    states = [
        functional.LIFState(torch.randn_like(s), (s < fires).float())
        for s in torch.rand(STEPS, batch, neurons, device="cuda")
    ]

    @torch.no_grad()
    def steps() -> None:
        for current, state in zip(x.split(1), states):
            functional.recurrent_lif(
                current,
                weight,
                state,
                beta=BETA,
                weight_dtype=products,
                membrane=False,
                backend="cuda",
            )

    times = [time / STEPS for time in milliseconds(graphed(steps), RUNS, 2)]
    layout = ", by columns" if launch.by_columns(weight) else ""
    case = {
        "T": 1,
        "batch": batch,
        "neurons": neurons,
        "fires": fires,
        "weights": f"{str(weight.dtype).replace('torch.', '')}{layout}",
        "products": str(products).replace("torch.", ""),
        "states": "random",
    }
    return row(case, "popsnn-cuda-graph", BF16, "step_ms", times)
