"""SpikeLists: the spikes of many samples, back to back, as they lie in memory and on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np
import torch

from .._internal import checks
from .._internal.compaction import begins_of
from ..events import as_lists, integer_columns, pad_lists, sort_events
from ..spikes import INPUT_LAYER, SpikeTensor

_FROM_EVENTS = "SpikeLists.from_events"

Grid = Tuple[int, int, int]
Columns = Tuple[np.ndarray, np.ndarray, np.ndarray]


class SpikeLists:
    """Spikes of M samples over T steps: for each sample and step the ids that fired, ascending.

    Nothing is padded, so that the spikes take two bytes each, and may lie in a mapped file.

    Parameters
    ----------
    ids : uint16 or int32 array [E]
        Sample after sample, step after step.
    lengths : int32 array [M, T]
    grid : (P, H, W)
        N = P * H * W neurons; `n = (p * H + y) * W + x`.
    late, merged : int64 array [M], optional
        Events of each sample after the last step, and those that fell on another event's neuron and
        step. Default: none.
    path : Path, optional
        File that the arrays are mapped from; another process maps it too instead of copying them.
    check : bool
        Whether to check the lists, which reads all of them.

    Raises
    ------
    TypeError, ValueError
        Where a shape does not fit, lengths and ids do not match, or an id is out of range, out of
        order or twice.
    """

    def __init__(
        self,
        ids: np.ndarray,
        lengths: np.ndarray,
        grid: Grid,
        *,
        late: Optional[np.ndarray] = None,
        merged: Optional[np.ndarray] = None,
        path: Optional[Path] = None,
        check: bool = True,
    ) -> None:
        if check:
            ids, lengths, grid = _checked(ids, lengths, grid)
            late = _counts("late", late, len(lengths))
            merged = _counts("merged", merged, len(lengths))
        self.ids = ids
        self.lengths = lengths
        self.grid = grid
        self.late = np.zeros(len(lengths), np.int64) if late is None else late
        self.merged = np.zeros(len(lengths), np.int64) if merged is None else merged
        self.path = path
        self._first = np.concatenate([[0], lengths.sum(1, dtype=np.int64).cumsum()])

    @classmethod
    def from_events(
        cls,
        events: Columns,
        samples: int,
        steps: int,
        grid: Grid,
        late: Optional[np.ndarray] = None,
    ) -> SpikeLists:
        """List events in any order.

        Parameters
        ----------
        events : three integer arrays [E]
            Sample, step and neuron.
        samples, steps : int
            M, T.
        grid : (P, H, W)
        late : int64 array [M], optional
            Passed on.

        Raises
        ------
        TypeError, ValueError
            Where the events are no integers, or one lies outside of M, T, N.
        """
        samples = checks.integer(_FROM_EVENTS, "samples", samples, 0)
        steps = checks.size(_FROM_EVENTS, "steps", steps)
        checks.size(_FROM_EVENTS, "samples times steps", max(1, samples) * steps)
        size = _grid_size(_FROM_EVENTS, grid)
        late = _counts("late", late, samples)
        columns = integer_columns(_FROM_EVENTS, tuple(events))
        try:
            lengths, ids = sort_events(columns, (samples, steps, size), merge=True)
        except ValueError as error:
            raise ValueError(f"{_FROM_EVENTS}: {error}") from None
        lengths = lengths.reshape(samples, steps)
        merged = np.bincount(columns[0], minlength=samples) - lengths.sum(1, dtype=np.int64)
        ids = ids.astype(id_type(size))
        return cls(ids, lengths, grid, late=late, merged=merged, check=False)

    @classmethod
    def from_spikes(cls, spikes: SpikeTensor) -> SpikeLists:
        """List what fired in spikes (T, M, N), wherever they lie."""
        spikes = spikes.to("cpu")
        fired = spikes.counts[..., 0].T.contiguous().numpy()
        filled = torch.arange(spikes.capacity, device="cpu") < spikes.counts[..., :1]
        ids = spikes.ids.transpose(0, 1)[filled.transpose(0, 1)].numpy()
        return cls(ids.astype(id_type(spikes.size)), fired, (1, 1, spikes.size), check=False)

    @classmethod
    def joined(cls, parts: Sequence[SpikeLists]) -> SpikeLists:
        """Return the samples of all parts, in their order; the parts' T and grid are the same."""
        return cls(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.lengths for part in parts]),
            parts[0].grid,
            late=np.concatenate([part.late for part in parts]),
            merged=np.concatenate([part.merged for part in parts]),
            check=False,
        )

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def steps(self) -> int:
        """T."""
        return int(self.lengths.shape[1])

    @property
    def size(self) -> int:
        """N, the number of neurons."""
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def longest(self) -> int:
        """The longest list, at least 1."""
        return max(1, int(self.lengths.max(initial=0)))

    def select(self, index: np.ndarray) -> SpikeLists:
        """Return the samples `index` [M'], copied."""
        return SpikeLists(
            self._ids_of(index),
            self.lengths[index],
            self.grid,
            late=self.late[index],
            merged=self.merged[index],
            check=False,
        )

    def events(self, index: np.ndarray) -> Columns:
        """Return step, position in `index` and neuron of all spikes of the samples [B]; int32 [E].

        They come sample by sample, in the order of the steps.
        """
        lengths = self.lengths[index]
        list_of = np.repeat(np.arange(lengths.size, dtype=np.int32), lengths.reshape(-1))
        position, step = np.divmod(list_of, np.int32(max(1, self.steps)))
        return step, position, self._ids_of(index).astype(np.int32)

    def batch(self, index: np.ndarray, capacity: int, seed: int = 0) -> SpikeTensor:
        """Return the samples `index` [B] as spikes (T, B, N) of this capacity.

        Of a list that is longer, a hash of the seed, the step and the sample's number says who
        is kept, whatever batch the sample is in; the others are counted as dropped.
        """
        lengths = self.lengths[index]
        first = self._first[index][:, None] + lengths.cumsum(1, dtype=np.int64) - lengths
        lists = np.ascontiguousarray(lengths.T).reshape(-1)
        return padded(
            self.ids, first.T.reshape(-1), lists, (self.steps, index, self.size), capacity, seed
        )

    def _ids_of(self, index: np.ndarray) -> np.ndarray:
        spans = [self.ids[self._first[i] : self._first[i + 1]] for i in index]
        return np.concatenate(spans) if spans else self.ids[:0]

    def __getstate__(self) -> Dict[str, Any]:
        if self.path is None:
            return self.__dict__
        return {"path": self.path}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        if "ids" not in state:
            from .cache import load  # which makes lists

            state = load(state["path"])[0].__dict__
        self.__dict__.update(state)


