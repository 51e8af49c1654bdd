"""popsnn trains spiking neural networks at the speed that their sparsity allows."""

from __future__ import annotations

from ._internal.interrupt import EndsAtOnce

with EndsAtOnce():
    import logging
    import sys
    from typing import TYPE_CHECKING, List

    from . import (
        engines,  # noqa: F401  # registers what runs networks and operators
        functional,
        neurons,
        nn,
        surrogate,
    )
    from ._internal.paths import emulator_prefix
    from .backends import BackendInfo, backends
    from .neurons import Neuron
    from .spikes import SpikeTensor

if TYPE_CHECKING:
    from . import convert, data, models, nir, optim, parallel, plot, profiling, training
    from ._internal.version import __version__

logging.getLogger("popsnn").addHandler(logging.NullHandler())

__all__ = [
    "BackendInfo",
    "Neuron",
    "SpikeTensor",
    "__version__",
    "backends",
    "convert",
    "data",
    "emulator_prefix",
    "functional",
    "models",
    "neurons",
    "nir",
    "nn",
    "optim",
    "parallel",
    "plot",
    "profiling",
    "surrogate",
    "training",
]


def __getattr__(name: str) -> object:
    if name == "__version__":  # to look for the installed package takes a millisecond
        from ._internal.version import __version__

        return __version__
    # These subpackages are imported on first use. `from . import` would call this function again.
    if name == "convert":
        import popsnn.convert
    elif name == "data":
        import popsnn.data
    elif name == "models":
        import popsnn.models
    elif name == "nir":
        import popsnn.nir
    elif name == "optim":
        import popsnn.optim
    elif name == "parallel":
        import popsnn.parallel
    elif name == "plot":
        import popsnn.plot
    elif name == "poptorch":
        import popsnn.poptorch
    elif name == "profiling":
        import popsnn.profiling
    elif name == "training":
        import popsnn.training  # noqa: F401
    else:
        raise AttributeError(f"module 'popsnn' has no attribute {name!r}")
    return sys.modules[f"popsnn.{name}"]


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
