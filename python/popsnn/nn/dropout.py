"""Dropout: neurons that are dropped for a whole sequence."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping

import torch
from torch import Tensor

from .._internal import checks
from ..spikes import SpikeTensor
from ._options import Check, Options
from ._parts import SpikesOrDense, one_step


class Dropout(Options):
    """Dropout over x [T, B, ...] with one mask for all steps: a neuron is silent in all or in none.

    One mask a sample is drawn in each call (Lee et al., 2020, "Enabling Spike-Based
    Backpropagation for Training Deep Neural Network Architectures"), as in SpikingJelly's
    `layer.Dropout` and `layer.Dropout2d`. `TimeDistributed(torch.nn.Dropout(p))` draws another
    mask at each step.

    Parameters
    ----------
    p : float
        Probability in [0, 1) that an element is dropped; the others are scaled by 1 / (1 - p).
    channels : bool
        Whether whole channels of x [T, B, C, ...] are dropped.

    Raises
    ------
    TypeError, ValueError
        Where p is out of range, x has no steps and samples, or a mask does not fit.

    Examples
    --------
    >>> drop = nn.Dropout(0.2)
    >>> first, mask = drop(x[:50], return_state=True)
    >>> second = drop(x[50:], mask)  # the sequence goes on with its mask
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "p": lambda _, name, value: _probability(name, value),
        "channels": lambda _, name, value: checks.flag(name, "channels", value),
    }

    def __init__(self, p: float = 0.5, *, channels: bool = False) -> None:
        super().__init__()
        self.p = p
        self.channels = channels

    def forward(
        self, x: SpikesOrDense, state: Tensor | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, Tensor | None]:
        """Return `x` [T, B, ...] times the mask; spikes are made dense.

        Parameters
        ----------
        x : float Tensor [T, B, ...] or SpikeTensor (T, B, N)
        state : Tensor [B, ...], optional
            The mask of an earlier part of the sequence; default: a new one. Evaluation drops
            nothing, whatever the mask is, and makes none: without a mask it returns None.
        return_state : bool
            Whether to return the mask too.
        """
        if isinstance(x, SpikeTensor):
            x = x.to_dense()
        if not isinstance(x, Tensor) or not x.is_floating_point():
            got = x.dtype if isinstance(x, Tensor) else type(x).__name__
            raise TypeError(f"Dropout: x: expected a float tensor, got {got}")
        if x.dim() < 3:
            hint = ": one step x of a batch is x[None]" if x.dim() == 2 else ""
            raise ValueError(f"Dropout: x: expected shape [T, B, ...], got {tuple(x.shape)}{hint}")
        if state is not None and not isinstance(state, Tensor):
            raise TypeError(f"Dropout: state: expected a tensor, got {type(state).__name__}")
        if state is not None and state.shape != x.shape[1:]:
            raise ValueError(
                f"Dropout: state: expected shape {tuple(x.shape[1:])}, got {tuple(state.shape)}"
            )
        out = x
        if self.training:
            if state is None:
                ones = torch.ones(x.shape[1:], dtype=x.dtype, device=x.device)
                drop = torch.feature_dropout if self.channels else torch.dropout
                state = drop(ones, self.p, True)
            out = x * state.to(x.dtype)
        return (out, state) if return_state else out

    def step(self, x: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Return one step `x` [B, ...] times the mask, and the mask for the next step."""
        out, mask = self(one_step("Dropout", x), state, True)
        return out[0], mask

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return f"p={self.p:g}, channels={self.channels}"


def _probability(operation: str, value: Any) -> float:
    checks.finite(operation, "p", value)
    if not 0 <= value < 1:
        raise ValueError(f"{operation}: p: expected a number in [0, 1), got {value:g}")
    return float(value)
