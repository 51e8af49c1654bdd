"""Helpers of several neurons."""

from __future__ import annotations

from typing import Iterable, Sequence

import torch
from torch import Tensor

from .._internal.checks import PerNeuron


def distinct(states: Sequence[Tensor], inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Return the states, with a copy of each that occurs twice or among `inputs`.

    An in-place change of one result then changes no other tensor.
    """
    seen = {id(tensor) for tensor in inputs}
    result = []
    for state in states:
        result.append(state.clone() if id(state) in seen else state)
        seen.add(id(state))
    return tuple(result)


def tensors(parameters: Iterable[PerNeuron], like: Tensor) -> tuple[Tensor, ...]:
    """Return parameters as a step takes them: each a tensor, of the type of `like`.

    A function of parameters alone, as torch.sigmoid(p.w), takes no numbers.
    """
    return tuple(
        p.to(like.dtype)
        if isinstance(p, Tensor)
        else torch.full((), p, dtype=like.dtype, device=like.device)
        for p in parameters
    )


def stack(steps: list[Tensor], like: Tensor) -> Tensor:
    """Stack T tensors [B, ...]; where T is 0, return zeros like `like` [0, B, ...]."""
    return torch.stack(steps) if steps else torch.zeros_like(like)
