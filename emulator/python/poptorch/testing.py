"""Comparison of nested results."""

from __future__ import annotations

from typing import Any

import torch


def allclose(ref: Any, other: Any) -> bool:
    """Whether two structures of tuples and lists are alike and their tensors close.

    Raises
    ------
    AssertionError
        Where there is something else in them.
    """
    if isinstance(ref, torch.Tensor):
        return torch.allclose(other, ref)
    if not isinstance(ref, (tuple, list)):
        raise AssertionError(f"{type(ref)} not supported")
    kind = tuple if isinstance(ref, tuple) else list
    if not isinstance(other, kind) or len(ref) != len(other):
        return False
    return all(allclose(a, b) for a, b in zip(ref, other))
