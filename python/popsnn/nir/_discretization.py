"""Discretization: what becomes of a node's differential equation over one time step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, Tuple

import numpy as np
import torch

from .._internal import checks

METHODS: Tuple[str, ...] = ("euler", "exponential")
NUMPY_TYPES: Dict[torch.dtype, Any] = {torch.float32: np.float32, torch.float64: np.float64}


@dataclass(frozen=True)
class Discretization:
    """The time step, the method of integration, and what a membrane at its threshold does.

    Parameters
    ----------
    operation : str
        What messages begin with.
    dt : float
        Seconds.
    method : {"euler", "exponential"}
    strict : bool
        Whether a membrane that equals its threshold stays silent.
    dtype : torch.dtype
        torch.float32 or torch.float64: of what the network computes with.
    unit_resistance : bool
        Whether LIF and CubaLIF are written with the resistance 1.

    Raises
    ------
    TypeError, ValueError
        Where a value is out of range.
    """

    operation: str
    dt: float
    method: str
    strict: bool
    dtype: torch.dtype
    unit_resistance: bool = False

    def __post_init__(self) -> None:
        seconds = checks.finite(self.operation, "dt", self.dt)
        if seconds <= 0:
            raise ValueError(
                f"{self.operation}: dt: expected a positive number of seconds, got {self.dt}"
            )
        checks.choice(self.operation, "method", self.method, METHODS)
        checks.flag(self.operation, "strict", self.strict)
        checks.flag(self.operation, "unit_resistance", self.unit_resistance)
        if self.dtype not in NUMPY_TYPES:
            raise ValueError(
                f"{self.operation}: dtype: expected torch.float32 or torch.float64, got "
                f"{self.dtype}"
            )

    @property
    def same(self) -> tuple[Any, ...]:
        """Return what decides the numbers of a step."""
        return self.dt, self.method, self.strict

    def rate(self, where: str, name: str, tau: np.ndarray, tolerance: float) -> np.ndarray:
        """Return 1 - beta for the time constants `tau`, beta being the decay factor of a step.

        Raises
        ------
        ValueError
            Where a time constant is not positive, or shorter than a step of Euler's method.
        """
        if (tau <= 0).any():
            raise ValueError(
                f"{where}: {name}: expected positive time constants, got {float(tau.min())}"
            )
        if self.method == "exponential":
            return np.asarray(-np.expm1(-self.dt / tau))
        rate = snapped(self.dt / tau, tolerance)
        if (rate > 1).any():
            raise ValueError(
                f"{where}: {name}: expected time constants of at least dt = {self.dt:g} s for "
                f"Euler's method, got {float(tau.min()):g} s"
            )
        return rate

    def time_constant(self, where: str, name: str, beta: np.ndarray) -> np.ndarray:
        """Return the time constants in seconds that have the decay factors `beta`.

        Raises
        ------
        ValueError
            Where a decay factor has none.
        """
        euler = self.method == "euler"
        if (beta >= 1).any() or (beta < 0).any() or (not euler and (beta == 0).any()):
            bounds = "[0, 1)" if euler else "(0, 1)"
            worst = float(beta.max() if (beta >= 1).any() else beta.min())
            raise ValueError(
                f"{where}: {name}: expected decay factors in {bounds}, which have a time constant, "
                f"got {worst:g}"
            )
        return np.asarray(self.dt / (1 - beta) if euler else -self.dt / np.log(beta))

    def threshold_of_step(self, threshold: np.ndarray) -> np.ndarray:
        """Return the least membrane that fires, in float64, of a node's threshold."""
        rounded = threshold.astype(NUMPY_TYPES[self.dtype])
        if self.strict:
            # A float64 network has written the number below its threshold, which rounds to it.
            written = np.nextafter(threshold.astype(np.float64), math.inf) == rounded
            after = np.nextafter(rounded, rounded.dtype.type(math.inf))
            rounded = np.where(written, rounded, after)
        return np.asarray(rounded, np.float64)

    def threshold_of_node(self, threshold: np.ndarray) -> np.ndarray:
        """Return a node's threshold of the least membrane that fires."""
        rounded = threshold.astype(NUMPY_TYPES[self.dtype])
        if self.strict:
            rounded = np.nextafter(rounded, rounded.dtype.type(-math.inf))
        return np.asarray(rounded, np.float64)


def snapped(value: np.ndarray, tolerance: float) -> np.ndarray:
    """Return `value` with 1 in place of what differs from 1 by rounding alone."""
    return np.where(np.abs(value - 1) <= tolerance, 1.0, value)
