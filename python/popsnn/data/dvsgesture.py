"""DVS128 Gesture: hand gestures seen by an event camera of 128 x 128 pixels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Optional, Union

import numpy as np

from .binning import Binning
from .cache import Cache
from .dataset import Splits
from .tonic_splits import ByFile, TonicSplit, compacted, tonic_dataset

SENSOR_SIZE = (128, 128, 2)
CLASSES = 11
# Of a row, with what tonic's fields hold; that x and y are on the sensor is seen later.
FIELDS = {"x": (-(2**15), 2**15 - 1), "y": (-(2**15), 2**15 - 1), "p": (0, 1), "t": (0, 2**52)}
RECORDINGS = {"Train": 1077, "Test": 264}


def dvsgesture(
    path: Union[str, Path],
    *,
    steps: int = 50,
    dt: Optional[float] = None,
    downsample: float = 128 / 48,
    capacity: Optional[int] = None,
    cache: Cache = None,
    workers: int = 0,
) -> Splits:
    """Return DVS128 Gesture, 1,077 recordings for training and 264 to test, 11 classes.

    Parameters
    ----------
    path : str or Path
        Folder in which tonic keeps them, under `DVSGesture`; what is not there is downloaded
        (2.4 GB).
    steps, dt, downsample
        As in `data.Binning`; by default each whole recording, on 48 x 48 x 2 neurons as in
        Finkbeiner and Neftci, AAAI 2024.
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
    Amir et al., A Low Power, Fully Event-Based Gesture Recognition System, CVPR 2017, as cut into
    recordings by tonic.
    """
    folder = Path(path).expanduser() / "DVSGesture"

    def read(split: str) -> ByFile:
        source = tonic_dataset("dvsgesture", "DVSGesture", path, train=split == "Train")
        return ByFile("data.dvsgesture", source, _check_rows)

    splits = [
        TonicSplit(
            "dvsgesture",
            partial(read, split),
            [folder / f"ibmGesture{split}.tar.gz"],
            RECORDINGS[split],
        )
        for split in RECORDINGS
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
    )
    return train, test


def _check_rows(path: Path) -> None:
    """Raise where tonic would make other numbers of those in the file: it casts them to fields."""
    rows = np.load(path, mmap_mode="r")
    if rows.ndim != 2 or rows.shape[1] != len(FIELDS) or rows.dtype.kind not in "biuf":
        raise ValueError(
            f"{rows.dtype} of shape {rows.shape} in place of numbers [E, {len(FIELDS)}]"
        )
    for (field, (low, high)), values in zip(FIELDS.items(), rows.T):
        in_range = (values >= low) & (values <= high)  # False of NaN
        if field != "t" and rows.dtype.kind == "f":  # times are in ms, and may have a fraction
            in_range &= values == np.floor(values)
        if not in_range.all():
            raise ValueError(
                f"{field} of {values[in_range.argmin()]} in place of whole numbers in {low}..{high}"
            )
