"""The part of PopTorch's native module that scripts name: its exceptions."""

from __future__ import annotations

import enum

from ._context import isRunningOnIpu
from ._errors import Error, RecoverableError, UnrecoverableError
from ._settings.session_options import check_options as _validateOptions

__all__ = [
    "Error",
    "RecoverableError",
    "TestErrorType",
    "UnrecoverableError",
    "_validateOptions",
    "isCompilingWithDispatcher",
]


def isCompilingWithDispatcher() -> bool:
    """Whether this is called from a model on the device, where PopTorch would trace it."""
    return isRunningOnIpu()


class TestErrorType(enum.IntEnum):
    """Errors that `_throwTestError` can raise, to try a script's handling of them."""

    Poptorch = 0
    Popart = 1
    PopartInternal = 2
    Poplibs = 3
    PoplarUnrecoverable = 4
    PoplarUnknown = 5
    PoplarRecoverableFullReset = 6
    PoplarLinkError = 7


_KINDS = {
    TestErrorType.Poptorch: "poptorch_cpp_error",
    TestErrorType.Popart: "popart_exception",
    TestErrorType.PopartInternal: "popart_internal_exception",
    TestErrorType.Poplibs: "poplibs_exception",
    TestErrorType.PoplarUnrecoverable: "poplar_unrecoverable_runtime_error",
    TestErrorType.PoplarUnknown: "poplar_unknown_runtime_error",
    TestErrorType.PoplarRecoverableFullReset: "poplar_recoverable_runtime_error",
    TestErrorType.PoplarLinkError: "poplar_link_error",
}


def _throwTestError(kind: TestErrorType) -> None:
    """Raise an error as the device or a part of PopTorch would."""
    chosen = TestErrorType(kind)
    message = f"a test of {chosen.name}"
    location = "throwTestError::topLevel, throwTestError::bottomLevel"
    if chosen == TestErrorType.PoplarRecoverableFullReset:
        error = RecoverableError(message, _KINDS[chosen], location)
        error.recovery_action = "FULL_RESET"
        raise error
    if chosen == TestErrorType.PoplarUnrecoverable:
        raise UnrecoverableError(message, _KINDS[chosen], location)
    if chosen == TestErrorType.PoplarLinkError:
        message += ". Output of the linker: -lfoo not found"
    raise Error(message, _KINDS[chosen], location)
