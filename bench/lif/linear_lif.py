"""Open Neuromorphic's task: Linear(n) with bias and one LIF, B=16, T=500, loss = sum of spikes.

The original stops its clock before the GPU is done; here CUDA events do. The input needs no
gradient, as there. float32 runs with TF32 products, the others in their type.
"""

from __future__ import annotations

from typing import Callable, Iterator

import torch
from torch import Tensor, nn

from bench import gpu
from bench.rows import Row, spread

from .elementwise import first_line
from .subjects import Layer, subjects

BATCH, STEPS = 16, 500
SIZES = (4096, 8192, 16384)
TYPES = (torch.float32, torch.bfloat16)


def forward_backward(linear: nn.Linear, layer: Layer, x: Tensor) -> Callable[[], object]:
    """Return a call that computes the gradients of the weight and of the bias."""

    def call() -> object:
        return torch.autograd.grad(layer(linear(x)).sum(), list(linear.parameters()))

    return call


def run() -> Iterator[Row]:
    """Measure every subject at every size and type, and the products alone."""
    if not gpu.here():
        return
    torch.backends.cuda.matmul.allow_tf32 = True
    for size in SIZES:
        for dtype in TYPES:
            yield from _case(size, dtype)
    torch.backends.cuda.matmul.allow_tf32 = False


def _case(size: int, dtype: torch.dtype) -> list[Row]:
    torch.manual_seed(0)
    case: dict[str, object] = {"T": STEPS, "B": BATCH, "n": size, "part": "linear_lif"}
    linear = nn.Linear(size, size, device="cuda", dtype=dtype)
    x = torch.randn(STEPS, BATCH, size, device="cuda", dtype=dtype)
    grad = torch.randn_like(x)
    products = forward_backward(linear, lambda y: y * grad, x)
    floor = spread(gpu.calibrated(products), 1.0)["median"]
    rows = []
    for subject in subjects():
        if not subject.takes(STEPS, dtype):
            continue
        try:
            call = forward_backward(linear, subject.make(dtype), x)
            peak = gpu.peak_bytes(call)
            times = gpu.calibrated(call)
        except Exception as error:
            if subject.name.startswith("popsnn"):
                raise
            print(f"  n={size} {dtype} {subject.name}: {first_line(error)}")
            continue
        limit = f"the two matrix products and an elementwise product take {floor:.3f} ms"
        rows.append(
            gpu.row("lif", case, subject.name, dtype, "fwd_bwd_ms", times, peak=peak, limit=limit)
        )
        print(
            f"  n={size:<6}{rows[-1].dtype:<9}{subject.name:<36}{rows[-1].median:9.3f} ms"
            f"  peak {peak >> 20:6} MiB  ({limit})"
        )
    return rows
