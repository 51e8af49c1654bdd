"""Events (t, b, n) to compacted lists, without the dense tensor between.

`sort_events` and `pad_lists` are defined here in torch; where the native part of the package is
there, it does the same in a counting sort over all threads.
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
import torch
from torch import Tensor

from ._internal import checks
from ._internal.compaction import begins
from ._internal.native import native

Events = Union[Tensor, np.ndarray, Sequence[Any]]

_NAME = "SpikeTensor.from_events"


def list_events(
    events: Events, shape: Tuple[int, int, int], capacity: Optional[int], seed: int, layer: int
) -> Tuple[Tensor, Tensor, Tensor]:
    """Return ids [T, B, S], counts [T, B, 2] and dropped [T, B, 2] of events in any order.

    The arguments and the errors are those of `SpikeTensor.from_events`.
    """
    if len(shape) != 3:
        raise ValueError(f"{_NAME}: shape: expected (T, B, N), got {tuple(shape)}")
    steps, batch, size = (checks.size(_NAME, "shape", n) for n in shape)
    checks.size(_NAME, "shape", steps * batch)
    if capacity is not None:
        capacity = checks.integer(_NAME, "capacity", capacity, 1, size)
    try:
        lengths, ids = sort_events(integer_columns(_NAME, events), (steps, batch, size))
    except ValueError as error:
        raise ValueError(f"{_NAME}: {error}") from None
    capacity = max(1, int(lengths.max())) if capacity is None else capacity
    begin = begins(seed, layer, 0, steps, batch, size).reshape(-1).numpy()
    first = np.cumsum(lengths, dtype=np.int64) - lengths
    rows, kept_per_row = pad_lists(ids, first, lengths, begin, capacity)
    return as_lists(rows, kept_per_row, lengths - kept_per_row, (steps, batch))


def as_lists(
    rows: np.ndarray, kept: np.ndarray, dropped: np.ndarray, shape: Tuple[int, int]
) -> Tuple[Tensor, Tensor, Tensor]:
    """Return ids, counts and dropped of a SpikeTensor whose rows list spikes alone.

    Parameters
    ----------
    rows : int32 array [T * B, S]
    kept, dropped : int32 array [T * B]
    shape : (T, B)
    """
    kept_counts = torch.from_numpy(kept).view(shape)
    n_dropped = torch.from_numpy(dropped).view(shape)
    return (
        torch.from_numpy(rows).view(*shape, rows.shape[-1]),
        torch.stack([kept_counts, kept_counts], dim=-1),
        torch.stack([n_dropped, torch.zeros_like(n_dropped)], dim=-1),
    )


def sort_events(
    columns: Sequence[np.ndarray], shape: Tuple[int, int, int], merge: bool = False
) -> Tuple[np.ndarray, np.ndarray]:
    """Sort events into one ascending list for each (t, b).

    Parameters
    ----------
    columns : three int64 or int32 arrays [E]
        t, b, n of events in any order, of one dtype.
    shape : (T, B, N)
    merge : bool
        Whether an event that comes again counts once; else it is an error.

    Returns
    -------
    lengths
        [T * B] int32, of the list t * B + b.
    ids
        [sum of lengths] int32, one list after the other.

    Raises
    ------
    ValueError
        Where an event lies outside of `shape`, or comes twice without `merge`.
    """
    native = _native()
    if native is None:
        return _sort_in_torch(columns, shape, merge)
    threads = torch.get_num_threads()
    lengths, ids = native.sort_events(*columns, *shape, merge, threads)
    return lengths, ids


def pad_lists(
    ids: np.ndarray, first: np.ndarray, lengths: np.ndarray, begin: np.ndarray, capacity: int
) -> Tuple[np.ndarray, np.ndarray]:
    """Write ascending indices as rows of `capacity` ids, 0 after the last.

    Of more indices those that come first in cyclic order from `begin` are kept.

    Parameters
    ----------
    ids : uint16 or int32 array [E]
    first : int64 array [R]
        Where in `ids` each list begins.
    lengths : int32 array [R]
    begin : int64 array [R]
        In [0, N).
    capacity : int
        S, at least 1.

    Returns
    -------
    rows
        [R, S] int32.
    kept
        [R] int32, how many ids of its list a row holds.
    """
    native = _native()
    if native is None:
        return _pad_in_torch(ids, first, lengths, begin, capacity)
    rows, kept_per_row = native.pad_lists(
        ids, first, lengths, begin, capacity, torch.get_num_threads()
    )
    return rows, kept_per_row


def _native() -> Any:
    try:
        return native()
    except ImportError:
        return None


def integer_columns(operation: str, events: Events) -> List[np.ndarray]:
    """Return t, b, n of events as three int64 or three int32 arrays [E].

    Raises
    ------
    TypeError, ValueError
        Where they are no integers of that size, or of another shape.
    """
    if isinstance(events, tuple) and len(events) == 3:
        columns = [_array(column) for column in events]
        if len({column.shape for column in columns}) != 1 or columns[0].ndim != 1:
            shapes = ", ".join(str(column.shape) for column in columns)
            raise ValueError(f"events: expected three arrays of one length, got {shapes}")
        columns = [_integers(operation, column) for column in columns]
    else:
        table = _integers(operation, _array(events))
        if table.size == 0:
            table = table.reshape(0, 3)
        if table.ndim != 2 or table.shape[1] != 3:
            raise ValueError(f"events: expected shape [E, 3], got {table.shape}")
        columns = [table[:, axis] for axis in range(3)]
    if any(column.dtype != np.int32 for column in columns):
        columns = [column.astype(np.int64, copy=False) for column in columns]
    return [column if _walks(column) else np.ascontiguousarray(column) for column in columns]


def _walks(column: np.ndarray) -> bool:
    """Return whether a column's stride is a positive number of elements."""
    stride = column.strides[0]
    return stride > 0 and stride % column.itemsize == 0 and column.flags.aligned