def padded(
    ids: np.ndarray,
    first: np.ndarray,
    lengths: np.ndarray,
    shape: Tuple[int, np.ndarray, int],
    capacity: int,
    seed: int,
) -> SpikeTensor:
    """Return lists as spikes of one capacity.

    Parameters
    ----------
    ids : uint16 or int32 array [E]
    first, lengths : int64 and int32 array [T * B]
    shape : (T, numbers of the samples [B], N)
    capacity, seed : int
    """
    steps, samples, size = shape
    if int(lengths.max(initial=0)) > capacity:
        numbers = torch.from_numpy(np.asarray(samples, np.int64))
        every = torch.arange(steps, device="cpu")
        begin = begins_of(seed, INPUT_LAYER, every, numbers, size).reshape(-1).numpy()
    else:
        begin = np.zeros(len(lengths), np.int64)
    rows, n_kept = pad_lists(ids, first, lengths, begin, capacity)
    filled, counts, dropped = as_lists(rows, n_kept, lengths - n_kept, (steps, len(samples)))
    return SpikeTensor(filled, counts, size, dropped=dropped, check=False)


def id_type(size: int) -> Any:
    """Return the narrowest type of the ids of `size` neurons."""
    return np.uint16 if size <= 65536 else np.int32


def _checked(ids: Any, lengths: Any, grid: Any) -> Tuple[np.ndarray, np.ndarray, Grid]:
    """Return lists as SpikeLists keeps them, or raise what is wrong with them."""
    size = _grid_size("SpikeLists", grid)
    ids, lengths = np.asarray(ids), np.asarray(lengths)
    for name, array, dims in (("ids", ids, 1), ("lengths", lengths, 2)):
        if array.ndim != dims or (array.size and array.dtype.kind not in "iu"):
            raise ValueError(
                f"SpikeLists: {name}: expected integers of {dims} dimensions, got {array.dtype} of "
                f"shape {array.shape}"
            )
    if lengths.size and not 0 <= lengths.min() <= lengths.max() <= size:
        wrong = lengths.max() if lengths.max() > size else lengths.min()
        raise ValueError(f"SpikeLists: lengths: expected 0..{size}, got {wrong}")
    total = int(lengths.sum(dtype=np.int64))
    if total != len(ids):
        raise ValueError(f"SpikeLists: ids: expected {total} as the lengths say, got {len(ids)}")
    if len(ids) and not 0 <= ids.min() <= ids.max() < size:
        wrong = ids.max() if ids.max() >= size else ids.min()
        raise ValueError(f"SpikeLists: ids: expected 0..{size - 1}, got {wrong}")
    ids = ids.astype(id_type(size), copy=False)
    follows = np.ones(len(ids) + 1, bool)
    follows[lengths.reshape(-1).cumsum(dtype=np.int64)] = False  # the first of each next list
    wrong_order = follows[1:-1] & (ids[1:] <= ids[:-1])
    if wrong_order.any():
        at = int(wrong_order.argmax())
        raise ValueError(
            f"SpikeLists: ids: expected ascending ids in each list, got {ids[at]} before "
            f"{ids[at + 1]}"
        )
    return ids, lengths.astype(np.int32, copy=False), tuple(grid)


def _grid_size(operation: str, grid: Any) -> int:
    """Return N of (P, H, W)."""
    if len(grid) != 3:
        raise ValueError(f"{operation}: grid: expected (P, H, W), got {grid!r}")
    planes, height, width = (checks.integer(operation, "grid", n, 1) for n in grid)
    return checks.size(operation, "grid", planes * height * width)


def _counts(name: str, counts: Optional[np.ndarray], samples: int) -> Optional[np.ndarray]:
    """Return one count a sample, or None."""
    if counts is None:
        return None
    counts = np.asarray(counts)
    if counts.shape != (samples,) or (counts.size and counts.dtype.kind not in "iu"):
        raise ValueError(
            f"SpikeLists: {name}: expected integers of shape ({samples},), got {counts.dtype} of "
            f"shape {counts.shape}"
        )
    return counts
