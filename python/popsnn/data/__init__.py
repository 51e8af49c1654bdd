"""Datasets as SpikeTensors."""

from __future__ import annotations

from . import encode
from .augment import Augment
from .binning import Binning
from .cifar10dvs import cifar10dvs
from .cochlea import cochlea
from .compact import compact
from .dataset import SpikeDataset
from .digits import digits
from .dvsgesture import dvsgesture
from .fsdd import fsdd
from .lists import SpikeLists
from .ncaltech101 import ncaltech101
from .nmnist import nmnist
from .randman import randman
from .shd import shd
from .ssc import ssc

__all__ = [
    "Augment",
    "Binning",
    "SpikeDataset",
    "SpikeLists",
    "cifar10dvs",
    "cochlea",
    "compact",
    "digits",
    "dvsgesture",
    "encode",
    "fsdd",
    "ncaltech101",
    "nmnist",
    "randman",
    "shd",
    "ssc",
]
