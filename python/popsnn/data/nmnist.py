"""N-MNIST: handwritten digits seen by a moving event camera of 34 x 34 pixels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Optional, Union

from .binning import Binning
from .cache import Cache
from .dataset import Splits
from .tonic_splits import ByFile, TonicSplit, compacted, tonic_dataset

SENSOR_SIZE = (34, 34, 2)
CLASSES = 10
EVENT_BYTES = 5
RECORDINGS = {"train": 60_000, "test": 10_000}


def nmnist(
    path: Union[str, Path],
    *,
    steps: int = 100,
    dt: Optional[float] = 0.003,
    downsample: float = 1,
    capacity: Optional[int] = None,
    first_saccade_only: bool = False,
    cache: Cache = None,
    workers: int = 0,
) -> Splits:
    """Return N-MNIST, 60,000 recordings for training and 10,000 to test, 10 classes.

    Parameters
    ----------
    path : str or Path
        Folder in which tonic keeps them, under `NMNIST`; what is not there is downloaded (1.2 GB).
    steps, dt, downsample
        As in `data.Binning`; by default 0.3 s, three saccades.
    capacity : int, optional
        As in `SpikeDataset`; by default the longest list of both sets.
    first_saccade_only : bool
        Whether to keep the first 0.1 s only.
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
    Orchard et al., Converting Static Image Datasets to Spiking Neuromorphic Datasets Using
    Saccades, Frontiers in Neuroscience 9, 2015.
    """
    folder = Path(path).expanduser() / "NMNIST"

    def read(split: str) -> ByFile:
        source = tonic_dataset(
            "nmnist",
            "NMNIST",
            path,
            train=split == "train",
            first_saccade_only=first_saccade_only,
        )
        return ByFile("data.nmnist", source, check_length)

    splits = [
        TonicSplit("nmnist", partial(read, split), [folder / f"{split}.zip"], RECORDINGS[split])
        for split in ("train", "test")
    ]
    train, test = compacted(
        splits,
        ("train", "test"),
        sensor_size=SENSOR_SIZE,
        classes=CLASSES,
        binning=Binning(steps, dt, downsample),
        capacity=capacity,
        cache=cache,
        workers=workers,
        first_saccade_only=first_saccade_only,
    )
    return train, test


def check_length(path: Path) -> None:
    """Raise where a file does not end with a whole event, which tonic would not see."""
    length = path.stat().st_size
    if length % EVENT_BYTES:
        raise ValueError(f"{length} bytes, which are no whole number of events of {EVENT_BYTES}")
