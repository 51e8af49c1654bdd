"""Inputs of the tests of recurrent layers."""

from __future__ import annotations

import torch
from torch import Tensor

RESETS = ["zero", "subtract", "none", "subtract_after", "zero_after"]


def inputs(steps: int, batch: int, neurons: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Return a current [T, B, N] and weights [N, N] that both take gradients."""
    generator = torch.Generator().manual_seed(seed)
    current = torch.randn(steps, batch, neurons, generator=generator, dtype=torch.float64)
    weight = 0.5 * torch.randn(neurons, neurons, generator=generator, dtype=torch.float64)
    return current.requires_grad_(), weight.requires_grad_()
