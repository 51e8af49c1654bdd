"""Options: attributes of a module that are checked whenever they are set; their checks."""

from __future__ import annotations

import math
from typing import Any, Callable, ClassVar, Mapping

import torch
from torch import Tensor, nn

from .._internal import checks
from .._internal.auto_capacity import AUTO
from .._internal.checks import PerNeuron

Check = Callable[[Any, str, Any], Any]
"""Takes a module, its name in messages and a value; returns what the module keeps, or raises."""


class Options(nn.Module):
    """Base of modules with options, which the constructor sets as anybody does later.

    Each class lists its own options in `CHECKS`, and in `FIXED` those that nobody sets again.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {}
    FIXED: ClassVar[tuple[str, ...]] = ()
    _checks: ClassVar[dict[str, Check]]  # of the bases too
    _fixed: ClassVar[frozenset[str]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        bases = [vars(base) for base in reversed(cls.__mro__)]
        cls._checks = {k: v for base in bases for k, v in base.get("CHECKS", {}).items()}
        cls._fixed = frozenset(name for base in bases for name in base.get("FIXED", ()))

    def _checked(self, name: str, value: Any) -> Any:
        """Return what the module keeps of a value of the option `name`.

        Raises
        ------
        TypeError, ValueError
            Where the value is out of the option's range.
        """
        check = self._check_of(name)
        return value if check is None else check(self, type(self).__name__, value)

    def _check_of(self, name: str) -> Check | None:
        return self._checks.get(name)

    def _register(
        self, name: str, value: Any, learn: bool = False, size: int | None = None
    ) -> None:
        """Set an option that may be a tensor, or learnt, as `register` does."""
        checks.flag(type(self).__name__, f"learn_{name}", learn)
        register(self, name, self._checked(name, value), learn, size)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._fixed and hasattr(self, name):
            raise AttributeError(
                f"{type(self).__name__}: {name}: expected what the constructor made of it, "
                f"{getattr(self, name)!r}, got {value!r}"
            )
        # The values of a parameter are an optimizer's, and a decay is clamped where it is used.
        if isinstance(value, nn.Parameter) or self._check_of(name) is None:
            super().__setattr__(name, value)
            return
        value = self._checked(name, value)
        if isinstance(value, Tensor) and name not in self._parameters:
            register(self, name, value)
        else:
            if not isinstance(value, Tensor):
                self._buffers.pop(name, None)  # of an option that was a tensor
            if not isinstance(value, nn.Module):
                self._modules.pop(name, None)  # of one that was a module
            super().__setattr__(name, value)


def register(
    module: nn.Module, name: str, value: PerNeuron, learn: bool = False, size: int | None = None
) -> None:
    """Set `name` on the module: a float as it is, a tensor as buffer, a learnt one as parameter.

    With a `size`, a learnt one has an entry for each of that many neurons.

    Raises
    ------
    ValueError
        Where a tensor that is not learnt requires a gradient, which a buffer would not have.
    """
    if not learn and isinstance(value, Tensor) and value.requires_grad:
        raise ValueError(
            f"{type(module).__name__}: {name}: expected a tensor without a gradient where it is "
            "not learnt, got one that requires it"
        )
    if learn:
        # A number goes to the default device, as weights do; a tensor stays where it is.
        initial = value.detach() if isinstance(value, Tensor) else torch.tensor(value)
        initial = initial.to(torch.get_default_dtype())
        initial = initial if size is None else initial.expand(size)
        module.register_parameter(name, nn.Parameter(initial.clone()))
    elif isinstance(value, Tensor):
        module.__dict__.pop(name, None)  # a number before
        module.register_buffer(name, value.detach().clone())
    else:
        setattr(module, name, value)


def clamped(value: PerNeuron, bounds: tuple[float, float] | None) -> PerNeuron:
    """Return a learnt value clamped to its bounds, if it has any, and any other as it is."""
    if bounds is None or not isinstance(value, nn.Parameter):
        return value
    low, high = (bound if math.isfinite(bound) else None for bound in bounds)
    return value if low is None and high is None else value.clamp(low, high)


def in_unit_interval(value: PerNeuron) -> PerNeuron:
    """Return a learnt decay factor clamped to [0, 1], and any other as it is."""
    return clamped(value, (0, 1))


def shown(module: nn.Module, *names: str) -> str:
    """Return neurons' parameters as `print` shows them: the value or its range, and what learns."""
    return ", ".join(f"{name}={_shown(getattr(module, name))}" for name in names)


