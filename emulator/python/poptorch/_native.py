"""The native half of the emulation: PopART's operations, and its errors as PopTorch's."""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from typing import Any, Iterator

from ._errors import Error


def native() -> Any:
    """Return the module with PopART's operations.

    Importing it loads libpopart.so, which a library of custom operations registers with.

    Raises
    ------
    ImportError
        Where popsnn is not installed with its native part.
    """
    try:
        return importlib.import_module("popsnn._popart")
    except ImportError as error:
        raise ImportError(
            f"poptorch: the emulated PopTorch needs popsnn with its native part: {error}"
        ) from error


@contextmanager
def popart_errors() -> Iterator[None]:
    """Turn exceptions of PopART, Poplar and its libraries into PopTorch's."""
    module = native()
    kinds = ("popart_exception", "popart_internal_exception", "poplar_exception")
    known = tuple(getattr(module, kind) for kind in (*kinds, "poplibs_exception"))
    try:
        yield
    except known as error:
        raise Error(str(error), type(error).__name__) from error
