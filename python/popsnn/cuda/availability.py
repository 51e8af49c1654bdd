"""Whether kernels can be compiled and launched here, and why not."""

from __future__ import annotations

import importlib
from functools import lru_cache

import torch

NEEDED = ("cuda.core", "cuda.bindings.driver", "cuda.bindings.nvrtc")


@lru_cache(maxsize=None)
def unavailable() -> str | None:
    """Return why kernels cannot run on this machine, or None where they can."""
    if not torch.cuda.is_available():
        built = torch.version.cuda
        return "torch is built without CUDA" if built is None else "torch finds no CUDA device"
    if not hasattr(torch.library, "register_fake"):
        return f"torch 2.4 or newer is needed, this is {torch.__version__}"
    for name in NEEDED:
        try:
            importlib.import_module(name)
        except ImportError as error:
            return f"{name} does not import ({error}): install popsnn[cuda]"
    return None
