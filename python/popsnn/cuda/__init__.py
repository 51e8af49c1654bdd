"""CUDA kernels: what runs here, and why not; neurons and layers over all their steps; graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from .batch_norm.lif import batch_norm_lif
from .batch_norm.statistics import Statistics, moments, statistics
from .device.availability import unavailable
from .device.ops import traced
from .device.program import TYPES
from .layer.layer import layer
from .layer.steps import recurrent_layer
from .recurrent.recurrent import recurrent, recurrent_unsupported
from .scan import ops as _scan_ops  # noqa: F401  # which registers the operators
from .scan.scan import scan, unsupported
from .scan.spike_bits import pack_spikes, unpack_spikes

if TYPE_CHECKING:
    from .device.graph import CapturedStep
    from .events.expand_spikes import expand_spikes, expand_spikes_unsupported
    from .layer.delayed import Spreading, delayed, delayed_unsupported
    from .layer.readout_loss import readout_loss, readout_loss_unsupported
    from .optim.adam import Adam, AdamW

__all__ = [
    "TYPES",
    "Adam",
    "AdamW",
    "CapturedStep",
    "Spreading",
    "Statistics",
    "batch_norm_lif",
    "delayed",
    "delayed_unsupported",
    "expand_spikes",
    "expand_spikes_unsupported",
    "layer",
    "moments",
    "pack_spikes",
    "readout_loss",
    "readout_loss_unsupported",
    "recurrent",
    "recurrent_layer",
    "recurrent_unsupported",
    "scan",
    "statistics",
    "traced",
    "unavailable",
    "unpack_spikes",
    "unsupported",
]


def __getattr__(name: str) -> object:
    # The next call finds it among the globals: an import takes as long as a launch.
    value = globals()[name] = _on_first_use(name)
    return value


def _on_first_use(name: str) -> object:
    """Import what importing popsnn leaves out, as it loads as little as it can."""
    if name == "CapturedStep":
        from .device import graph

        return graph.CapturedStep
    if name in ("Spreading", "delayed", "delayed_unsupported"):
        from .layer import delayed as delays

        return getattr(delays, name)
    if name in ("expand_spikes", "expand_spikes_unsupported"):
        from .events import expand_spikes as expanding

        return getattr(expanding, name)
    if name in ("readout_loss", "readout_loss_unsupported"):
        from .layer import readout_loss as losses

        return getattr(losses, name)
    if name in ("Adam", "AdamW"):
        from .optim import adam

        return getattr(adam, name)
    raise AttributeError(f"module 'popsnn.cuda' has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
