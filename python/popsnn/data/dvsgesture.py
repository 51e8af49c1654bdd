"""DVS128 Gesture: hand gestures seen by an event camera of 128 x 128 pixels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Optional, Union

from .binning import Binning
from .cache import Cache
from .dataset import Parts
from .tonic_parts import ByFile, TonicPart, compacted, tonic_dataset

SENSOR_SIZE = (128, 128, 2)
CLASSES = 11


def dvsgesture(
    path: Union[str, Path],
    *,
    steps: int = 50,
    dt: Optional[float] = None,
    downsample: float = 128 / 48,
    capacity: Optional[int] = None,
    cache: Cache = None,
    workers: int = 0,
) -> Parts:
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
        return ByFile("data.dvsgesture", source)

    parts = [
        TonicPart("dvsgesture", partial(read, split), [folder / f"ibmGesture{split}.tar.gz"])
        for split in ("Train", "Test")
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
