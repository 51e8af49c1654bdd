"""CIFAR10-DVS: pictures of CIFAR-10 that move before an event camera of 128 x 128 pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Union

from .._internal.extras import extra
from . import single_set
from .binning import Binning
from .cache import Cache
from .dataset import Splits
from .tonic_splits import TonicSplit, compacted, tonic_dataset

SENSOR_SIZE = (128, 128, 2)
NAMES = (
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck",
)  # fmt: skip
RECORDINGS: Optional[int] = 10_000


def cifar10dvs(
    path: Union[str, Path],
    *,
    steps: int = 50,
    dt: Optional[float] = None,
    downsample: float = 128 / 48,
    capacity: Optional[int] = None,
    test_fraction: float = single_set.TEST_FRACTION,
    cache: Cache = None,
    workers: int = 0,
) -> Splits:
    """Return CIFAR10-DVS, 9,000 recordings for training and 1,000 to test, 10 classes.

    The dataset has no split of its own. Of each class, the recordings with the highest numbers are
    the test set.

    Parameters
    ----------
    path : str or Path
        Folder in which tonic keeps them, under `CIFAR10DVS`; what is not there is downloaded.
    steps, dt, downsample
        As in `data.Binning`; by default each whole recording, on 48 x 48 x 2 neurons.
    capacity : int, optional
        As in `SpikeDataset`; by default the longest list of both sets.
    test_fraction : float
        Of each class, in (0, 1).
    cache, workers
        As in `data.compact`.

    Raises
    ------
    ImportError
        Where tonic or aedat, which reads the files, is not installed.
    ValueError
        Where a file is not as expected; the message names it.

    Source
    ------
    Li et al., CIFAR10-DVS: An Event-Stream Dataset for Object Classification, Frontiers in
    Neuroscience 11, 2017.
    """

    def read() -> single_set.ByClass:
        with extra("data.cifar10dvs", "aedat", "tonic"):
            import aedat  # noqa: F401  # which tonic does not bring
        labels = {name: label for label, name in enumerate(NAMES)}
        source = tonic_dataset("cifar10dvs", "CIFAR10DVS", path)
        return single_set.ByClass("data.cifar10dvs", source, labels, r".*\.aedat4")

    archive = Path(path).expanduser() / "CIFAR10DVS" / "CIFAR10DVS.zip"
    (both,) = compacted(
        [TonicSplit("cifar10dvs", read, [archive], RECORDINGS)],
        ("all",),
        sensor_size=SENSOR_SIZE,
        classes=len(NAMES),
        binning=Binning(steps, dt, downsample),
        capacity=capacity,
        cache=cache,
        workers=workers,
    )
    return single_set.split(both, "data.cifar10dvs", test_fraction)
