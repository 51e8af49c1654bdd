"""Spiking Heidelberg Digits: spoken digits as the spikes of 700 channels."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Union

from . import heidelberg
from .binning import Binning
from .cache import Cache
from .dataset import Splits
from .tonic_splits import compacted

CLASSES = 20
SPLITS = ("train", "test")


def shd(
    path: Union[str, Path],
    *,
    steps: int = 100,
    dt: Optional[float] = 0.014,
    downsample: float = 1,
    capacity: Optional[int] = None,
    cache: Cache = None,
    workers: int = 0,
) -> Splits:
    """Return the Spiking Heidelberg Digits, 8,156 for training and 2,264 to test, 20 classes.

    Parameters
    ----------
    path : str or Path
        Folder in which tonic keeps them, under `SHD`; what is not there is downloaded (160 MB).
    steps, dt, downsample
        As in `data.Binning`; by default 1.4 s, which is as long as the longest.
    capacity : int, optional
        As in `SpikeDataset`; by default the longest list of both sets.
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
    train, test = compacted(
        [heidelberg.recordings("shd", path, split, train=split == "train") for split in SPLITS],
        SPLITS,
        sensor_size=heidelberg.SENSOR_SIZE,
        classes=CLASSES,
        binning=Binning(steps, dt, downsample),
        capacity=capacity,
        cache=cache,
        workers=workers,
    )
    return train, test
