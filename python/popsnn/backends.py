"""Which engines run here, and why not."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import lru_cache

import torch


@dataclass(frozen=True)
class BackendInfo:
    """Whether an engine is `available`, on what `device`, and if not, for what `reason`."""

    available: bool
    device: str | None
    reason: str | None


@lru_cache(maxsize=None)
def _ipu() -> BackendInfo:
    try:
        importlib.import_module("popsnn._core")
    except ImportError as error:
        return BackendInfo(False, None, f"the extension popsnn._core does not import ({error})")
    return BackendInfo(True, "emulated IPU", None)


def backends() -> dict[str, BackendInfo]:
    """Return every engine's name with whether it is available, on what device, and if not, why."""
    return {
        "torch": BackendInfo(True, f"CPU, {torch.get_num_threads()} threads", None),
        "ipu": _ipu(),
        "cuda": BackendInfo(False, None, "the cuda engine is not part of this version"),
    }
