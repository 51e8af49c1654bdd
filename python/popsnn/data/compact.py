"""compact: any recordings of events to a dataset."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Protocol, Tuple, Union

import numpy as np
import torch
from torch.utils.data import Dataset
from tqdm import tqdm

from .._internal import checks
from .binning import Binning
from .cache import Cache, Compacted, cached
from .dataset import SpikeDataset
from .lists import SpikeLists
from .whole import SensorSize, labels_of, sensor
from .workers import made_by

CHUNK = 64  # recordings that a worker lists at once
FEW = 100  # events, of which nothing follows
SHORTEST = 10  # a recording that takes less than 1 in so many time steps has another unit

Chunk = Union[Compacted, Exception]


class Recordings(Protocol):
    """Recordings with labels: a dataset of tonic's, a list of pairs, or a custom class."""

    def __len__(self) -> int:
        """Return M."""

    def __getitem__(self, index: int) -> Tuple[np.ndarray, Any]:
        """Return the events of a recording, and its label or those of its T steps."""


class NamedRecordings(Recordings, Protocol):
    """Recordings that messages can name."""

    def name(self, index: int) -> str:
        """Return what a message about a recording begins with."""


class Numbered:
    """Recordings that are named by what they are in, and their number there."""

    def __init__(self, recordings: Recordings, name: str) -> None:
        self._recordings = recordings
        self._name = name

    def __len__(self) -> int:
        return len(self._recordings)

    def __getitem__(self, index: int) -> Tuple[np.ndarray, Any]:
        return self._recordings[index]

    def name(self, index: int) -> str:
        """Return the name of a recording."""
        return f"{self._name}[{index}]"


def compact(
    recordings: Recordings,
    *,
    sensor_size: SensorSize,
    classes: int,
    steps: int,
    dt: Optional[float] = None,
    downsample: float = 1,
    capacity: Optional[int] = None,
    cache: Cache = None,
    name: str = "recordings",
    key: Optional[Mapping[str, Any]] = None,
    workers: int = 0,
) -> SpikeDataset:
    """Return recordings of events as a dataset, without a dense tensor between.

    Parameters
    ----------
    recordings : sequence of (events, label)
        Events as tonic has them: a structured array [E] of `t` in microseconds, ascending, `x`, `y`
        where H > 1 and `p` where P > 1. The label is a class, or an array [T] of a class for each
        time step, -100 for a step without one; all recordings have the same of both.
    sensor_size : (W, H, P)
        Neuron `(p * H + y) * W + x` is that of an event. Of a sensor with P = 1, `p` is not read.
    classes : int
    steps, dt, downsample
        As in `data.Binning`.
    capacity : int, optional
        As in `SpikeDataset`.
    cache : str or Path, optional
        Folder that keeps the result; default `data` in the user's cache. Read where it has the
        same name, key and arguments.
    name : str
        Of the dataset, for its file in the cache and for messages.
    key : dict of plain values, optional
        Says which recordings these are, as a path and a version do. Default: nothing is cached.
    workers : int
        Processes that read; 0 reads here.

    Raises
    ------
    ValueError
        Where a recording is not as expected; the message names it.
    """
    binning = Binning(steps, dt, downsample)
    sensor_size = sensor(sensor_size)
    classes = checks.integer("data", "classes", classes, 1)

    def build() -> Compacted:
        named = Numbered(recordings, f"data: {name}")
        return compact_named(named, sensor_size, classes, binning, workers, name)

    if key is None:
        lists, labels = build()
    else:
        arguments = dict(key, sensor_size=list(sensor_size), **binning.__dict__)
        lists, labels = cached(cache, name, arguments, build)
    _warn_of_units(lists, binning, f"data: {name}")
    return SpikeDataset(lists, torch.from_numpy(labels), classes, capacity=capacity)


def _warn_of_units(lists: SpikeLists, binning: Binning, name: str) -> None:
    """Warn where recordings last a tenth of the time steps, or a hundred times longer."""
    if binning.dt is None:
        return
    spikes = lists.lengths.sum(0, dtype=np.int64)  # [T]
    used = int(np.flatnonzero(spikes)[-1]) + 1 if spikes.any() else 0
    late, kept = int(lists.late.sum()), int(spikes.sum() + lists.merged.sum())
    length = f"{binning.steps * binning.dt:g} s (steps * dt)"
    if late + kept < FEW:
        return
    if used and SHORTEST * used <= binning.steps:
        got = f"all events in the first {used * binning.dt:g} s"
    elif late > 100 * kept:
        got = f"{late} events after it"
    else:
        return
    warnings.warn(
        f"{name}: dt: expected recordings of about {length}, got {got}: `t` is in microseconds and "
        "`dt` in seconds",
        stacklevel=3,
    )


