"""A check of a network's numbers: engines disagree about those that are not finite."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import chain
from typing import Iterator, NamedTuple, Sequence

import torch
from torch import Tensor

from ._parts import rounded
from ._sparse_layer import SparseLayer
from .sparse_li import SparseLI


class _Number(NamedTuple):
    """A tensor of a layer, and how a message names it."""

    layer: int
    name: str
    dtype: torch.dtype | None  # that products round it to
    value: Tensor


def check_finite(stack: Sequence[SparseLayer | SparseLI]) -> None:
    """Raise where a parameter or buffer of the layers has a value that is not finite.

    A product with a silent input is NaN where an engine multiplies it, and left out where an engine
    adds up the weights of the inputs that fired. Waits for the tensors' device, once; a CUDA graph
    that is captured cannot, and goes unchecked.
    """
    with torch._C.DisableTorchFunctionSubclass():  # leave newer values on a training device
        numbers = list(_numbers(stack))
        values = [number.value for number in numbers]
        if values[0].is_cuda and torch.cuda.is_current_stream_capturing():
            return
        largest = torch.stack(_largest(values)).tolist()  # NaN is below no limit
    within = (norm < _limit(number.dtype) for number, norm in zip(numbers, largest))
    number = next((number for number, good in zip(numbers, within) if not good), None)
    if number is None:
        return
    value = rounded(number.value, number.dtype)
    wrong = value[~torch.isfinite(value)][0].item()
    wanted = "finite values" if number.dtype is None else f"finite values of {number.dtype}"
    raise ValueError(f"SNN: layer {number.layer}: {number.name}: expected {wanted}, got {wrong:g}")


def _numbers(stack: Sequence[SparseLayer | SparseLI]) -> Iterator[_Number]:
    for index, layer in enumerate(stack):
        for name, value in chain(layer.named_parameters(), layer.named_buffers()):
            dtype = layer.weight_dtype if value.dim() == 2 else None
            yield _Number(index, name, dtype, value.detach())


def _largest(values: list[Tensor]) -> list[Tensor]:
    """Return the largest magnitude of each; NaN where one holds NaN."""
    if values[0].is_cuda:  # one launch for all; on a CPU it takes 25 times what follows
        return list(torch._foreach_norm(values, torch.inf))
    extremes = (torch.aminmax(value) for value in values)
    return [torch.maximum(high, -low) for low, high in extremes]


@lru_cache(maxsize=None)
def _limit(dtype: torch.dtype | None) -> float:
    """Return the least magnitude that is not finite once it is rounded to a type."""
    if dtype is None:
        return math.inf
    limits = torch.finfo(dtype)
    half_unit = limits.max * limits.eps / (4 - 2 * limits.eps)  # in the last place of `max`
    return limits.max + half_unit
