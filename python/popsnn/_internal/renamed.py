"""Earlier names of public attributes and arguments, which warn for one release."""

from __future__ import annotations

import warnings
from typing import Any


def warn(operation: str, old: str, new: str, level: int = 3) -> None:
    """Warn of the earlier name `old` of `new`; `level` is the stack level that it names."""
    warnings.warn(
        f"{operation}: {old}: expected {new}, the present name, got the earlier one",
        DeprecationWarning,
        stacklevel=level,
    )


def replaced(earlier: str, new: str, level: int = 3) -> None:
    """Warn of the class `earlier`, in whose place is `new`."""
    warnings.warn(
        f"{earlier}: expected {new}, got the earlier class", DeprecationWarning, stacklevel=level
    )


def alias(old: str, new: str) -> Any:
    """Return a property that reads the attribute `new` and warns."""

    def read(self: Any) -> Any:
        warn(type(self).__name__, old, new)
        return getattr(self, new)

    return property(read, doc=f"The earlier name of `{new}`, which warns.")
