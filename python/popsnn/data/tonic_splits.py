"""Datasets that tonic downloads and reads, as compacted training and test sets."""

from __future__ import annotations

import urllib.error
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import torch

from .._internal.extras import extra
from .binning import Binning
from .cache import Cache, Compacted, cached
from .compact import NamedRecordings, compact_named, stamp
from .dataset import SpikeDataset
from .whole import SensorSize


class TonicSplit:
    """The training or the test set of a dataset of tonic's.

    Parameters
    ----------
    name : str
        Of the dataset here.
    make : callable
        Makes the recordings of tonic's dataset, which downloads what is not there.
    files : sequence of Path
        What tonic keeps; their stamps say whether a cached result belongs to them.
    count : int, optional
        How many recordings there must be: tonic takes any folder that has some of them, as one is
        that was not unpacked to its end.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], NamedRecordings],
        files: Sequence[Path],
        count: Optional[int] = None,
    ) -> None:
        self.name = name
        self.files = files
        self.count = count
        self._make = make

    def recordings(self) -> NamedRecordings:
        """Return the recordings, or raise one sentence that names the file."""
        try:
            made = self._make()
            if self.count is not None and len(made) != self.count:
                raise ValueError(
                    f"{len(made)} of {self.count} recordings unpacked next to it: remove their "
                    "folder, and tonic unpacks them all"
                )
            return made
        except urllib.error.URLError as error:
            raise ConnectionError(
                f"data.{self.name}: {self.files[-1]}: expected the file, or to download it, got "
                f"{error.reason}"
            ) from None
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise ValueError(
                f"data.{self.name}: {self.files[-1]}: expected what tonic can read, got {reason}"
            ) from None

    def stamps(self) -> List[Dict[str, Any]]:
        """Return what tells the files from others; downloads what is not there."""
        if not all(path.exists() for path in self.files):
            self.recordings()
        return [stamp(path) for path in self.files]


class ByFile:
    """The recordings of a dataset of tonic's that has one file a recording, in the files' order.

    Parameters
    ----------
    operation : str
        What reads them, for messages.
    source : tonic.Dataset
        With the files' paths in `data`.
    check : callable, optional
        Gets a path before it is read, and raises where tonic would not see that it is truncated.
    """

    def __init__(
        self, operation: str, source: Any, check: Optional[Callable[[Path], None]] = None
    ) -> None:
        self.operation = operation
        self.source = source
        self.order = np.argsort(np.array(source.data, dtype=str), kind="stable")
        self.check = check

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, index: int) -> Tuple[np.ndarray, int]:
        at = self.order[index]
        if self.check is not None:
            self.check(Path(self.source.data[at]))
        events, label = self.source[at]
        return events, label

    def name(self, index: int) -> str:
        """Return the name of a recording, with its file."""
        return f"{self.operation}: {self.source.data[self.order[index]]}"


def compacted(
    splits: Sequence[TonicSplit],
    kinds: Sequence[str],
    *,
    sensor_size: SensorSize,
    classes: int,
    binning: Binning,
    capacity: Optional[int],
    cache: Cache,
    workers: int,
    **options: Any,
) -> Tuple[SpikeDataset, ...]:
    """Return the splits of a dataset, with one capacity for all.

    Parameters
    ----------
    splits : sequence of TonicSplit
    kinds : sequence of str
        Their names in the cache.
    sensor_size, classes, binning, capacity, cache, workers
        As in `data.compact`.
    **options
        What else the result depends on.
    """
    made = []
    for split, kind in zip(splits, kinds):

        def build(split: TonicSplit = split) -> Compacted:
            recordings = split.recordings()
            return compact_named(recordings, sensor_size, classes, binning, workers, split.name)

        key = {"files": split.stamps(), **options, **binning.__dict__}
        made.append(cached(cache, f"{split.name}-{kind}", key, build))
    if capacity is None:
        capacity = max(lists.longest for lists, _ in made)
    return tuple(
        SpikeDataset(lists, torch.from_numpy(labels), classes, capacity=capacity)
        for lists, labels in made
    )


def tonic_dataset(name: str, kind: str, path: Union[str, Path], **arguments: Any) -> Any:
    """Return a dataset of tonic's; raises as `tonic_module` does."""
    return getattr(tonic_module(name).datasets, kind)(save_to=str(path), **arguments)


def tonic_module(name: str) -> Any:
    """Return tonic.

    Raises
    ------
    ImportError
        Where it is not installed.
    """
    with extra(f"data.{name}", "tonic", "tonic"):
        import tonic
    return tonic
