"""The earlier place of `popsnn.neurons.AdaptiveLIF`, under the name ALIF."""

from __future__ import annotations

from typing import Any

from .._internal import renamed
from ..neurons import AdaptiveLIF

__all__ = ["ALIF"]  # noqa: F822  # below


def __getattr__(name: str) -> Any:
    if name != "ALIF":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    renamed.warn("extensions.alif", "ALIF", "popsnn.neurons.AdaptiveLIF")
    return AdaptiveLIF