def compact_named(
    recordings: NamedRecordings,
    sensor_size: SensorSize,
    classes: int,
    binning: Binning,
    workers: int,
    name: str,
    threads: int = 1,
) -> Compacted:
    """Return the lists and labels of recordings; `name` is that of all of them.

    Without workers, so many threads of this process read; more than one only where recordings can
    be read by several at once.
    """
    workers = checks.integer("data", "workers", workers, 0)
    chunks = _Chunks(recordings, sensor_size, classes, binning)
    made: Iterator[Chunk] = made_by(workers, chunks)
    if workers == 0 and threads > 1:
        made = _in_threads(chunks, threads)
    made_lists: List[Compacted] = []
    with tqdm(total=len(recordings), unit="recording", desc=name, disable=None) as bar:
        for lists_of in made:
            if isinstance(lists_of, Exception):
                raise lists_of
            if made_lists and lists_of[1].ndim != made_lists[0][1].ndim:
                where = recordings.name(sum(len(labels) for _, labels in made_lists))
                raise _other_labels(where, bool(lists_of[1].ndim - 1))
            made_lists.append(lists_of)
            bar.update(len(lists_of[1]))
    if not made_lists:
        raise ValueError(f"data: {name}: expected at least one recording, got none")
    lists = SpikeLists.joined([lists_of[0] for lists_of in made_lists])
    return lists, np.concatenate([lists_of[1] for lists_of in made_lists])


def _in_threads(chunks: _Chunks, threads: int) -> Iterator[Chunk]:
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(chunks.__getitem__, range(len(chunks)))


class _Chunks(Dataset[Any]):
    """Lists of `CHUNK` recordings at a time; an error is a value, which crosses processes whole.

    It is pickled where processes are not forked.
    """

    def __init__(
        self,
        recordings: NamedRecordings,
        sensor_size: SensorSize,
        classes: int,
        binning: Binning,
    ) -> None:
        self.recordings = recordings
        self.sensor_size = sensor_size
        self.classes = classes
        self.binning = binning

    def __len__(self) -> int:
        return -(-len(self.recordings) // CHUNK)

    def __getitem__(self, number: int) -> Chunk:
        begin = number * CHUNK
        try:
            return self._compact(range(begin, min(begin + CHUNK, len(self.recordings))))
        except (OSError, ValueError, KeyError, TypeError) as error:
            return error

    def _compact(self, indices: range) -> Compacted:
        steps, neurons, counts = [], [], []
        late = np.zeros(len(indices), np.int64)
        labels: List[Any] = []
        for position, index in enumerate(indices):
            name = self.recordings.name(index)
            events, label = self._read(index, name)
            step, neuron, late[position] = self.binning.bin(events, self.sensor_size, name)
            labels.append(labels_of(name, label, self.classes, self.binning.steps))
            if isinstance(labels[0], int) != isinstance(labels[-1], int):
                raise _other_labels(name, isinstance(labels[0], int))
            steps.append(step)
            neurons.append(neuron)
            counts.append(len(step))
        sample = np.repeat(np.arange(len(indices), dtype=np.int32), counts)
        columns = (sample, np.concatenate(steps), np.concatenate(neurons))
        grid = self.binning.grid(self.sensor_size)
        lists = SpikeLists.from_events(columns, len(indices), self.binning.steps, grid, late)
        return lists, np.array(labels, np.int64)

    def _read(self, index: int, name: str) -> Tuple[np.ndarray, Any]:
        try:
            events, label = self.recordings[index]
        except Exception as error:  # whatever the reader of a broken file raises
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ValueError(
                f"{name}: expected a recording that can be read, got {reason}"
            ) from error
        return events, label


def _other_labels(name: str, each_step: bool) -> ValueError:
    """Return the error of a recording that has T labels where others have one, or one of T."""
    one, several = "one label", "a label for each step"
    got, wanted = (several, one) if each_step else (one, several)
    return ValueError(f"{name}: expected {wanted} as in the recordings before, got {got}")


def stamp(path: Union[str, Path]) -> Dict[str, Any]:
    """Return what tells a file from another version of it: path, size and time of change."""
    resolved = Path(path).resolve()
    status = resolved.stat()
    return {"path": str(resolved), "bytes": status.st_size, "changed": status.st_mtime_ns}