def _shown(value: PerNeuron) -> str:
    if not isinstance(value, Tensor):
        return f"{value:g}"
    learnt = " (learnt)" if isinstance(value, nn.Parameter) else ""
    if value.is_meta or not value.numel():
        return f"{tuple(value.shape)}{learnt}"
    low, high = (float(bound) for bound in value.detach().aminmax())
    return (f"{low:g}" if low == high else f"{low:g}..{high:g}") + learnt


def threshold(
    module: nn.Module, operation: str, value: PerNeuron, size: int | None = None
) -> PerNeuron:
    """Check a threshold, which no gradient threshold may lie above."""
    value = per_neuron(operation, "threshold", value, size)
    checks.grad_threshold(operation, vars(module).get("grad_threshold"), value)
    return value


def grad_threshold(module: nn.Module, operation: str, value: float | None) -> float | None:
    """Check a gradient threshold.

    A threshold that is learnt may come to lie below it, and one that homeostasis moves rises to it.
    """
    of_spikes = getattr(module, "threshold", math.inf)  # not there yet in a constructor
    moves = getattr(module, "homeostasis", None) is not None
    limit = math.inf if moves or isinstance(of_spikes, nn.Parameter) else of_spikes
    return checks.grad_threshold(operation, value, limit)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def per_neuron(operation: str, name: str, value: PerNeuron, size: int | None) -> PerNeuron:
    """Return a finite float, or a finite float tensor [size]."""
    if not isinstance(value, Tensor):
        if not _is_number(value):
            raise TypeError(
                f"{operation}: {name}: expected a number or a tensor, got {type(value).__name__}"
            )
        if not math.isfinite(value):
            raise ValueError(f"{operation}: {name}: expected a finite number, got {value}")
        return float(value)
    if not value.is_floating_point():
        raise TypeError(f"{operation}: {name}: expected a float tensor, got {value.dtype}")
    if size is not None and tuple(value.shape) != (size,):
        raise ValueError(
            f"{operation}: {name}: expected a float or a tensor of shape ({size},), "
            f"got shape {tuple(value.shape)}"
        )
    if not bool(torch.isfinite(value).all()):
        raise ValueError(f"{operation}: {name}: expected finite values, got NaN or infinity")
    return value


def within(
    operation: str,
    name: str,
    value: PerNeuron,
    bounds: tuple[float, float] | None,
    size: int | None = None,
) -> PerNeuron:
    """Return a finite float, or a finite float tensor [size], of values in the bounds, if any."""
    value = per_neuron(operation, name, value, size)
    if bounds is None or (isinstance(value, Tensor) and not value.numel()):
        return value
    low, high = bounds
    least = most = value
    if isinstance(value, Tensor):
        least, most = (float(each) for each in value.detach().aminmax())
    if least < low or most > high:
        raise ValueError(
            f"{operation}: {name}: expected values in [{low:g}, {high:g}], got "
            f"{least if least < low else most:g}"
        )
    return value


def beta(operation: str, value: PerNeuron, size: int | None, name: str = "beta") -> PerNeuron:
    """Return a decay factor in [0, 1]."""
    return within(operation, name, value, (0, 1), size)


def capacity(operation: str, max_activity: float | str | None, size: int) -> int:
    """Return the capacity of a layer of `size` neurons; an automatic one begins at all of them."""
    if max_activity is None or (isinstance(max_activity, str) and max_activity == AUTO):
        return size
    if isinstance(max_activity, str):
        raise ValueError(
            f"{operation}: max_activity: expected a number in (0, 1], 'auto' or None, got "
            f"{max_activity!r}"
        )
    if not _is_number(max_activity):
        raise TypeError(
            f"{operation}: max_activity: expected a number, got {type(max_activity).__name__}"
        )
    if not 0.0 < max_activity <= 1.0:
        raise ValueError(
            f"{operation}: max_activity: expected a number in (0, 1], got {max_activity}"
        )
    return min(size, max(1, math.ceil(max_activity * size)))


def weight_dtype(operation: str, value: object) -> torch.dtype | None:
    """Return `value` where it is a type that weights may be rounded to, or None."""
    if value is None:
        return None
    for dtype in (torch.float16, torch.bfloat16):
        if value == dtype:
            return dtype
    raise ValueError(
        f"{operation}: weight_dtype: expected None, torch.float16 or torch.bfloat16, got {value}"
    )
