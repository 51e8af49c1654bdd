"""N-Caltech101: pictures of Caltech101 seen by a moving event camera."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Optional, Union

from . import single_set
from .binning import Binning
from .cache import Cache
from .dataset import Splits
from .nmnist import check_length
from .tonic_splits import TonicSplit, compacted, tonic_dataset

SENSOR_SIZE = (240, 180, 2)  # of the largest pictures
CLASSES = 101
RECORDINGS: Optional[int] = 8709
PATTERN = r"image_\d+\.bin"  # annotations have other names
INNER = "Caltech101.zip"
UNPACKED = 16 * 2**30  # bytes at most; the recordings have about 4 GB


def ncaltech101(
    path: Union[str, Path],
    *,
    steps: int = 100,
    dt: Optional[float] = 0.003,
    downsample: float = 4,
    capacity: Optional[int] = None,
    test_fraction: float = single_set.TEST_FRACTION,
    cache: Cache = None,
    workers: int = 0,
) -> Splits:
    """Return N-Caltech101, 8,709 recordings of 101 classes, in a training and a test set.

    The dataset has no split of its own. Of each class, the recordings with the highest numbers are
    the test set. Labels count the classes' names in alphabetical order.

    Parameters
    ----------
    path : str or Path
        Folder in which tonic keeps them, under `NCALTECH101`; what is not there is downloaded.
    steps, dt, downsample
        As in `data.Binning`; by default 0.3 s, three saccades, on 60 x 45 x 2 neurons.
    capacity : int, optional
        As in `SpikeDataset`; by default the longest list of both sets.
    test_fraction : float
        Of each class, in (0, 1).
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
    folder = Path(path).expanduser() / "NCALTECH101"

    def read() -> single_set.ByClass:
        source = tonic_dataset("ncaltech101", "NCALTECH101", path)
        if not source.data and (folder / INNER).is_file():  # tonic unpacks the outer archive alone
            _unpack(folder / INNER)
            source = tonic_dataset("ncaltech101", "NCALTECH101", path)
        names = {
            file.parent.name for file in map(Path, source.data) if re.fullmatch(PATTERN, file.name)
        }
        labels = {name: label for label, name in enumerate(sorted(names))}
        return single_set.ByClass("data.ncaltech101", source, labels, PATTERN, check_length)

    (both,) = compacted(
        [TonicSplit("ncaltech101", read, [folder / "N-Caltech101-archive.zip"], RECORDINGS)],
        ("all",),
        sensor_size=SENSOR_SIZE,
        classes=CLASSES,
        binning=Binning(steps, dt, downsample),
        capacity=capacity,
        cache=cache,
        workers=workers,
    )
    return single_set.split(both, "data.ncaltech101", test_fraction)


def _unpack(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
        if size > UNPACKED:
            raise ValueError(f"{path.name} of {size} bytes unpacked, which are over {UNPACKED}")
        archive.extractall(path.parent)
