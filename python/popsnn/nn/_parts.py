"""Helpers of the layers: what they learn, initial weights, checks of inputs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Union

import torch
from torch import Tensor, nn

from .._internal import checks
from ..spikes import SpikeTensor

if TYPE_CHECKING:
    from ._sparse_layer import SparseLayer
    from .sparse_li import SparseLI

SpikesOrDense = Union[SpikeTensor, Tensor]


def learnt_rows(layer: SparseLayer | SparseLI) -> dict[int, nn.Parameter]:
    """Return which of its neurons' parameters a layer learns, by row: their number."""
    values = enumerate(getattr(layer, name) for name in layer.neuron.parameters)
    return {
        row: value
        for row, value in values
        if isinstance(value, nn.Parameter) and value.requires_grad
    }


def learnt_fields(layer: SparseLayer | SparseLI) -> dict[str, Any]:
    """Return the fields of a `LayerSpec` that say what a layer learns of its neurons."""
    rows = learnt_rows(layer)
    neuron = layer.neuron
    bounds = [neuron.bounds.get(neuron.parameters[row], (-math.inf, math.inf)) for row in rows]
    return {
        "learns": bool(rows),
        "learnt": sum(1 << row for row in rows),
        "lowest": tuple(float(low) for low, _ in bounds),
        "highest": tuple(float(high) for _, high in bounds),
    }


def init_weights(weight: Tensor, bias: Tensor | None, spread: float) -> None:
    """Draw weights uniformly with standard deviation `spread / sqrt(in_features)`; no bias."""
    bound = spread * math.sqrt(3.0 / weight.shape[1])
    nn.init.uniform_(weight, -bound, bound)
    if bias is not None:
        nn.init.zeros_(bias)


def rounded(weight: Tensor, dtype: torch.dtype | None) -> Tensor:
    """Return the nearest weights that `dtype` has, in the type of `weight`; None: `weight` itself.

    The gradient passes as if nothing had been rounded. Both the difference and the sum are exact.
    """
    if dtype is None:
        return weight
    exact = weight.detach()
    return weight + (exact.to(dtype).to(weight.dtype) - exact)


def check_dense(operation: str, x: object, size: int) -> Tensor:
    """Return a tensor where its shape is [T, B, size]."""
    x = checks.rank(operation, "x", x, f"[T, B, {size}]", 3)
    if x.shape[-1] != size:
        raise ValueError(f"{operation}: x: expected shape [T, B, {size}], got {tuple(x.shape)}")
    return x


def one_step(operation: str, x: object, shape: str = "[B, N, ...]") -> Tensor:
    """Return one step `x` [B, N, ...] as the sequence of it, [1, B, N, ...].

    Parameters
    ----------
    operation : str
        What messages begin with.
    x : Tensor
    shape : str
        What x has to be, as messages name it: two dimensions, or at least two with "...".

    Raises
    ------
    TypeError, ValueError
        Where x is no tensor of that shape.
    """
    if not isinstance(x, Tensor):
        raise TypeError(f"{operation}.step: x: expected a tensor, got {type(x).__name__}")
    if x.dim() < 2 or (x.dim() > 2 and "..." not in shape):
        hint = ": a sequence goes to forward" if x.dim() > 2 else ""
        raise ValueError(
            f"{operation}.step: x: expected one step {shape}, got shape {tuple(x.shape)}{hint}"
        )
    return x[None]


def one_step_of_spikes(operation: str, x: SpikesOrDense, size: int) -> SpikesOrDense:
    """Return one step, dense [B, size] or spikes (1, B, size), as the sequence of it."""
    if not isinstance(x, SpikeTensor):
        sequence = one_step(operation, x, f"[B, {size}]")
        if sequence.shape[-1] != size:
            raise ValueError(
                f"{operation}.step: x: expected one step [B, {size}], got shape "
                f"{tuple(sequence.shape[1:])}"
            )
        return sequence
    if len(x) != 1:
        raise ValueError(f"{operation}.step: x: expected spikes of one step, got {len(x)} steps")
    return x


def as_spikes(operation: str, x: SpikesOrDense, size: int, check: bool = True) -> SpikeTensor:
    """Return `x` as spikes of `size` neurons; a dense x [T, B, size] is compacted."""
    if not isinstance(x, SpikeTensor):
        x = SpikeTensor.from_dense(check_dense(operation, x, size), check=check)
    if x.size != size:
        raise ValueError(f"{operation}: x: expected {size} neurons, got {x.size}")
    return x
