"""Surrogate gradients: what stands in for the derivative of a spike.

Each surrogate has the derivative h(x) that the backward pass uses, at x = v - threshold, and its
primitive H with H' = h, which the tests put in place of the spike to compare the whole backward
pass with finite differences.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Callable, ClassVar

import torch
from torch import Tensor

from ._internal.poptorch import running
from .tracing.memory import Remembering, constant, options_of, remembered

if TYPE_CHECKING:
    from .tracing.expression import Expression, Expressions


class Surrogate(Remembering):
    """Base of the surrogates, of which a subclass writes a primitive, a derivative, or both.

    They are torch functions of x = v - threshold. The derivative of a primitive alone is derived,
    and kernels are made from either. `name` stands for one where a layer takes a string.
    """

    name: ClassVar[str] = "custom"
    scale: float = 1.0

    @property
    def parameter(self) -> float:
        """The slope or width; 0 where there is none."""
        return 0.0

    @property
    def cuda_source(self) -> str | None:
        """C++ that declares `Shape` as `cuda/popsnn/neurons/surrogates.cuh` has it, or None.

        Raises
        ------
        NotImplementedError
            Where an operation of torch has no translation.
        """
        return self._source()

    @property
    def codelet_source(self) -> str | None:
        """C++ that returns h(u) in a codelet, from `parameter`; None where codelets have it.

        Raises
        ------
        NotImplementedError
            Where an operation of torch has no translation.
        """
        return remembered(self, "codelet", self._body)

    def derivative(self, x: Tensor) -> Tensor:
        """h(x), any shape."""
        with torch.enable_grad():
            at = x.detach().requires_grad_()
            (slope,) = torch.autograd.grad(self.primitive(at).sum(), at)
        return slope

    def primitive(self, x: Tensor) -> Tensor:
        """H(x), any shape."""
        raise NotImplementedError(
            f"{type(self).__name__}: primitive: expected a function, got none: `smooth` needs it"
        )

    @constant
    def _source(self) -> str:
        return remembered(self, "source", self._translated)

    def _translated(self) -> str:
        body = self._body()
        function = f"static float derivative([[maybe_unused]] float u, float) {{ {body} }}"
        return f"struct Shape {{ POPSNN_DEVICE {function} }}; "

    def _body(self) -> str:
        from .tracing.source import function_source  # a first use needs it, an import does not

        return function_source(*self._slope(), {"u": "u"})

    def _slope(self) -> tuple[Expressions, Expression]:
        from .tracing.step import derivative_of, trace_function

        name = type(self).__name__
        if type(self).derivative is Surrogate.derivative:
            return derivative_of(*trace_function(f"{name}: primitive", self.primitive))
        return trace_function(f"{name}: derivative", self.derivative)

    def __getstate__(self) -> dict[str, Any]:
        return options_of(self)


def _positive(surrogate: Surrogate, name: str, value: float) -> None:
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(
            f"{type(surrogate).__name__}: {name}: expected a positive number, got {value}"
        )


class _Named(Surrogate):
    """Base of the surrogates whose C++ is written by hand, with approximate instructions.

    `scale` is a factor on the derivative.
    """

    @property
    def cuda_source(self) -> str | None:
        if type(self) not in NAMED:  # one that inherits from them
            return self._source()
        shape = f"popsnn::{type(self).__name__}"
        if self.scale != 1.0:
            (bits,) = struct.unpack("I", struct.pack("f", self.scale))
            shape = f"popsnn::Scaled<{shape}, {bits:#x}u>"
        return f"using Shape = {shape}; "

    @property
    def codelet_source(self) -> str | None:
        if type(self) not in NAMED:
            return super().codelet_source
        if self.scale == 1.0:
            return None
        shape = f"popsnn::surrogate_derivative<popsnn::Surrogate::{type(self).__name__}>"
        return f"return {float(self.scale)!r}f * {shape}(u, parameter);"

    def derivative(self, x: Tensor) -> Tensor:
        slope = self._derivative(x)
        return slope if self.scale == 1.0 else self.scale * slope

    def primitive(self, x: Tensor) -> Tensor:
        value = self._primitive(x)
        return value if self.scale == 1.0 else self.scale * value

    def _derivative(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _primitive(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = (f.name for f in fields(self) if f.name != "scale" or self.scale != 1.0)  # type: ignore[arg-type]
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__name__}({values})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and options_of(other) == options_of(self)

    def __hash__(self) -> int:
        return hash(tuple(options_of(self).values()))


class _Sloped(_Named):
    slope: float

    def __post_init__(self) -> None:
        _positive(self, "slope", self.slope)
        _positive(self, "scale", self.scale)

    @property
    def parameter(self) -> float:
        return self.slope


class _Wide(_Named):
    width: float

    def __post_init__(self) -> None:
        _positive(self, "width", self.width)
        _positive(self, "scale", self.scale)

    @property
    def parameter(self) -> float:
        return self.width


@dataclass(frozen=True, eq=False, repr=False)
class SuperSpike(_Sloped):
    """h(x) = 1 / (slope |x| + 1)^2 (Zenke and Ganguli, 2018), times `scale`.

    SpikingJelly's `SoftSign(alpha)` is `SuperSpike(alpha, scale=alpha / 2)`.
    """

    name: ClassVar[str] = "superspike"
    slope: float = 10.0
    scale: float = 1.0

    def _derivative(self, x: Tensor) -> Tensor:
        return (self.slope * x.abs() + 1).pow(-2)

    def _primitive(self, x: Tensor) -> Tensor:
        return x / (self.slope * x.abs() + 1)


@dataclass(frozen=True, eq=False, repr=False)
class Sigmoid(_Sloped):
    """h(x) = slope sig(slope x) (1 - sig(slope x)).

    CUDA kernels of 16-bit tensors compute it within 2^-10 of its largest value, slope / 4.
    """

    name: ClassVar[str] = "sigmoid"
    slope: float = 4.0
    scale: float = 1.0

    def _derivative(self, x: Tensor) -> Tensor:
        sig = torch.sigmoid(self.slope * x)
        return self.slope * sig * (1 - sig)

    def _primitive(self, x: Tensor) -> Tensor:
        return torch.sigmoid(self.slope * x)


@dataclass(frozen=True, eq=False, repr=False)
class ATan(_Sloped):
    """h(x) = slope/2 / (1 + (pi/2 slope x)^2) (Fang et al., 2021)."""

    name: ClassVar[str] = "atan"
    slope: float = 2.0
    scale: float = 1.0

    def _derivative(self, x: Tensor) -> Tensor:
        return self.slope / 2 / (1 + (math.pi / 2 * self.slope * x).pow(2))

    def _primitive(self, x: Tensor) -> Tensor:
        return torch.atan(math.pi / 2 * self.slope * x) / math.pi + 0.5


@dataclass(frozen=True, eq=False, repr=False)
class Triangle(_Wide):
    """h(x) = max(0, 1 - |x| / width) / width (Esser et al., 2016)."""

    name: ClassVar[str] = "triangle"
    width: float = 1.0
    scale: float = 1.0

    def _derivative(self, x: Tensor) -> Tensor:
        return (1 - x.abs() / self.width).clamp_min(0) / self.width

    def _primitive(self, x: Tensor) -> Tensor:
        y = (x / self.width).clamp(-1, 1)
        return 0.5 + y - 0.5 * y * y.abs()


@dataclass(frozen=True, eq=False, repr=False)
class Rectangle(_Wide):
    """h(x) = 1 / width where |x| < width / 2, else 0 (Wu et al., 2018)."""

    name: ClassVar[str] = "rectangle"
    width: float = 1.0
    scale: float = 1.0

    def _derivative(self, x: Tensor) -> Tensor:
        return (x.abs() < self.width / 2).to(x.dtype) / self.width

    def _primitive(self, x: Tensor) -> Tensor:
        return (x / self.width + 0.5).clamp(0, 1)


@dataclass(frozen=True)
class Custom(Surrogate):
    """A surrogate of functions: a primitive, its derivative, or both.

    Parameters
    ----------
    function, function_derivative : Callable, optional
        H and h, of tensors of any shape. Without h it is the derivative of H; without H there is no
        `smooth`.
    cuda : str, optional
        h as a CUDA expression of `u`, as in "1.0f / (1.0f + u * u)", in place of the one that is
        made from the functions.
    scale : float
        Factor on both.

    Raises
    ------
    ValueError
        Where there is no function.
    """

    function: Callable[[Tensor], Tensor] | None = None
    function_derivative: Callable[[Tensor], Tensor] | None = None
    cuda: str | None = None
    scale: float = 1.0

    def __post_init__(self) -> None:
        _positive(self, "scale", self.scale)
        if self.function is None and self.function_derivative is None:
            raise ValueError("Custom: expected a function or its derivative, got none")

    @property
    def parameter(self) -> float:
        raise TypeError("Custom: parameter: a custom surrogate has none, only its functions")

    @property
    def cuda_source(self) -> str | None:
        if self.cuda is None:
            return self._source()
        value = f"{float(self.scale)!r}f * ({self.cuda})"
        function = f"static float derivative(float u, float) {{ return {value}; }}"
        return f"struct Shape {{ POPSNN_DEVICE {function} }}; "

    def derivative(self, x: Tensor) -> Tensor:
        if self.function_derivative is None:
            return super().derivative(x)
        return self.scale * self.function_derivative(x)

    def primitive(self, x: Tensor) -> Tensor:
        return super().primitive(x) if self.function is None else self.scale * self.function(x)

    def _slope(self) -> tuple[Expressions, Expression]:
        from .tracing.step import derivative_of, trace_function

        if self.function_derivative is None:
            return derivative_of(*trace_function("Custom: function", self.primitive))
        return trace_function("Custom: function_derivative", self.derivative)


NAMED = (SuperSpike, Sigmoid, ATan, Triangle, Rectangle)
"""The surrogates that every engine has."""

_BY_NAME: dict[str, type[Surrogate]] = {kind.name: kind for kind in NAMED}


_DEFAULT = SuperSpike()


def resolve(surrogate: Surrogate | str | None) -> Surrogate:
    """Return the surrogate that a name stands for; None is `SuperSpike()`."""
    if surrogate is None:
        return _DEFAULT
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
