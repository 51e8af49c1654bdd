"""Layers of NIR that are no neurons and that torch does not have: Scale and Delay."""

from __future__ import annotations

from typing import Any, Union

import torch
from torch import Tensor, nn

Steps = Union[int, Tensor]


class Scale(nn.Module):
    """The product of x [T, B, ...] and the parameter `scale` [...]."""

    def __init__(self, scale: Tensor) -> None:
        super().__init__()
        self.scale = nn.Parameter(scale)

    def forward(self, x: Tensor) -> Tensor:
        """Return x * scale."""
        return x * self.scale


class Delay(nn.Module):
    """x [T, B, ...] some whole time steps later, after zeros.

    Parameters
    ----------
    steps : int or int64 Tensor [...]
        Of all elements, or of each.
    """

    steps: Any  # Steps, of which a tensor is a buffer

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.longest = int(steps.max()) if isinstance(steps, Tensor) else steps
        if isinstance(steps, Tensor):
            self.register_buffer("steps", steps)
        else:
            self.steps = steps

    def forward(
        self, x: Tensor, state: Tensor | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return x [T, B, ...] later, and the state [longest, B, ...] if asked.

        Raises
        ------
        ValueError
            Where the state is that of another delay or batch.
        """
        expected = (self.longest, *x.shape[1:])
        if state is not None and tuple(state.shape) != expected:
            raise ValueError(f"Delay: state: expected shape {expected}, got {tuple(state.shape)}")
        before = x.new_zeros(expected) if state is None else state
        known = torch.cat([before, x])
        if isinstance(self.steps, Tensor):
            times = torch.arange(len(x), device=x.device)
            times = times.reshape(-1, *[1] * (x.dim() - 1)) + self.longest - self.steps
            out = known.gather(0, times.expand_as(x))
        else:
            out = known[: len(x)]
        return (out, known[len(x) :]) if return_state else out

    def extra_repr(self) -> str:
        """Return the option that `print` shows."""
        return f"longest={self.longest}"
