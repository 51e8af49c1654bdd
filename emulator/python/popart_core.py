"""The module that PopART's own Python code is built on: the names of `popart`."""

from __future__ import annotations

from typing import Any

import popart


def __getattr__(name: str) -> Any:
    return getattr(popart, name)
