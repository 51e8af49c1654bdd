"""Delays of a recurrent layer's own spikes, next to the layer without: a training step.

The layer is that of `bench.recurrent`. Delays are of up to 32 steps with the one that spikes take
anyway. The bars: 1.15 times the time without for axonal delays, 4.5 times for delays of each weight
with 4 taps. The latter run step by step.
"""

from __future__ import annotations

from typing import Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted
from popsnn import functional
from popsnn.functional import DelaySteps

from .work import BETA, GATE, SCALES, SHAPE, Work, row

LONGEST = 31  # steps, in addition to the one that spikes take
TAPS = 4  # of delays of each weight
SIZES = ((1024, 48), (2944, 48))
SYNAPTIC = 1024  # neurons
KINDS = (None, "axonal", "axonal learnt", "dendritic", "dendritic learnt")
RUNS, SLOW_RUNS = 40, 5


def run() -> Iterator[Row]:
    """Measure layers without delays and with each kind of them, in turns."""
    if not gpu.here() or not wanted("popsnn-cuda"):
        return
    for neurons, batch in SIZES:
        torch.manual_seed(0)
        work = Work(neurons, batch, SCALES["5 %"])
        kinds = (*KINDS, "synaptic") if neurons == SYNAPTIC else KINDS
        layers = [Delayed(work, kind) for kind in kinds]
        graphs = [graphed(layer.both) for layer in layers]
        fastest = None
        for layer, graph in zip(layers, graphs):
            times = milliseconds(graph, RUNS if layer.kind != "synaptic" else SLOW_RUNS)
            median = spread(times, 1.0)["median"]
            fastest = median if fastest is None else fastest
            error = layer.error() if layer.kind == "axonal learnt" else None
            print(
                f"  N={neurons} B={batch} delays {layer.kind}: {median:.4f} ms, "
                f"{median / fastest:.3f} times the time without"
                + (f", gradients off by {error:.1e}" if error is not None else "")
            )
            case = {**work.case("5 %", layer.both()[0], torch.bfloat16), "delays": layer.kind}
            subject = "popsnn-cuda-graph"
            yield row(case, subject, torch.bfloat16, "fwd_bwd_ms", times, error=error)


class Delayed:
    """A layer in bfloat16 whose spikes have delays of a kind, or none."""

    def __init__(self, work: Work, kind: str | None) -> None:
        self.kind = kind
        self.x, self.weight, self.grad = work.leaves(torch.bfloat16)
        self.leaves = [self.x, self.weight]
        self.delay: DelaySteps | None = None
        if kind is None:
            return
        neurons, learnt = work.neurons, kind.endswith("learnt")
        if kind == "synaptic":
            steps = torch.rand(neurons, neurons, device=self.x.device) * (TAPS - 1)
            self.delay = DelaySteps(kind, steps.requires_grad_(), TAPS - 1, spread="triangle")
        else:
            steps = torch.randint(0, LONGEST + 1, (neurons,), device=self.x.device).float()
            spread = "straight_through" if learnt else "none"
            name = kind.split()[0]
            self.delay = DelaySteps(name, steps.requires_grad_(learnt), LONGEST, spread=spread)
        if steps.requires_grad:
            self.leaves.append(steps)

    def both(self) -> tuple[Tensor, ...]:
        """Return the spikes and the gradients of x, of the weights and of learnt delays."""
        out = functional.recurrent_lif(
            self.x,
            self.weight,
            beta=BETA,
            surrogate=SHAPE,
            grad_threshold=GATE,
            weight_dtype=torch.bfloat16,
            delay=self.delay,
            membrane=False,
            return_state=False,
            backend="torch" if self.kind == "synaptic" else "cuda",
        )
        assert isinstance(out.spikes, Tensor)
        return (out.spikes, *torch.autograd.grad(out.spikes, self.leaves, self.grad))

    def error(self) -> float:
        """Return the largest relative error of the gradients, of learnt axonal delays."""
        return self._error(*self.both())

    @torch.no_grad()
    def _error(
        self, spikes: Tensor, grad_x: Tensor, grad_weight: Tensor, grad_steps: Tensor
    ) -> float:
        """Compare with float64, through the kernels' own spikes as in `gradient_error`."""
        assert self.delay is not None
        s, weight = spikes.double(), self.weight.double()
        d, (steps, batch, neurons) = self.delay.steps.long(), s.shape
        every = torch.arange(neurons, device=s.device)
        before = torch.cat([s.new_zeros(LONGEST, batch, neurons), s])
        sent = torch.stack([before[LONGEST + t - d, :, every].t() for t in range(steps)])
        v = self.x.double()
        v[1:] += sent[:-1] @ weight.t()
        for t in range(1, steps):
            v[t] += BETA * v[t - 1] * (1 - s[t - 1])
        slope = torch.where(v >= GATE, SHAPE.derivative(v - 1), torch.zeros_like(v))
        back = s.new_zeros(steps + LONGEST + 1, batch, neurons)  # gradients of what is sent
        delta = slope * self.grad.double()
        exact = s.new_zeros(neurons)
        for t in reversed(range(steps)):
            if t + 1 < steps:
                back[t] = delta[t + 1] @ weight
                delta[t] += BETA * (1 - s[t]) * delta[t + 1]
            delta[t] += slope[t] * back[t + d, :, every].t()
            longer = back[t + (d + 1), :, every] * (d < LONGEST)[:, None]
            shorter = back[t + (d - 1).clamp_min(0), :, every] * (d > 0)[:, None]
            exact += 0.5 * (s[t].t() * (longer - shorter)).sum(1)
        of_weight = delta[1:].flatten(0, 1).t() @ sent[:-1].flatten(0, 1)
        pairs = ((grad_x, delta), (grad_weight, of_weight), (grad_steps, exact))
        return max(float((got.double() - want).norm() / want.norm()) for got, want in pairs)
