"""The work of `bench.recurrent`: its inputs, its definition, and what bounds it."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from bench import gpu
from popsnn import functional, surrogate

BETA, GATE, STEPS = 0.9, 0.9, 100
SCALES = {"5 %": 0.53, "1 %": 0.235}  # of the current, for about so many spikes
SHAPE = surrogate.SuperSpike()
L2_BYTES = 60e6  # of an H200

row = partial(gpu.row, "recurrent")


class Work:
    """The inputs of one case, in bfloat16 and in float32."""

    def __init__(self, neurons: int, batch: int, scale: float) -> None:
        self.neurons, self.batch = neurons, batch
        self.x = scale * torch.randn(STEPS, batch, neurons, device="cuda")
        self.weight = (torch.randn(neurons, neurons, device="cuda") / neurons**0.5).bfloat16()
        self.grad = torch.randn(STEPS, batch, neurons, device="cuda")

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
            "T": STEPS,
            "batch": self.batch,
            "neurons": self.neurons,
            "activity": activity,
            "spikes": round(float(spikes.detach().float().mean()), 4),
        }
        if taken_as is not None:
            case["weights"] = str(taken_as).replace("torch.", "")
        return case


def gradient_error(
    work: Work,
    x: Tensor,
    weight: Tensor,
    grad: Tensor,
    got: tuple[Tensor, Tensor],
    taken_as: torch.dtype,
) -> float:
    """Return the larger relative error of the two gradients against the reference in float64.

    A membrane within a rounding of the threshold may spike in one and not in the other, after
    which all differs, so the reference's gradient is through the kernels' own spikes and membranes.
    """
    with torch.no_grad():
        out = functional.recurrent_lif(
            x,
            weight,
            beta=BETA,
            weight_dtype=taken_as,
            return_state=False,
            backend="cuda",
        )
        s, wide = out.spikes.double(), weight.detach().to(taken_as).double()
        inputs = x.double() + torch.cat([torch.zeros_like(s[:1]), s[:-1] @ wide.t()])
        v = torch.zeros_like(s)
        for t in range(STEPS):
            v[t] = inputs[t] + (BETA * v[t - 1] * (1 - s[t - 1]) if t else 0)
        slope = torch.where(v >= GATE, SHAPE.derivative(v - 1), torch.zeros_like(v))
        delta = torch.zeros_like(v)
        for t in reversed(range(STEPS)):
            delta[t] = slope[t] * grad[t].double()
            if t + 1 < STEPS:
                back = delta[t + 1] @ wide
                delta[t] += slope[t] * back + BETA * (1 - s[t]) * delta[t + 1]
        total = delta[1:].flatten(0, 1).t() @ s[:-1].flatten(0, 1)
        errors = [(a.double() - b).norm() / b.norm() for a, b in zip(got, (delta, total))]
    return float(max(errors))


def lower_limit(work: Work, taken_as: torch.dtype) -> str:
    """Return what the products, or the weights that they stream, would take at least."""
    neurons, batch = work.neurons, work.batch
    exact = taken_as == torch.float32
    columns = -(-batch // 8) * 8  # of the tiles of tensor cores
    rows = columns if batch <= 8 and not exact else -(-batch // 16) * 16
    rate = 660e12  # of mma.sync on bfloat16, two thirds of wgmma's
    # Forward, backward and of the weights' gradient.
    samples = (3 + 6) * rows + 3 * batch if exact else rows + columns + batch
    operations = 2 * STEPS * samples * neurons**2
    time = 1e3 * operations / rate
    text = f"tensor cores: {operations / 1e9:.0f} GFLOP at 660 TFLOP/s, {time:.3f} ms"
    streamed = 2 * STEPS * neurons**2 * taken_as.itemsize
    if neurons**2 * taken_as.itemsize > L2_BYTES:
        text = (
            f"memory: weights {streamed / 1e9:.1f} GB at 4.3 TB/s, {streamed / 4.3e9:.3f} ms, and "
            f"{text}"
        )
    return text
