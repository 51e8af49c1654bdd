"""Random numbers of a seed, which float32 holds."""

from __future__ import annotations

import torch
from torch import Tensor


class Numbers:
    """Random numbers of a seed: multiples of 1/q where `exact`, which float32 sums exactly."""

    def __init__(self, seed: int, exact: bool, device: str = "cpu") -> None:
        self.generator = torch.Generator(device).manual_seed(seed)
        self.device = device
        self.exact = exact

    def between(self, low: float, high: float, q: int, *shape: int) -> Tensor:
        """Return numbers in [low, high], of float32."""
        if self.exact:
            first, last = round(low * q), round(high * q)
            whole = torch.randint(
                first, last + 1, shape, generator=self.generator, device=self.device
            )
            return whole.double() / q
        uniform = torch.rand(shape, generator=self.generator, device=self.device)
        return (low + (high - low) * uniform).double()

    def normal(self, mean: float, deviation: float, q: int, *shape: int) -> Tensor:
        """Return numbers of this mean and about this deviation, of float32."""
        if self.exact:
            return self.between(mean - 1.7 * deviation, mean + 1.7 * deviation, q, *shape)
        normal = torch.randn(shape, generator=self.generator, device=self.device)
        return (mean + deviation * normal).double()

    def shaken(self, values: Tensor, rounding: float) -> Tensor:
        """Return the values, each off by up to a relative rounding."""
        uniform = torch.rand(values.shape, generator=self.generator, device=self.device)
        return values * (1 + rounding * (2 * uniform.double() - 1))

    def chance(self, probability: float, *shape: int) -> Tensor:
        """Return masks."""
        uniform = torch.rand(shape, generator=self.generator, device=self.device)
        return uniform < probability
