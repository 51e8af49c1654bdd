"""Spiking Heidelberg Digits: spoken digits as the spikes of 700 channels."""

from __future__ import annotations

import importlib
from functools import partial
from pathlib import Path
from typing import Optional, Union

from .binning import Binning
from .cache import Cache
from .compact import Numbered
from .dataset import Parts
from .tonic_parts import TonicPart, compacted, tonic_dataset, tonic_module

SENSOR_SIZE = (700, 1, 1)
CLASSES = 20
KEYS = ("spikes/times", "spikes/units", "labels", "extra/keys", "extra/speaker")


def shd(
    path: Union[str, Path],
    *,
    steps: int = 100,
    dt: Optional[float] = 0.014,
    downsample: float = 1,
    capacity: Optional[int] = None,
    cache: Cache = None,
    workers: int = 0,
) -> Parts:
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
    folder = Path(path).expanduser() / "SHD"

    def read(split: str) -> Numbered:
        tonic_module("shd")  # which brings h5py
        file = folder / f"shd_{split}.h5"
        if file.exists():
            _check_keys(file)  # h5py does not say which one it misses
        source = tonic_dataset("shd", "SHD", path, train=split == "train")
        return Numbered(source, f"data.shd: {file}")

    parts = [
        TonicPart(
            "shd",
            partial(read, split),
            [folder / f"shd_{split}.h5.zip", folder / f"shd_{split}.h5"],
        )
        for split in ("train", "test")
    ]
    return compacted(
        parts,
        sensor_size=SENSOR_SIZE,
        classes=CLASSES,
        binning=Binning(steps, dt, downsample),
        capacity=capacity,
        cache=cache,
        workers=workers,
    )


def _check_keys(file: Path) -> None:
    with importlib.import_module("h5py").File(file, "r") as held:
        for key in KEYS:
            if key not in held:
                raise ValueError(f"no {key}")
