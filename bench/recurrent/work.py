"""The work of `bench.recurrent`: its inputs, its definition, and what bounds it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from bench import gpu
from popsnn import functional, surrogate

BETA, GATE, STEPS = 0.9, 0.9, 100
SCALES = {"5 %": 0.53, "1 %": 0.235}  # of the current, for about so many spikes
SHAPE = surrogate.SuperSpike()
L2_BYTES = 60e6  # of an H200
ROWS = 4096  # of the weights that the reference has in float64 at a time
ROUNDING = 1e-3  # of a membrane in float32, with room

row = partial(gpu.row, "recurrent")


class Work:
    """The inputs of one case, in any type.

    The current has a normal distribution with the standard deviation `scale`.
    """

    def __init__(
        self,
        neurons: int,
        batch: int,
        scale: float,
        mean: float = 0.0,
        device: str = "cuda",
        steps: int = STEPS,
    ) -> None:
        self.neurons, self.batch, self.steps = neurons, batch, steps
        self.x = mean + scale * torch.randn(steps, batch, neurons, device=device)
        self.weight = (torch.randn(neurons, neurons, device=device) / neurons**0.5).bfloat16()
        self.grad = torch.randn(steps, batch, neurons, device=device)

    def leaves(self, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
        """Return x and the weights, which take gradients, and the spikes' gradient."""
        x, weight = (
            tensor.to(dtype, copy=True).requires_grad_() for tensor in (self.x, self.weight)
        )
        return x, weight, self.grad.to(dtype)

    def case(
        self, activity: str, spikes: Tensor, taken_as: torch.dtype | None = None
    ) -> dict[str, object]:
        """Return the row's case."""
        case: dict[str, object] = {
            "T": self.steps,
            "batch": self.batch,
            "neurons": self.neurons,
            "activity": activity,
            "spikes": round(float(spikes.detach().float().mean()), 4),
        }
        if taken_as is not None:
            case["weights"] = str(taken_as).replace("torch.", "")
        return case


@dataclass(frozen=True)
class Layer:
    """A layer of LIF neurons on the kernels, and its leaves."""

    x: Tensor  # [T, B, N]
    weight: Tensor  # [N, N]
    grad: Tensor  # of the spikes, [T, B, N]
    taken_as: torch.dtype = torch.bfloat16  # type of the products

    def forward(self) -> Tensor:
        """Return the spikes [T, B, N]."""
        out = functional.recurrent_lif(
            self.x,
            self.weight,
            beta=BETA,
            surrogate=SHAPE,
            grad_threshold=GATE,
            weight_dtype=self.taken_as,
            membrane=False,
            return_state=False,
            backend="cuda",
        )
        assert isinstance(out.spikes, Tensor)
        return out.spikes

    def both(self) -> tuple[Tensor, ...]:
        """Return the spikes and the gradients of x and of the weights."""
        spikes = self.forward()
        return (spikes, *torch.autograd.grad(spikes, (self.x, self.weight), self.grad))


@torch.no_grad()
def membranes(layer: Layer, spikes: Tensor) -> Tensor:
    """Return the membranes [T, B, N] of the reference in float64 along the kernels' own spikes.

    Raises
    ------
    RuntimeError
        Where a spike is not that of its membrane, by more than a rounding.
    """
    s, v = spikes.double(), layer.x.double()
    for rows in _blocks(layer.weight):
        v[1:, :, rows] += s[:-1] @ layer.weight[rows].to(layer.taken_as).double().t()
    for t in range(1, len(v)):
        v[t] += BETA * v[t - 1] * (1 - s[t - 1])
    wrong = ((v >= 1) != (s > 0)) & ((v - 1).abs() > ROUNDING)
    if wrong.any():
        raise RuntimeError(
            f"recurrent: spikes: expected those of the reference's membranes, got "
            f"{int(wrong.sum())} of {wrong.numel()} others"
        )
    return v


@torch.no_grad()
def gradient_error(
    layer: Layer, spikes: Tensor, v: Tensor, grad_x: Tensor, grad_weight: Tensor
) -> float:
    """Return the larger relative error of the two gradients against the reference in float64.

    A membrane within a rounding of the threshold may spike in one and not in the other, after
    which all differs, so the reference's gradient is through the kernels' own spikes, and through
    their `membranes`.
    """
    s, wide = spikes.double(), layer.weight.to(layer.taken_as).double()
    slope = torch.where(v >= GATE, SHAPE.derivative(v - 1), torch.zeros_like(v))
    delta = slope * layer.grad.double()
    for t in reversed(range(len(v) - 1)):
        delta[t] += slope[t] * (delta[t + 1] @ wide) + BETA * (1 - s[t]) * delta[t + 1]
    del wide
    off = total = 0.0
    for rows in _blocks(layer.weight):
        exact = delta[1:, :, rows].flatten(0, 1).t() @ s[:-1].flatten(0, 1)
        off += float((grad_weight[rows].double() - exact).square().sum())
        total += float(exact.square().sum())
    current = float((grad_x.double() - delta).norm() / delta.norm())
    return max(current, (off / total) ** 0.5)


def _blocks(weight: Tensor) -> list[slice]:
    """Return ranges of the weights' rows, which in float64 fit next to the rest."""
    return [slice(first, first + ROWS) for first in range(0, len(weight), ROWS)]


def lower_limit(work: Work, taken_as: torch.dtype) -> str:
    """Return what the products, or the weights that they stream, would take at least."""
    neurons, batch = work.neurons, work.batch
    exact = taken_as == torch.float32
    columns = -(-batch // 8) * 8  # of the tiles of tensor cores
    rows = columns if batch <= 8 and not exact else -(-batch // 16) * 16
    rate = 660e12  # of mma.sync on 16 bits, two thirds of wgmma's
    # Forward, backward and of the weights' gradient.
    samples = (3 + 6) * rows + 3 * batch if exact else rows + columns + batch
    operations = 2 * work.steps * samples * neurons**2
    time = 1e3 * operations / rate
    text = f"tensor cores: {operations / 1e9:.0f} GFLOP at 660 TFLOP/s, {time:.3f} ms"
    streamed = 2 * work.steps * neurons**2 * taken_as.itemsize
    if neurons**2 * taken_as.itemsize > L2_BYTES:
        text = (
            f"memory: weights {streamed / 1e9:.1f} GB at 4.3 TB/s, {streamed / 4.3e9:.3f} ms, and "
            f"{text}"
        )
    return text
