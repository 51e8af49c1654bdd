"""The part of PopTorch's native module that scripts name: its exceptions."""

from __future__ import annotations

from ._errors import Error, RecoverableError, UnrecoverableError

__all__ = ["Error", "RecoverableError", "UnrecoverableError"]
