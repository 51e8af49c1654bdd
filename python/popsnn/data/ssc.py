"""Spiking Speech Commands: spoken words as the spikes of 700 channels."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Optional, Union

from . import heidelberg
from .binning import Binning
from .cache import Cache
from .dataset import SpikeDataset
from .tonic_splits import compacted

CLASSES = 35
SPLITS = ("train", "valid", "test")


class SSC(NamedTuple):
    """The three sets of Spiking Speech Commands."""

    train: SpikeDataset
    validation: SpikeDataset
    test: SpikeDataset


def ssc(
    path: Union[str, Path],
    *,
    steps: int = 100,
    dt: Optional[float] = 0.014,
    downsample: float = 1,
    capacity: Optional[int] = None,
    cache: Cache = None,
    workers: int = 0,
) -> SSC:
    """Return Spiking Speech Commands: training, validation and test set, 35 classes.

    They have 75,466, 9,981 and 20,382 recordings.

    Parameters
    ----------
    path : str or Path
        Folder in which tonic keeps them, under `SSC`; what is not there is downloaded.
    steps, dt, downsample
        As in `data.Binning`; by default 1.4 s, as in Bittar and Garner, Frontiers in Neuroscience
        16, 2022.
    capacity : int, optional
        As in `SpikeDataset`; by default the longest list of the three sets.
    cache, workers
        As in `data.compact`.

    Raises
    ------
    ImportError
        Where tonic is not installed.
    ValueError
        Where a file is not as expected; the message names it.

    Source
    ------
    Cramer et al., The Heidelberg Spiking Data Sets for the Systematic Evaluation of Spiking Neural
    Networks, IEEE TNNLS 33, 2022.
    """
    return SSC(
        *compacted(
            [heidelberg.recordings("ssc", path, split, split=split) for split in SPLITS],
            SPLITS,
            sensor_size=heidelberg.SENSOR_SIZE,
            classes=CLASSES,
            binning=Binning(steps, dt, downsample),
            capacity=capacity,
            cache=cache,
            workers=workers,
        )
    )
