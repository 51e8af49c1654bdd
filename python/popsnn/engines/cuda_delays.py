"""Delays of a recurrent layer's own spikes, as its CUDA kernels take them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear

from ..cuda.recurrent.delays import Delays
from ..functional import DelaySteps
from ..nn._parts import rounded


def unsupported(delay: DelaySteps | None) -> str | None:
    """Return why the recurrent kernels cannot run these delays, or None where they can."""
    if delay is None:
        return None
    if delay.kind == "synaptic":
        return "delay: expected axonal or dendritic delays, got synaptic ones: each tap is a product"
    if delay.spread not in ("none", "straight_through"):
        return (
            "delay: expected whole steps, spread 'none' or 'straight_through', got spread "
            f"{delay.spread!r}: a step has several taps"
        )
    return None


def delays(
    delay: DelaySteps,
    before: Tensor | None,  # [D, B, N]
    spikes: Tensor | None,  # [B, N], of the state
    weight: Tensor,  # [N, N]
    weight_dtype: torch.dtype,  # that products take the weights as
) -> Delays:
    """Return delays of whole steps and what comes before the first step; differentiable."""
    steps, learns = delay.steps.to(torch.float32), delay.spread == "straight_through"
    if learns:
        steps = steps.clamp(delay.minimum, delay.maximum)
    learn = learns and torch.is_grad_enabled() and steps.requires_grad
    options = (delay.kind, delay.maximum, learn, not learns, steps)
    if spikes is None:
        return Delays(*options)
    spikes = spikes.to(torch.float32)
    if before is None:
        before = spikes.new_zeros((delay.maximum, *spikes.shape))
    before = before.to(torch.float32)
    if delay.kind == "dendritic":
        # In float64: products of torch may be rounded more than those of the kernels.
        sums = linear(before.double(), rounded(weight, weight_dtype).double())
        return Delays(*options, sums.float())
    history = torch.cat([before, spikes[None]])  # [D + 1, B, N]
    taps = delay.taps(torch.float32).flip(0)  # [D + 1, N]
    return Delays(*options, history, (taps.unsqueeze(1) * history).sum(0))
