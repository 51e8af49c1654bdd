"""Engines that run on this machine, and the reasons why others do not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Callable

import torch

from . import cuda
from ._internal.native import native
from ._internal.paths import has_sdk


@dataclass(frozen=True)
class BackendInfo:
    """Whether an engine is `available`, on what `device`, and if not, for what `reason`."""

    available: bool
    device: str | None
    reason: str | None


@lru_cache(maxsize=None)
def _ipu() -> BackendInfo:
    try:
        native()
    except ImportError as error:
        return BackendInfo(False, None, str(error))
    device = "IPUs and IPU models of the Poplar SDK" if has_sdk() else "emulated IPU"
    return BackendInfo(True, device, None)


def _cuda() -> BackendInfo:
    reason = cuda.unavailable()
    if reason is not None:
        return BackendInfo(False, None, reason)
    names = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    return BackendInfo(True, ", ".join(names), None)


def _torch() -> BackendInfo:
    return BackendInfo(True, f"CPU, {torch.get_num_threads()} threads", None)


_BACKENDS: dict[str, Callable[[], BackendInfo]] = {"torch": _torch, "ipu": _ipu, "cuda": _cuda}


def backend(name: str) -> BackendInfo:
    """Return whether one engine is available, on what device, and if not, why."""
    return _BACKENDS[name]()


def backends() -> dict[str, BackendInfo]:
    """Return every engine's name with whether it is available, on what device, and if not, why."""
    return {name: backend(name) for name in _BACKENDS}
