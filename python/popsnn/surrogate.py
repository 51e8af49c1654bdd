"""Surrogate gradients: what stands in for the derivative of a spike.

Each surrogate has the derivative h(x) that the backward pass uses, at x = v - threshold, and its
primitive H with H' = h, which the tests put in place of the spike to compare the whole backward
pass with finite differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, ClassVar

import torch
from torch import Tensor

from ._internal.poptorch import running


class Surrogate:
    """Base of the surrogates. `name` stands for one where a layer takes a string."""

    name: ClassVar[str]

    @property
    def parameter(self) -> float:
        """The slope or width."""
        raise NotImplementedError

    @property
    def cuda_source(self) -> str | None:
        """C++ that declares `Shape` as `cuda/popsnn/neurons/surrogates.cuh` has it, or None."""
        return f"using Shape = popsnn::{type(self).__name__}; "

    def derivative(self, x: Tensor) -> Tensor:
        """h(x), any shape."""
        raise NotImplementedError

    def primitive(self, x: Tensor) -> Tensor:
        """H(x), any shape."""
        raise NotImplementedError


def _positive(surrogate: Surrogate, name: str, value: float) -> None:
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(
            f"{type(surrogate).__name__}: {name}: expected a positive number, got {value}"
        )


@dataclass(frozen=True)
class _Sloped(Surrogate):
    slope: float

    def __post_init__(self) -> None:
        _positive(self, "slope", self.slope)

    @property
    def parameter(self) -> float:
        return self.slope


@dataclass(frozen=True)
class _Wide(Surrogate):
    width: float = 1.0

    def __post_init__(self) -> None:
        _positive(self, "width", self.width)

    @property
    def parameter(self) -> float:
        return self.width


@dataclass(frozen=True)
class SuperSpike(_Sloped):
    """h(x) = 1 / (slope |x| + 1)^2 (Zenke and Ganguli, 2018)."""

    name: ClassVar[str] = "superspike"
    slope: float = 10.0

    def derivative(self, x: Tensor) -> Tensor:
        return (self.slope * x.abs() + 1).pow(-2)

    def primitive(self, x: Tensor) -> Tensor:
        return x / (self.slope * x.abs() + 1)


@dataclass(frozen=True)
class Sigmoid(_Sloped):
    """h(x) = slope sig(slope x) (1 - sig(slope x)).

    CUDA kernels of 16-bit tensors compute it within 2^-10 of its largest value, slope / 4.
    """

    name: ClassVar[str] = "sigmoid"
    slope: float = 4.0

    def derivative(self, x: Tensor) -> Tensor:
        sig = torch.sigmoid(self.slope * x)
        return self.slope * sig * (1 - sig)

    def primitive(self, x: Tensor) -> Tensor:
        return torch.sigmoid(self.slope * x)


@dataclass(frozen=True)
class ATan(_Sloped):
    """h(x) = slope/2 / (1 + (pi/2 slope x)^2) (Fang et al., 2021)."""

    name: ClassVar[str] = "atan"
    slope: float = 2.0

    def derivative(self, x: Tensor) -> Tensor:
        return self.slope / 2 / (1 + (math.pi / 2 * self.slope * x).pow(2))

    def primitive(self, x: Tensor) -> Tensor:
        return torch.atan(math.pi / 2 * self.slope * x) / math.pi + 0.5


@dataclass(frozen=True)
class Triangle(_Wide):
    """h(x) = max(0, 1 - |x| / width) / width (Esser et al., 2016)."""

    name: ClassVar[str] = "triangle"

    def derivative(self, x: Tensor) -> Tensor:
        return (1 - x.abs() / self.width).clamp_min(0) / self.width

    def primitive(self, x: Tensor) -> Tensor:
        y = (x / self.width).clamp(-1, 1)
        return 0.5 + y - 0.5 * y * y.abs()


@dataclass(frozen=True)
class Rectangle(_Wide):
    """h(x) = 1 / width where |x| < width / 2, else 0 (Wu et al., 2018)."""

    name: ClassVar[str] = "rectangle"

    def derivative(self, x: Tensor) -> Tensor:
        return (x.abs() < self.width / 2).to(x.dtype) / self.width

    def primitive(self, x: Tensor) -> Tensor:
        return (x / self.width + 0.5).clamp(0, 1)


@dataclass(frozen=True)
class Custom(Surrogate):
    """A custom surrogate: a smooth function and its derivative.

    Parameters
    ----------
    function, function_derivative : Callable
        H and h, of tensors of any shape.
    cuda : str, optional
        h as a CUDA expression of `u`, as in "1.0f / (1.0f + u * u)"; without it the surrogate is
        one of the torch engine alone.
    """

    name: ClassVar[str] = "custom"
    function: Callable[[Tensor], Tensor]
    function_derivative: Callable[[Tensor], Tensor]
    cuda: str | None = None

    @property
    def parameter(self) -> float:
        raise TypeError("Custom: parameter: a custom surrogate has none, only its two functions")

    @property
    def cuda_source(self) -> str | None:
        if self.cuda is None:
            return None
        function = f"static float derivative(float u, float) {{ return {self.cuda}; }}"
        return f"struct Shape {{ POPSNN_DEVICE {function} }}; "

    def derivative(self, x: Tensor) -> Tensor:
        return self.function_derivative(x)

    def primitive(self, x: Tensor) -> Tensor:
        return self.function(x)


NAMED = (SuperSpike, Sigmoid, ATan, Triangle, Rectangle)
"""The surrogates that every engine has."""

_BY_NAME: dict[str, type[Surrogate]] = {kind.name: kind for kind in NAMED}


def resolve(surrogate: Surrogate | str | None) -> Surrogate:
    """Return the surrogate that a name stands for; None is `SuperSpike()`."""
    if surrogate is None:
        return SuperSpike()
    if isinstance(surrogate, Surrogate):
        return surrogate
    if isinstance(surrogate, str) and surrogate in _BY_NAME:
        return _BY_NAME[surrogate]()
    raise ValueError(
        f"surrogate: expected a Surrogate or one of {', '.join(_BY_NAME)}, got {surrogate!r}"
    )


class _Spike(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        fired: Tensor,
        active: Tensor | None,
        surrogate: Surrogate,
        smooth: bool,
    ) -> Tensor:
        ctx.save_for_backward(x, *(() if active is None else (active,)))
        ctx.surrogate = surrogate
        return surrogate.primitive(x) if smooth else fired.to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, *active = ctx.saved_tensors
        grad = grad * ctx.surrogate.derivative(x)
        return (grad * active[0] if active else grad), None, None, None, None


def spike(
    x: Tensor,
    fired: Tensor,
    active: Tensor | None = None,
    *,
    surrogate: Surrogate,
    smooth: bool = False,
) -> Tensor:
    """Return the spikes `fired`, with the surrogate's derivative at `x` as their gradient.

    Parameters
    ----------
    x : float Tensor, any shape
        v - threshold.
    fired : bool Tensor of the same shape
    active : bool Tensor of the same shape, optional
        Where the gradient passes; default everywhere.
    smooth : bool
        Return H(x) instead of the spikes, whose true derivative is then the gradient.
    """
    if not smooth and running() is not None:
        # PopTorch differentiates the graph itself, and knows nothing of a Function's backward.
        slope = surrogate.derivative(x.detach())
        if active is not None:
            slope = slope * active
        return fired.to(x.dtype) + slope * (x - x.detach())
    result: Tensor = _Spike.apply(x, fired, active, surrogate, smooth)
    return result
