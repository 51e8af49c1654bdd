"""Argument checks of several modules. Every message is one sentence."""

from __future__ import annotations

import math
from typing import Any, Union

import torch
from torch import Tensor

RESETS_BEFORE_DECAY = ("zero", "subtract", "none")
RESETS = (*RESETS_BEFORE_DECAY, "subtract_after", "zero_after")
LARGEST = 0x7FFFFFFF  # that ids, counts and steps of 32 bits can be

PerNeuron = Union[float, Tensor]


def integer(operation: str, name: str, value: object, low: int, high: int | None = None) -> int:
    """Return `value` as an int in [low, high]."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{operation}: {name}: expected an integer, got {type(value).__name__}")
    number = int(value.__index__())
    if number < low or (high is not None and number > high):
        wanted = f"at least {low}" if high is None else f"{low}..{high}"
        raise ValueError(f"{operation}: {name}: expected {wanted}, got {number}")
    return number


def size(operation: str, name: str, value: object, low: int = 1, high: int = LARGEST) -> int:
    """Return `value` as an int from `low` on, of which numbers of 32 bits can count as many."""
    number = integer(operation, name, value, low)
    if number > high:
        raise ValueError(f"{operation}: {name}: expected at most {high}, got {number}")
    return number


def seed(operation: str, value: object) -> int:
    """Return `value` where a hash takes all of it."""
    return integer(operation, "seed", value, 0, 0xFFFFFFFF)


def choice(operation: str, name: str, value: str, choices: tuple[str, ...]) -> str:
    """Return `value` where it is one of `choices`."""
    if value not in choices:
        raise ValueError(
            f"{operation}: {name}: expected one of {', '.join(choices)}, got {value!r}"
        )
    return value


def reset(operation: str, value: str, resets: tuple[str, ...] = RESETS) -> str:
    """Return `value` where it names one of some resets."""
    return choice(operation, "reset", value, resets)


def flag(operation: str, name: str, value: object) -> bool:
    """Return `value` where it is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{operation}: {name}: expected True or False, got {value!r}")
    return value


def finite(operation: str, name: str, value: float) -> float:
    """Return a finite float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{operation}: {name}: expected a number, got {type(value).__name__}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{operation}: {name}: expected a finite number, got {number}")
    return number


def not_negative(operation: str, name: str, value: Any) -> None:
    """Raise where an optimizer's option is no finite number of at least 0."""
    try:
        good = not isinstance(value, str) and 0.0 <= float(value) < math.inf
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"{operation}: {name}: expected a number of at least 0, got {value}")


def betas(operation: str, value: Any) -> None:
    """Raise where an optimizer's betas are not two numbers in [0, 1)."""
    if len(value) != 2 or not all(0.0 <= beta < 1.0 for beta in value):
        raise ValueError(f"{operation}: betas: expected two numbers in [0, 1), got {value}")


def grad_threshold(operation: str, value: float | None, threshold: PerNeuron) -> float | None:
    """Return the gradient threshold where it is not above the threshold."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"{operation}: grad_threshold: expected a number or None, got {value!r}"
        ) from None
    least = float(threshold.detach().min()) if isinstance(threshold, Tensor) else threshold
    if not rounded(number, threshold) <= least:
        raise ValueError(
            f"{operation}: grad_threshold: expected at most the threshold {least:g}, got {number:g}"
        )
    return number


def rounded(number: float, value: PerNeuron) -> float:
    """Return a number as a tensor has it: of float32 a threshold of 0.7 lies below the float."""
    if not isinstance(value, Tensor):
        return number
    return float(torch.tensor(number, dtype=value.dtype, device="cpu"))


def binary(operation: str, x: Tensor) -> None:
    """Raise where a dense spike tensor holds anything but 0 and 1."""
    if x.dtype == torch.bool:
        return
    if x.is_cuda and torch.cuda.is_current_stream_capturing():
        raise ValueError(
            f"{operation}: x: expected no check of its values (check_input=False, check=False) "
            "where a CUDA graph is captured, got one"
        )
    if not bool(((x == 0) | (x == 1)).all()):
        values = x.detach()
        if x.is_floating_point() and bool(torch.isnan(values).any()):
            raise ValueError(f"{operation}: x: expected spikes of 0 or 1, got NaN")
        wrong = values[(values != 0) & (values != 1)][0].item()
        raise ValueError(f"{operation}: x: expected spikes of 0 or 1, got {wrong:g}")


def rank(operation: str, name: str, x: object, shape: str, dims: int) -> Tensor:
    """Return `x` where it is a tensor of `dims` dimensions; `shape` is how the message names it."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{operation}: {name}: expected a tensor, got {type(x).__name__}")
    if x.dim() != dims:
        raise ValueError(f"{operation}: {name}: expected shape {shape}, got {tuple(x.shape)}")
    return x