def _array(values: Any) -> np.ndarray:
    return values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)


def _integers(operation: str, array: np.ndarray) -> np.ndarray:
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{operation}: events: expected integers, got {array.dtype}")
    if array.dtype.kind == "u" and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"events: expected integers of 64 bits, got {array.max()}")
    return array


def _sort_in_torch(
    columns: Sequence[np.ndarray], shape: Tuple[int, int, int], merge: bool
) -> Tuple[np.ndarray, np.ndarray]:
    steps, batch, size = shape
    t, b, n = (torch.from_numpy(np.ascontiguousarray(column, np.int64)) for column in columns)
    outside = (t < 0) | (t >= steps) | (b < 0) | (b >= batch) | (n < 0) | (n >= size)
    if bool(outside.any()):
        at = int(torch.nonzero(outside)[0])
        for axis, column, bound in zip("tbn", (t, b, n), shape):
            if not 0 <= int(column[at]) < bound:
                raise ValueError(
                    f"events: expected {axis} in 0..{bound - 1}, got {int(column[at])}"
                )
    key = ((t * batch + b) * size + n).sort().values
    twice = key[1:][key[1:] == key[:-1]]
    if twice.numel():
        if not merge:
            again = int(twice[0])
            where = (again // size // batch, again // size % batch, again % size)
            raise ValueError(f"events: expected each (t, b, n) once, got {where} twice")
        key = torch.unique_consecutive(key)
    lengths = torch.bincount(key // size, minlength=steps * batch)
    return lengths.to(torch.int32).numpy(), (key % size).to(torch.int32).numpy()


def _pad_in_torch(
    ids: np.ndarray, first: np.ndarray, lengths: np.ndarray, begin: np.ndarray, capacity: int
) -> Tuple[np.ndarray, np.ndarray]:
    row = np.repeat(np.arange(len(lengths)), lengths)
    position = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    active = ids[first[row] + position].astype(np.int32)
    # The rank of an entry in the cyclic order of its list.
    before = np.bincount(row[active < begin[row]], minlength=len(lengths))
    rank = (position - before[row]) % np.maximum(lengths, 1)[row]
    row, active = row[rank < capacity], active[rank < capacity]
    kept_per_row = np.minimum(lengths, capacity).astype(np.int32)
    rows = np.zeros((len(lengths), capacity), np.int32)
    rows[row, np.arange(len(row)) - (np.cumsum(kept_per_row) - kept_per_row)[row]] = active
    return rows, kept_per_row
