"""The native half of the emulation: PopART's operations, their device, and errors as PopTorch's."""

from __future__ import annotations

import importlib
import os
from contextlib import contextmanager
from typing import Any, Iterator

from ._errors import Error


def native() -> Any:
    """Return the module with PopART's operations.

    Importing it loads libpopart, which a library of custom operations registers with.

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


def device_of(options: Any) -> Any:
    """Return the device that the options ask for; None is one whole modelled IPU.

    `POPTORCH_SMALL_IPU_MODEL=1` takes one of four tiles, as PopTorch's small model.
    """
    popart = options._Popart.options
    chosen: dict[str, Any] = {}
    if os.environ.get("POPTORCH_SMALL_IPU_MODEL", "0") not in ("", "0"):
        chosen["tiles_per_ipu"] = 4
    if popart.get("engineOptions"):
        chosen["engine_options"] = dict(popart["engineOptions"])
    if popart.get("customCodelets"):
        chosen["codelets"] = list(popart["customCodelets"])
        chosen["codelet_flags"] = popart.get("customCodeletCompileFlags", "")
    return native().Device(**chosen) if chosen else None
