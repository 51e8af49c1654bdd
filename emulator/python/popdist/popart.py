"""Options of PopART's sessions for a single instance."""

from __future__ import annotations

from typing import Any

from . import getNumInstances

__all__ = ["configureSessionOptions"]


def configureSessionOptions(options: Any) -> Any:
    """Return `popart.SessionOptions` as they are: one instance has one replica of its own.

    Raises
    ------
    RuntimeError
        Where `poprun` has started this process.
    """
    getNumInstances()
    return options
