"""Events (t, b, n) to compacted lists, without the dense tensor between."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np
import torch
from torch import Tensor

from . import _check
from .compaction import begins

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
    steps, batch, size = (_check.integer(_NAME, "shape", n, 1) for n in shape)
    row, n = _sorted(_table(events), steps, batch, size)
    per_row = torch.bincount(row, minlength=steps * batch)
    longest = max(1, int(per_row.max()))
    places = longest if capacity is None else _check.integer(_NAME, "capacity", capacity, 1, size)

    # The place of an event is its position in the cyclic order of its own list.
    begin = begins(seed, layer, 0, steps, batch, size).reshape(-1)
    cyclic = torch.argsort(row * size + (n - begin[row]) % size)
    place = torch.empty_like(row)
    place[cyclic] = _position(row[cyclic], per_row)
    row, n = row[place < places], n[place < places]

    n_kept = per_row.clamp_max(places)
    ids = torch.zeros(steps * batch, places, dtype=torch.int32)
    ids[row, _position(row, n_kept)] = n.to(torch.int32)
    counts = torch.stack([n_kept, n_kept], dim=-1)
    dropped = torch.stack([per_row - n_kept, torch.zeros_like(per_row)], dim=-1)
    return (
        ids.view(steps, batch, places),
        counts.view(steps, batch, 2),
        dropped.view(steps, batch, 2),
    )


def _table(events: Events) -> Tensor:
    """Return events as int64 [E, 3]."""
    if isinstance(events, tuple) and len(events) == 3:
        columns = [torch.as_tensor(column) for column in events]
        if len({tuple(column.shape) for column in columns}) != 1 or columns[0].dim() != 1:
            shapes = ", ".join(str(tuple(column.shape)) for column in columns)
            raise ValueError(f"{_NAME}: events: expected three arrays of one length, got {shapes}")
        table = torch.stack(columns, dim=1)
    else:
        table = torch.as_tensor(events)
    if table.numel() == 0:
        return torch.zeros(0, 3, dtype=torch.int64)
    if table.dim() != 2 or table.shape[1] != 3:
        raise ValueError(f"{_NAME}: events: expected shape [E, 3], got {tuple(table.shape)}")
    if table.is_floating_point() or table.is_complex() or table.dtype == torch.bool:
        raise TypeError(f"{_NAME}: events: expected integers, got {table.dtype}")
    return table.to(device="cpu", dtype=torch.int64)


def _sorted(table: Tensor, steps: int, batch: int, size: int) -> Tuple[Tensor, Tensor]:
    """Return list number and neuron of each event, [E] each, in ascending order and checked."""
    for column, axis, bound in zip(table.unbind(1), "tbn", (steps, batch, size)):
        wrong = column[(column < 0) | (column >= bound)]
        if wrong.numel():
            raise ValueError(
                f"{_NAME}: events: expected {axis} in 0..{bound - 1}, got {int(wrong[0])}"
            )
    t, b, n = table.unbind(1)
    row = t * batch + b
    order = torch.argsort(row * size + n)
    row, n = row[order], n[order]
    twice = (row[1:] == row[:-1]) & (n[1:] == n[:-1])
    if bool(twice.any()):
        at = int(torch.nonzero(twice)[0])
        where = (int(row[at]) // batch, int(row[at]) % batch, int(n[at]))
        raise ValueError(f"{_NAME}: events: expected each (t, b, n) once, got {where} twice")
    return row, n


def _position(row: Tensor, per_row: Tensor) -> Tensor:
    """Return the position of each entry in its row; `row` [E] ascends, `per_row` [R] counts."""
    first = per_row.cumsum(0) - per_row
    return torch.arange(row.numel()) - first[row]
