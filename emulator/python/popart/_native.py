"""The native half of the emulated PopART: the registry of operators, devices and exceptions."""

from __future__ import annotations

import importlib
from typing import Any

native: Any = importlib.import_module("popsnn._popart")
popart_exception: Any = native.popart_exception
popart_internal_exception: Any = native.popart_internal_exception
poplar_exception: Any = native.poplar_exception
poplibs_exception: Any = native.poplibs_exception
poplar_runtime_error: Any = type("poplar_runtime_error", (poplar_exception,), {})
poplar_application_runtime_error: Any = type(
    "poplar_application_runtime_error", (poplar_runtime_error,), {}
)
popart_runtime_error: Any = type("popart_runtime_error", (popart_exception,), {})


def onnx() -> Any:
    """Return the package onnx, which models of PopART are made of.

    Raises
    ------
    ImportError
        Where it is not installed.
    """
    try:
        return importlib.import_module("onnx")
    except ImportError as error:
        raise ImportError(
            f"popart: the emulated PopART needs the package onnx (pip install onnx): {error}"
        ) from error
