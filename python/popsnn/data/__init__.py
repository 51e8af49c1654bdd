"""Datasets as SpikeTensors."""

from __future__ import annotations

from .augment import Augment
from .binning import Binning
from .compact import compact
from .dataset import SpikeDataset
from .digits import digits
from .lists import SpikeLists

__all__ = ["Augment", "Binning", "SpikeDataset", "SpikeLists", "compact", "digits"]
