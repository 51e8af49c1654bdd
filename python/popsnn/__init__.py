"""popsnn trains spiking neural networks at the speed that their sparsity allows."""

from __future__ import annotations

from ._internal.interrupt import EndsAtOnce

with EndsAtOnce():
    import logging
    import sys
    from importlib.metadata import PackageNotFoundError, version

    from . import (
        data,
        engines,  # noqa: F401  # registers what runs networks and operators
        functional,
        models,
        nn,
        optim,
        plot,
        surrogate,
    )
    from ._internal.paths import emulator_prefix
    from .backends import BackendInfo, backends
    from .spikes import SpikeTensor

try:
    __version__ = version("popsnn")
except PackageNotFoundError:  # running from a source tree that is not installed
    __version__ = "0+unknown"

logging.getLogger("popsnn").addHandler(logging.NullHandler())

__all__ = [
    "BackendInfo",
    "SpikeTensor",
    "__version__",
    "backends",
    "data",
    "emulator_prefix",
    "functional",
    "models",
    "nn",
    "optim",
    "plot",
    "surrogate",
]


def __getattr__(name: str) -> object:
    if name == "poptorch":  # imported where it is asked for: PyTorch alone needs none of it
        import popsnn.poptorch  # noqa: F401  # `from . import` would ask this function first

        return sys.modules["popsnn.poptorch"]
    raise AttributeError(f"module 'popsnn' has no attribute {name!r}")
