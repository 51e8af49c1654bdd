"""Datasets of event cameras that come as one set, with a folder of files for each class."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Callable, List, Mapping, Optional, Tuple

import numpy as np

from .._internal import checks
from .dataset import SpikeDataset, Splits
from .tonic_splits import ByFile

TEST_FRACTION = 0.1


class ByClass(ByFile):
    """The recordings of a dataset of tonic's, class by class, in the order of the files' numbers.

    Parameters
    ----------
    operation, source, check
        As in `ByFile`.
    labels : mapping of str to int
        The label of each folder.
    pattern : str
        What a recording's file name matches.
    """

    def __init__(
        self,
        operation: str,
        source: Any,
        labels: Mapping[str, int],
        pattern: str,
        check: Optional[Callable[[Path], None]] = None,
    ) -> None:
        super().__init__(operation, source, check)
        self._labels = labels
        found = []
        for index, path in enumerate(map(Path, source.data)):
            if re.fullmatch(pattern, path.name):
                found.append((labels[path.parent.name], _number(path), path.name, index))
        self.order = np.array([index for *_, index in sorted(found)], np.int64)

    def __getitem__(self, index: int) -> Tuple[np.ndarray, int]:
        events, _ = super().__getitem__(index)
        return events, self._labels[Path(self.source.data[self.order[index]]).parent.name]


def _number(path: Path) -> int:
    numbers = re.findall(r"\d+", path.stem)
    return int(numbers[-1]) if numbers else 0


def split(dataset: SpikeDataset, operation: str, test_fraction: float) -> Splits:
    """Return a training and a test set, which has the last recordings of each class.

    Parameters
    ----------
    dataset : SpikeDataset
    operation : str
        What splits it, for messages.
    test_fraction : float
        Of each class, rounded to a number of recordings.

    Raises
    ------
    ValueError
        Where the fraction is not in (0, 1), or leaves one of the sets empty.
    """
    fraction = checks.finite(operation, "test_fraction", test_fraction)
    labels = dataset.labels.numpy()
    train: List[int] = []
    test: List[int] = []
    for label in range(dataset.classes):
        of_class = np.flatnonzero(labels == label).tolist()
        first = len(of_class) - round(fraction * len(of_class))
        train += of_class[:first]
        test += of_class[first:]
    if not 0 < fraction < 1 or not train or not test:
        raise ValueError(
            f"{operation}: test_fraction: expected a number in (0, 1) that leaves recordings for "
            f"both sets, got {test_fraction}: {len(train)} for training, {len(test)} to test"
        )
    return dataset.subset(train), dataset.subset(test)
