"""Delays of a recurrent layer's own spikes, as its CUDA kernels take them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear

from ..cuda.layer.steps import Late
from ..cuda.recurrent.delays import Delays
from ..functional import DelaySteps
from ..nn._parts import rounded


def unsupported(delay: DelaySteps | None) -> str | None:
    """Return why the recurrent kernels cannot run these delays, or None where they can."""
    if delay is None:
        return None
    if delay.kind == "synaptic":
        return "delay: expected axonal or dendritic delays, got synaptic: a product for each tap"
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


def late(delay: DelaySteps, before: Tensor) -> Late:
    """Return what layers that run step by step take of delays, behind spikes [D, B, N]."""
    return Late(_PRODUCTS[delay.kind], delay.taps(torch.float32), before)


def _axonal(rows: Tensor, weight: Tensor, taps: Tensor) -> Tensor:
    return linear((taps.unsqueeze(1) * rows).sum(0), weight)


def _dendritic(rows: Tensor, weight: Tensor, taps: Tensor) -> Tensor:
    return (taps.unsqueeze(1) * linear(rows, weight)).sum(0)


def _synaptic(rows: Tensor, weight: Tensor, taps: Tensor) -> Tensor:
    return torch.bmm(rows, (taps * weight).transpose(1, 2)).sum(0)


_PRODUCTS = {"axonal": _axonal, "dendritic": _dendritic, "synaptic": _synaptic}
