"""Whether kernels can be compiled and launched here, and why not."""

from __future__ import annotations

import importlib.util

import torch


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # of the package that it would be in
        return False


def _missing() -> str | None:
    if not hasattr(torch.library, "register_fake"):
        return f"torch 2.4 or newer is needed, this is {torch.__version__}"
    major = (torch.version.cuda or "13").split(".")[0]
    for name in ("cuda.core", "cuda.bindings"):
        if not _installed(name):
            return f"the package {name} is not installed: install popsnn[cuda{major}]"
    return None


# Found out once, here: torch.compile cannot trace a search for packages.
MISSING = _missing()


def unavailable() -> str | None:
    """Return why kernels cannot run on this machine, or None where they can."""
    if torch.version.cuda is None:
        return "torch is built without CUDA"
    if not torch.cuda.is_available():
        return "torch finds no CUDA device"
    return MISSING
