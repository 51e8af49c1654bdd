"""A check of a network's numbers: engines disagree about those that are not finite."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import chain
from typing import Iterable, Iterator, NamedTuple, Sequence

import torch
from torch import Tensor

from .._parts import rounded
from .._sparse_layer import SparseLayer
from ..sparse_li import SparseLI


class _Number(NamedTuple):
    """A tensor of a layer, and how a message names it."""

    layer: int
    name: str
    dtype: torch.dtype | None  # that products round it to
    value: Tensor


class FiniteCheck:
    """A check that no parameter or buffer of the layers has a value that is not finite.

    A product with a silent input is NaN where an engine multiplies it, and left out where an engine
    adds up the weights of the inputs that fired. On a GPU it begins here, and `finish` waits for
    it, so that the GPU has work meanwhile. A CUDA graph that is captured cannot wait, and goes
    unchecked. With `halves` recurrent weights without a type of their own are multiplied as
    float16, with the gain in them.

    Raises
    ------
    ValueError
        Where a value on the CPU is not finite.
    """

    def __init__(self, stack: Sequence[SparseLayer | SparseLI], halves: bool = False) -> None:
        with torch._C.DisableTorchFunctionSubclass():  # leave newer values on a training device
            self._numbers = list(_numbers(stack, halves))
            values = [number.value for number in self._numbers]
            self._largest: Tensor | None = None
            if not values[0].is_cuda:
                self._compare(torch.stack(_largest(values)))
            elif not torch.cuda.is_current_stream_capturing():
                # One launch for all; on a CPU it takes 25 times what `_largest` does.
                norms = torch.stack(torch._foreach_norm(values, torch.inf))
                self._largest = norms.to("cpu", non_blocking=True)
                self._copied = torch.cuda.Event()
                self._copied.record(torch.cuda.current_stream(values[0].device))

    def finish(self) -> None:
        """Wait for the values of a GPU.

        Raises
        ------
        ValueError
            Where one is not finite.
        """
        if self._largest is not None:
            self._copied.synchronize()
            self._compare(self._largest)

    def _compare(self, largest: Tensor) -> None:
        """Raise where a tensor has a larger magnitude than its type."""
        within = (  # NaN is below no limit
            norm < _limit(number.dtype) for number, norm in zip(self._numbers, largest.tolist())
        )
        number = next((number for number, good in zip(self._numbers, within) if not good), None)
        if number is None:
            return
        with torch._C.DisableTorchFunctionSubclass():
            value = rounded(number.value, number.dtype)
            wrong = value[~torch.isfinite(value)][0].item()
        wanted = "finite values" if number.dtype is None else f"finite values of {number.dtype}"
        raise ValueError(
            f"SNN: layer {number.layer}: {number.name}: expected {wanted}, got {wrong:g}"
        )


def _numbers(stack: Sequence[SparseLayer | SparseLI], halves: bool) -> Iterator[_Number]:
    for index, layer in enumerate(stack):
        for name, value in _tensors(layer):
            dtype = layer.weight_dtype if value.dim() == 2 else None
            value = value.detach()
            if dtype is None and halves and "recurrent_weight" in name.split("."):
                assert isinstance(layer, SparseLayer)
                dtype, value = torch.float16, value * layer.gain
            yield _Number(index, name, dtype, value)


def _tensors(layer: SparseLayer | SparseLI) -> Iterable[tuple[str, Tensor]]:
    """Return parameters and buffers, whose walk through submodules takes longer than the check."""
    if layer._modules:
        return chain(layer.named_parameters(), layer.named_buffers())
    own = chain(layer._parameters.items(), layer._buffers.items())
    return ((name, value) for name, value in own if value is not None)


def _largest(values: list[Tensor]) -> list[Tensor]:
    """Return the largest magnitude of each; NaN where one holds NaN."""
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
