"""Layers and the network that runs them on an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ._auto_capacity import CapacityChange
from .adaptive_lif import AdaptiveLIF
from .batch_norm import BatchNorm, BatchNormLIF
from .delays import Delays
from .leaky_integrator import LeakyIntegrator
from .lif import IF, LIF, PLIF
from .neuron_model import NeuronCycles, NeuronModel
from .pretrained import Pretrained
from .recurrent_spiking import DelayedState, RecurrentLIF, RecurrentSpiking
from .snn import SNN
from .sparse_li import LI, SparseLI
from .sparse_lif import SparseLIF
from .sparse_neurons import SparseNeurons
from .spike_conv import SpikeConv2d, SpikeMaxPool2d
from .spiking import Spiking
from .state import SNNState
from .synaptic_lif import SynapticLIF

if TYPE_CHECKING:
    from .dropout import Dropout
    from .homeostasis import Homeostasis
    from .time_distributed import TimeDistributed

__all__ = [
    "IF",
    "LI",
    "LIF",
    "PLIF",
    "SNN",
    "AdaptiveLIF",
    "BatchNorm",
    "BatchNormLIF",
    "CapacityChange",
    "DelayedState",
    "Delays",
    "Dropout",
    "Homeostasis",
    "LeakyIntegrator",
    "NeuronCycles",
    "NeuronModel",
    "Pretrained",
    "RecurrentLIF",
    "RecurrentSpiking",
    "SNNState",
    "SparseLI",
    "SparseLIF",
    "SparseNeurons",
    "SpikeConv2d",
    "SpikeMaxPool2d",
    "Spiking",
    "SynapticLIF",
    "TimeDistributed",
]


def __getattr__(name: str) -> object:
    # Files of modules that nothing else uses are imported on first use.
    if name == "Dropout":
        from . import dropout

        return dropout.Dropout
    if name == "Homeostasis":
        from . import homeostasis

        return homeostasis.Homeostasis
    if name == "TimeDistributed":
        from . import time_distributed

        return time_distributed.TimeDistributed
    raise AttributeError(f"module 'popsnn.nn' has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
