"""Layers and the network that runs them on an engine."""

from __future__ import annotations

from .li import LI
from .lif import LIF
from .snn import SNN
from .sparse_lif import SparseLIF

__all__ = ["LI", "LIF", "SNN", "SparseLIF"]
