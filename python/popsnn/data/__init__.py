"""Datasets as SpikeTensors."""

from __future__ import annotations

from .dataset import SpikeDataset
from .digits import digits

__all__ = ["SpikeDataset", "digits"]
