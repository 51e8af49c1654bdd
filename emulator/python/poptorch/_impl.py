"""Functions of PopTorch's module of this name that scripts call."""

from __future__ import annotations

from ._context import isRunningOnIpu
from ._errors import Error

__all__ = ["createPoptorchError", "isDispatchTracing", "isRunningOnIpu"]


def createPoptorchError(msg: str) -> Error:
    """Return an error with this sentence."""
    return Error(msg)


def isDispatchTracing() -> bool:
    """Whether this is called from a model on the device."""
    return isRunningOnIpu()
