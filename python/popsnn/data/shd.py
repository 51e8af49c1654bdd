"""Spiking Heidelberg Digits: spoken digits as the spikes of 700 channels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Optional, Tuple, Union

import numpy as np

from .binning import Binning
from .cache import Cache
from .compact import Numbered
from .dataset import Splits
from .tonic_splits import TonicSplit, compacted, tonic_dataset, tonic_module

SENSOR_SIZE = (700, 1, 1)
CLASSES = 20
EVENTS = ("spikes/times", "spikes/units")
KEYS = (*EVENTS, "labels", "extra/keys", "extra/speaker")


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
    folder = Path(path).expanduser() / "SHD"

    def read(split: str) -> _Recordings:
        tonic_module("shd")  # which brings h5py
        file = folder / f"shd_{split}.h5"
        if file.exists():
            _check_file(file)  # h5py does not say what it misses
        source = tonic_dataset("shd", "SHD", path, train=split == "train")
        return _Recordings(source, file)

    splits = [
        TonicSplit(
            "shd",
            partial(read, split),
            [folder / f"shd_{split}.h5.zip", folder / f"shd_{split}.h5"],
        )
        for split in ("train", "test")
    ]
    return compacted(
        splits,
        sensor_size=SENSOR_SIZE,
        classes=CLASSES,
        binning=Binning(steps, dt, downsample),
        capacity=capacity,
        cache=cache,
        workers=workers,
    )


class _Recordings(Numbered):
    """Recordings that tonic reads of a file. They have a channel for each time."""

    def __init__(self, source: Any, file: Path) -> None:
        super().__init__(source, f"data.shd: {file}")
        self._file = file

    def __getitem__(self, index: int) -> Tuple[np.ndarray, int]:
        with _opened(self._file) as file:
            times, units = (len(file[key][index]) for key in EVENTS)
        if times != units:  # of a single unit tonic makes as many as there are times
            raise ValueError(f"{units} units of {times} times")
        return super().__getitem__(index)


def _opened(file: Path) -> Any:
    import h5py  # which tonic brings

    return h5py.File(file, "r")


def _check_file(file: Path) -> None:
    with _opened(file) as hdf5:
        for key in KEYS:
            if key not in hdf5:
                raise ValueError(f"no {key}")
        counts = {key: len(hdf5[key]) for key in (*EVENTS, "labels")}
        if len(set(counts.values())) > 1:  # tonic reads as many as there are labels
            raise ValueError(", ".join(f"{n} {key}" for key, n in counts.items()))
        if hdf5["labels"].dtype.kind not in "iu":
            raise ValueError(f"labels of {hdf5['labels'].dtype}, which are no integers")
