"""Helpers of the layers: stored options, initial weights, checks of inputs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Union

import torch
from torch import Tensor, nn

from .._internal import checks
from .._internal.checks import PerNeuron
from ..spikes import SpikeTensor

if TYPE_CHECKING:
    from ._sparse_layer import SparseLayer
    from .sparse_li import SparseLI

SpikesOrDense = Union[SpikeTensor, Tensor]


def register(
    module: nn.Module, name: str, value: PerNeuron, learn: bool = False, size: int | None = None
) -> None:
    """Set `name` on the module: a float as it is, a tensor as buffer, a learnt one as parameter.

    With a `size`, a learnt one has an entry for each of that many neurons.

    Raises
    ------
    ValueError
        Where a tensor that is not learnt requires a gradient, which a buffer would not have.
    """
    if not learn and isinstance(value, Tensor) and value.requires_grad:
        raise ValueError(
            f"{type(module).__name__}: {name}: expected a tensor without a gradient where it is "
            "not learnt, got one that requires it"
        )
    if learn:
        # A number goes to the default device, as weights do; a tensor stays where it is.
        initial = value.detach() if isinstance(value, Tensor) else torch.tensor(value)
        initial = initial.to(torch.get_default_dtype())
        initial = initial if size is None else initial.expand(size)
        module.register_parameter(name, nn.Parameter(initial.clone()))
    elif isinstance(value, Tensor):
        module.__dict__.pop(name, None)  # a number before
        module.register_buffer(name, value.detach().clone())
    else:
        setattr(module, name, value)


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
    below_one = (row for row, name in enumerate(layer.neuron.parameters) if name in layer.decays)
    return {
        "learns": bool(rows),
        "learnt": sum(1 << row for row in rows),
        "decays": sum(1 << row for row in below_one if row in rows),
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


def as_spikes(operation: str, x: SpikesOrDense, size: int, check: bool = True) -> SpikeTensor:
    """Return `x` as spikes of `size` neurons; a dense x [T, B, size] is compacted."""
    if not isinstance(x, SpikeTensor):
        x = SpikeTensor.from_dense(check_dense(operation, x, size), check=check)
    if x.size != size:
        raise ValueError(f"{operation}: x: expected {size} neurons, got {x.size}")
    return x
