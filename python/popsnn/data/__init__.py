"""Datasets as SpikeTensors."""

from __future__ import annotations

from .augment import Augment
from .binning import Binning
from .cochlea import cochlea
from .compact import compact
from .dataset import SpikeDataset
from .digits import digits
from .dvsgesture import dvsgesture
from .fsdd import fsdd
from .lists import SpikeLists
from .nmnist import nmnist
from .randman import randman
from .shd import shd
from .ssc import ssc

__all__ = [
    "Augment",
    "Binning",
    "SpikeDataset",
    "SpikeLists",
    "cochlea",
    "compact",
    "digits",
    "dvsgesture",
    "fsdd",
    "nmnist",
    "randman",
    "shd",
    "ssc",
]
