"""A recurrent layer of adaptive neurons, forward and backward, next to plain torch.

a' = 0.97 a + s, v' = 0.9 (v - s) + x + V s, a spike where v' >= 1 + 0.2 a'; all else as for LIF.
"""

from __future__ import annotations

from typing import Any, Iterator

import torch
from torch import Tensor

from bench import gpu
from bench.gpu import graphed, milliseconds
from bench.rows import Row, spread, wanted
from popsnn import functional

from . import peers
from .work import BETA, GATE, SHAPE, STEPS, Work, lower_limit, row

RHO, KAPPA = 0.97, 0.2
SCALE = 0.56  # of the current, for about 5 % of spikes
RUNS = 20


def measure(neurons: int, batch: int) -> Iterator[Row]:
    """Measure the kernels, called and as a CUDA graph, then torch."""
    torch.manual_seed(0)
    work = Work(neurons, batch, SCALE)
    x, weight, grad = work.leaves(torch.bfloat16)

    def both() -> tuple[Tensor, ...]:
        out = _run(x, weight, membrane=False, return_state=False)
        return (out.spikes, *torch.autograd.grad(out.spikes, (x, weight), grad))

    with torch.no_grad():
        case = {**work.case("5 %", _run(x, weight).spikes), "neuron": "adaptive LIF"}
    if wanted("popsnn-cuda"):
        ours = {**case, "weights": "bfloat16"}
        graph = graphed(both)  # before a call outside of it, whose autograd graph would outlive it
        error = gradient_error(x, weight, grad, list(both()[1:]))
        limit, peak = lower_limit(work, torch.bfloat16), gpu.peak_bytes(both)
        for name, call in (("popsnn-cuda", both), ("popsnn-cuda-graph", graph)):
            times = milliseconds(call, RUNS)
            print(
                f"  adaptive N={neurons} B={batch} ({case['spikes']}) {name}: "
                f"{spread(times, 1.0)['median']:.3f} ms, gradients off by {error:.1e}"
            )
            yield row(
                ours, name, torch.bfloat16, "fwd_bwd_ms", times, limit=limit, error=error, peak=peak
            )
    if wanted("torch"):
        yield from peers.in_torch(work, case, _step, states=3)


def _run(x: Tensor, weight: Tensor, **options: Any) -> functional.AdaptiveLIFOutput:
    return functional.recurrent_adaptive_lif(
        x,
        weight,
        beta=BETA,
        rho=RHO,
        kappa=KAPPA,
        surrogate=SHAPE,
        grad_threshold=GATE,
        weight_dtype=torch.bfloat16,
        backend="cuda",
        **options,
    )


def gradient_error(x: Tensor, weight: Tensor, grad: Tensor, got: list[Tensor]) -> float:
    """Return the larger relative error of the two gradients against the reference in float64.

    It differentiates through the kernels' own spikes, as that of LIF does.
    """
    with torch.no_grad():
        s, wide = _run(x, weight).spikes.double(), weight.detach().double()
        inputs = x.double() + torch.cat([torch.zeros_like(s[:1]), s[:-1] @ wide.t()])
        v, a = torch.zeros_like(s), torch.zeros_like(s)
        for t in range(STEPS):
            v[t] = inputs[t]
            if t:
                v[t] += BETA * (v[t - 1] - s[t - 1])
                a[t] = RHO * a[t - 1] + s[t - 1]
        slope = SHAPE.derivative(v - 1 - KAPPA * a)
        slope = torch.where((s > 0) | (v >= GATE), slope, torch.zeros_like(v))
        to_v, to_a = torch.zeros_like(s), torch.zeros_like(s[0])
        for t in reversed(range(STEPS)):
            to_s, later = grad[t].double() + to_a, to_v[t + 1] if t + 1 < STEPS else to_a * 0
            through = slope[t] * (to_s + later @ wide)
            to_v[t] = through + BETA * later
            to_a = RHO * to_a - KAPPA * through
        total = to_v[1:].flatten(0, 1).t() @ s[:-1].flatten(0, 1)
        errors = [(tensor.double() - b).norm() / b.norm() for tensor, b in zip(got, (to_v, total))]
    return float(max(errors))


class _Spike(torch.autograd.Function):
    """A spike, the surrogate's derivative where it fired or is above the gradient threshold."""

    @staticmethod
    def forward(ctx: Any, v: Tensor, level: Tensor) -> Tensor:
        ctx.save_for_backward(v, level)
        return (v >= level).to(v.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        v, level = ctx.saved_tensors
        slope = (10.0 * (v - level).abs() + 1.0).pow(-2)
        through = torch.where((v >= level) | (v >= GATE), grad * slope, 0.0)
        return through, -through


def _step(
    x: Tensor, v: Tensor, a: Tensor, s: Tensor, weight: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    a = RHO * a + s
    v = BETA * (v - s.detach()) + x + s @ weight.t()
    return v, a, _Spike.apply(v, 1.0 + KAPPA * a)
