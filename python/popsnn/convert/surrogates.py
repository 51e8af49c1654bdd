"""Surrogate gradients of other libraries that have no equal among `popsnn.surrogate`."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from ..surrogate import Surrogate


@dataclass(frozen=True)
class StraightThrough(Surrogate):
    """h(x) = 1."""

    def derivative(self, x: Tensor) -> Tensor:
        return 0.0 * x + 1.0


@dataclass(frozen=True)
class NoGradient(Surrogate):
    """h(x) = 0."""

    def derivative(self, x: Tensor) -> Tensor:
        return 0.0 * x


@dataclass(frozen=True)
class Heaviside(Surrogate):
    """h(x) = 1 where x > 0, else 0."""

    def derivative(self, x: Tensor) -> Tensor:
        return torch.where(x > 0, 1.0, 0.0)


@dataclass(frozen=True)
class Sided(Surrogate):
    """h(x) = level where x < 0, else -level: what snnTorch's `triangular` computes."""

    level: float = 1.0

    def derivative(self, x: Tensor) -> Tensor:
        return self.level * torch.where(x < 0, 1.0, -1.0)


@dataclass(frozen=True)
class Exponential(Surrogate):
    """h(x) = height exp(-rate |x - center|)."""

    height: float = 1.0
    rate: float = 1.0
    center: float = 0.0

    def derivative(self, x: Tensor) -> Tensor:
        return self.height * torch.exp(-self.rate * torch.abs(x - self.center))


@dataclass(frozen=True)
class Gauss(Surrogate):
    """h(x) = height exp(-(rate x)^2)."""

    height: float = 1.0
    rate: float = 1.0

    def derivative(self, x: Tensor) -> Tensor:
        scaled = self.rate * x
        return self.height * torch.exp(-(scaled * scaled))


@dataclass(frozen=True)
class Tanh(Surrogate):
    """h(x) = 1 - tanh(slope x)^2."""

    slope: float = 1.0

    def derivative(self, x: Tensor) -> Tensor:
        y = torch.tanh(self.slope * x)
        return 1 - y * y


@dataclass(frozen=True)
class Hyperbola(Surrogate):
    """h(x) = 1 / (1 / alpha + |x|)."""

    alpha: float = 1.0

    def derivative(self, x: Tensor) -> Tensor:
        return 1 / (1 / self.alpha + torch.abs(x))


@dataclass(frozen=True)
class Step(Surrogate):
    """h(x) = 1 / (2 width) where |x| < width, else `outside`."""

    width: float = 1.0
    outside: float = 0.01

    def derivative(self, x: Tensor) -> Tensor:
        inside = torch.where(torch.abs(x) < self.width, 1.0, 0.0).to(x.dtype)
        return inside * (1 / (2 * self.width)) + (1 - inside) * self.outside


@dataclass(frozen=True)
class Circle(Surrogate):
    """h(x) = alpha^3 / (alpha^2 + x^2)^(3/2), as norse's "circ" computes it."""

    alpha: float = 1.0

    def derivative(self, x: Tensor) -> Tensor:
        squares = self.alpha * self.alpha + x * x
        root = torch.sqrt(squares)
        return (1 / (2 * root) - x * x / (2 * squares * root)) * 2 * self.alpha
