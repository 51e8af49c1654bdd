"""Recurrent weights of 8 bits: what they change, against float64.

`python -m bench recurrent.float8`, on a CPU. The layer is that of `bench.recurrent`, 2944 neurons.
Weights are rounded to e4m3 with a scale for each row or one for all, and to bfloat16 next to them,
which is what the kernels take. Spikes are exact in any of these; gradients that weights carry back
are rounded to bfloat16, or to 8 bits with a scale a step. Membranes and gradients are of the same
spikes, those of float64; run freely, the spikes of the first steps are compared.
"""

from __future__ import annotations

from typing import Callable, Iterator

import torch
from torch import Tensor

from bench.rows import Row, spread

from .work import BETA, GATE, SCALES, SHAPE

NEURONS, BATCH, STEPS, FREE = 2944, 8, 30, 10
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
LARGEST = {E4M3: 448.0, E5M2: 57344.0}
Rounding = Callable[[Tensor], Tensor]


def narrowed(x: Tensor, dtype: torch.dtype, dim: int | None = None) -> Tensor:
    """Round to 8 bits with a scale for each row (dim=1) or one for all."""
    largest = x.abs().amax() if dim is None else x.abs().amax(dim, keepdim=True)
    scale = LARGEST[dtype] / largest.clamp_min(1e-30)
    return (x * scale).to(dtype).to(x.dtype) / scale


def bfloat16(x: Tensor) -> Tensor:
    """Round to bfloat16."""
    return x.to(torch.bfloat16).to(x.dtype)


WEIGHTS: dict[str, Rounding] = {
    "bfloat16": bfloat16,
    "e4m3, a scale a row": lambda w: narrowed(w, E4M3, 1),
    "e4m3, one scale": lambda w: narrowed(w, E4M3),
}
GRADIENTS: dict[str, Rounding] = {
    "bfloat16": bfloat16,
    "e4m3": lambda x: narrowed(x, E4M3),
    "e5m2": lambda x: narrowed(x, E5M2),
}


def forward(x: Tensor, weight: Tensor, given: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Return the membranes and the spikes [T, B, N], which may be given."""
    v, s = torch.zeros(2, len(x), *x.shape[1:], dtype=x.dtype).unbind()
    before = torch.zeros(2, *x.shape[1:], dtype=x.dtype)
    for t in range(len(x)):
        v[t] = BETA * before[0] * (1 - before[1]) + x[t] + before[1] @ weight.t()
        s[t] = (v[t] >= 1).to(x.dtype) if given is None else given[t]
        before = torch.stack([v[t], s[t]])
    return v, s


def backward(
    v: Tensor, s: Tensor, grad: Tensor, weight: Tensor, sent: Rounding
) -> tuple[Tensor, Tensor]:
    """Return the gradients of the current [T, B, N] and of the weights [N, N]."""
    slope = torch.where(v >= GATE, SHAPE.derivative(v - 1), torch.zeros_like(v))
    delta = torch.zeros_like(v)
    for t in reversed(range(len(v))):
        delta[t] = slope[t] * grad[t]
        if t + 1 < len(v):
            back = sent(delta[t + 1]) @ weight
            delta[t] += slope[t] * back + BETA * (1 - s[t]) * delta[t + 1]
    return delta, delta[1:].flatten(0, 1).t() @ s[:-1].flatten(0, 1)


def error(got: Tensor, exact: Tensor) -> float:
    """Return the relative error, of norms."""
    return float((got - exact).norm() / exact.norm())


def run() -> Iterator[Row]:
    """Compare at both activities."""
    for activity, scale in SCALES.items():
        yield from compared(activity, scale)


def compared(activity: str, scale: float) -> Iterator[Row]:
    """Say how far weights and gradients of few bits are from float64."""
    torch.manual_seed(0)
    x, grad = torch.randn(2, STEPS, BATCH, NEURONS, dtype=torch.float64)
    x, weight = scale * x, torch.randn(NEURONS, NEURONS, dtype=torch.float64) / NEURONS**0.5
    v, s = forward(x, weight)
    exact = backward(v, s, grad, weight, lambda sum_: sum_)
    case = {"T": STEPS, "batch": BATCH, "neurons": NEURONS, "activity": activity}
    for name, rounding in WEIGHTS.items():
        rounded = rounding(weight)
        free = forward(x[:FREE], rounded)[1]
        figures = {
            "membrane_error": error(forward(x, rounded, s)[0], v),
            "other_spikes": float((free != s[:FREE]).sum() / s[:FREE].sum()),
        }
        for sent, of in GRADIENTS.items():
            got = backward(v, s, grad, rounded, of)
            figures[f"grad_current_error, sent as {sent}"] = error(got[0], exact[0])
            figures[f"grad_weight_error, sent as {sent}"] = error(got[1], exact[1])
        for metric, figure in figures.items():
            print(f"  {activity} weights {name}: {metric} {figure:.1e}")
            yield Row(
                suite="recurrent", case={**case, "weights": name}, subject="definition",
                dtype="float64", metric=metric, **spread([figure], 1.0),
            )  # fmt: skip
