"""A check of a network's numbers: engines disagree about those that are not finite."""

from __future__ import annotations

from itertools import chain
from typing import Iterator, NamedTuple, Sequence

import torch
from torch import Tensor

from ._parts import rounded
from ._sparse_layer import SparseLayer
from .sparse_li import SparseLI


class _Number(NamedTuple):
    """A tensor of a layer, as products take it, and how a message names it."""

    layer: int
    name: str
    dtype: torch.dtype | None  # that it is rounded to
    value: Tensor


def check_finite(stack: Sequence[SparseLayer | SparseLI]) -> None:
    """Raise where a parameter or buffer of the layers has a value that is not finite.

    A product with a silent input is NaN where an engine multiplies it, and left out where an engine
    adds up the weights of the inputs that fired. Waits for the tensors' device, once; a CUDA graph
    that is captured cannot, and goes unchecked.
    """
    with torch._C.DisableTorchFunctionSubclass():  # leave newer values on a training device
        numbers = list(_numbers(stack))
    if numbers[0].value.is_cuda and torch.cuda.is_current_stream_capturing():
        return
    # Of NaN both extremes are NaN, which no comparison holds for.
    extremes = [torch.aminmax(number.value) for number in numbers]
    finite = [(low > -torch.inf) & (high < torch.inf) for low, high in extremes]
    if bool(torch.stack(finite).all()):
        return
    number = next(number for number, good in zip(numbers, finite) if not bool(good))
    wrong = number.value[~torch.isfinite(number.value)][0].item()
    wanted = "finite values" if number.dtype is None else f"finite values of {number.dtype}"
    raise ValueError(f"SNN: layer {number.layer}: {number.name}: expected {wanted}, got {wrong:g}")


def _numbers(stack: Sequence[SparseLayer | SparseLI]) -> Iterator[_Number]:
    for index, layer in enumerate(stack):
        for name, value in chain(layer.named_parameters(), layer.named_buffers()):
            dtype = layer.weight_dtype if value.dim() == 2 else None
            yield _Number(index, name, dtype, rounded(value.detach(), dtype))
