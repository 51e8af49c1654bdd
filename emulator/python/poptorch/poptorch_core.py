"""The part of PopTorch's native module that scripts name: its exceptions."""

from __future__ import annotations

from ._context import isRunningOnIpu
from ._errors import Error, RecoverableError, UnrecoverableError

__all__ = ["Error", "RecoverableError", "UnrecoverableError", "isCompilingWithDispatcher"]


def isCompilingWithDispatcher() -> bool:
    """Whether this is called from a model on the device, where PopTorch would trace it."""
    return isRunningOnIpu()
