"""Memory and time of a training step by checkpoint interval, on a GPU.

A recurrent layer of 1,024 neurons over 10,000 steps of 64 samples, with bfloat16 weights: forward
pass, loss and backward pass, called and as a CUDA graph. Errors are those of the gradients against
the same step without intervals.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.rows import Row
from popsnn import SpikeTensor, functional, nn

SIZES = (700, 1024, 20)
STEPS, BATCH, FIRED = 10_000, 64, 14  # inputs that fire, of a sample and step
INTERVALS = (None, 2000, 1000, 500, 250)
MEMORY_BAR, TIME_BAR = 0.1, 1.4  # of the step without intervals

row = partial(gpu.row, "long_sequences")


def network() -> nn.SNN:
    """Return the network, whose weights keep it firing at a few percent."""
    torch.manual_seed(0)
    inputs, neurons, classes = SIZES
    options: Any = {"weight_dtype": torch.bfloat16}
    net = nn.SNN(
        nn.SparseLIF(inputs, neurons, recurrent=True, **options),
        nn.SparseLI(neurons, classes, **options),
        backend="cuda",
        check_input=False,
    )
    with torch.no_grad():
        net.stack[0].weight.normal_(0.0, 0.15)
        net.stack[0].recurrent_weight.normal_(0.0, 0.02)  # type: ignore[union-attr, operator]
    return net.to("cuda")


def spikes(steps: int) -> tuple[SpikeTensor, Tensor]:
    """Return full lists of inputs, and labels."""
    generator = torch.Generator("cuda").manual_seed(1)
    drawn = torch.rand(steps * BATCH, SIZES[0], generator=generator, device="cuda")
    ids = drawn.topk(FIRED).indices.sort(-1).values.int().view(steps, BATCH, FIRED)
    counts = torch.full((steps, BATCH, 2), FIRED, dtype=torch.int32, device="cuda")
    labels = torch.randint(SIZES[2], (BATCH,), generator=generator, device="cuda")
    return SpikeTensor(ids, counts, SIZES[0], check=False), labels


def run() -> Iterator[Row]:
    """Measure the step by checkpoint interval, that without any first."""
    if not gpu.here():
        return
    net = network()
    x, labels = spikes(STEPS)

    def step() -> None:
        net.zero_grad(set_to_none=True)
        functional.readout_loss(net(x), labels).loss.backward()

    expected: list[Tensor] = []
    first: dict[str, float] = {}
    for interval in INTERVALS:
        net.checkpoint_interval = interval
        step()
        gradients = [parameter.grad.double() for parameter in net.parameters()]  # type: ignore[union-attr]
        expected = expected or gradients
        error = max(map(gpu.relative_error, gradients, expected))
        net.zero_grad(set_to_none=True)
        peak = gpu.peak_bytes(step)
        activity = net.stats()[0].activity
        times = {"called": gpu.calibrated(step), "graph": gpu.calibrated(gpu.graphed(step))}
        case = {
            "neurons": SIZES[1],
            "batch": BATCH,
            "steps": STEPS,
            "checkpoint_interval": interval,
            "activity": round(activity, 3),
        }
        for metric, series in times.items():
            made = row(case, "popsnn-cuda", torch.bfloat16, metric, series, peak=peak, error=error)
            first.setdefault(metric, made.median)
            first.setdefault("bytes", peak)
            print(
                f"  interval {interval}, {metric}: {made.median:.1f} ms, "
                f"{made.median / first[metric]:.2f} times (bar {TIME_BAR}); {peak / 1e9:.2f} GB, "
                f"{peak / first['bytes']:.3f} of it (bar {MEMORY_BAR}); {error:.1e} off",
                flush=True,
            )
            yield made
