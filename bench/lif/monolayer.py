"""The sweep over T of the temporal-fusion paper: one layer, our kernel next to a loop in torch."""

from __future__ import annotations

from typing import Iterator

import torch

from bench import gpu
from bench.rows import Row, spread

from .elementwise import forward_backward
from .subjects import definition, popsnn_cuda, torch_eager

NEURONS = 1 << 16
STEPS = tuple(1 << power for power in range(2, 13))
CHECKED = 4096
WAYS = {"": gpu.calibrated, "-one-thread": gpu.in_one_thread}


def run() -> Iterator[Row]:
    """Measure both at every T."""
    if not gpu.here():
        return
    for steps in STEPS:
        torch.manual_seed(0)
        case: dict[str, object] = {"T": steps, "neurons": NEURONS, "part": "monolayer"}
        x = (0.5 * torch.randn(steps, 1, NEURONS, device="cuda")).requires_grad_()
        grad = torch.randn(steps, 1, NEURONS, device="cuda")
        expected = definition(x[..., :CHECKED], grad[..., :CHECKED])[1]
        medians = {}
        for name, make in (("popsnn-cuda", popsnn_cuda), ("torch-loop", torch_eager)):
            call = forward_backward(make(x.dtype), x, grad)
            error = gpu.relative_error(call()[..., :CHECKED], expected)
            peak = gpu.peak_bytes(call)
            for suffix, measure in WAYS.items():
                times = measure(call)
                medians[name + suffix] = spread(times, 1.0)["median"]
                yield gpu.row(
                    "lif", case, name + suffix, x.dtype, "fwd_bwd_ms", times, peak=peak, error=error
                )
        for suffix in WAYS:
            ours, loop = medians["popsnn-cuda" + suffix], medians["torch-loop" + suffix]
            print(
                f"  T={steps:<5}{suffix[1:]:<11} popsnn {ours:8.3f} ms  loop {loop:9.3f} ms  "
                f"{loop / ours:6.1f} times"
            )
