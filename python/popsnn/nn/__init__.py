"""Layers and the network that runs them on an engine."""

from __future__ import annotations

from .adaptive_lif import AdaptiveLIF
from .leaky_integrator import LeakyIntegrator
from .li import LI
from .lif import IF, LIF, PLIF
from .snn import SNN
from .sparse_lif import SparseLIF
from .state import SNNState
from .synaptic_lif import SynapticLIF

__all__ = [
    "IF",
    "LI",
    "LIF",
    "PLIF",
    "SNN",
    "AdaptiveLIF",
    "LeakyIntegrator",
    "SNNState",
    "SparseLIF",
    "SynapticLIF",
]
