"""Options: attributes of a module that are checked whenever they are set."""

from __future__ import annotations

import math
from typing import Any, Callable, ClassVar, Mapping

from torch import Tensor, nn

from .._internal import checks
from .._internal.checks import PerNeuron
from ._parts import register

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
            super().__setattr__(name, value)


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
    value = checks.per_neuron(operation, "threshold", value, size)
    checks.grad_threshold(operation, vars(module).get("grad_threshold"), value)
    return value


def grad_threshold(module: nn.Module, operation: str, value: float | None) -> float | None:
    """Check a gradient threshold; a threshold that is learnt may come to lie below it."""
    of_spikes = getattr(module, "threshold", math.inf)  # not there yet in a constructor
    limit = math.inf if isinstance(of_spikes, nn.Parameter) else of_spikes
    return checks.grad_threshold(operation, value, limit)
