"""The rule by which the capacity of a layer follows what fires: `max_activity="auto"`.

A training pass leaves its demand: how many neurons would have fired and would have been active, and
how many of them each size that the capacity may have would have dropped. So the drops of any size
follow from any pass, whatever capacity it had. Demands are added over windows of training passes.

The capacity begins at all neurons. It grows at once where the drops of the window and the one
before exceed the bounds. It shrinks at the end of a window alone, and only by two sizes or more.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Any, Deque, List, NamedTuple, Sequence, Tuple

import torch
from torch import Tensor

from . import checks

AUTO = "auto"
MAX_DROPS = (0.001, 0.01)  # of the spikes, and of the gradients
WINDOW = 32  # training passes between two looks for a smaller capacity
# Training passes before a demand counts. A GPU has ended the pass before the last while the last
# one runs, so that reading leaves it work; other engines wait as long, and get the same capacities.
LAG = 2
PER_OCTAVE = 4  # sizes between a capacity and its double
ROUNDED_TO = 4  # entries to which lists are padded
HEADROOM = 0.5  # of the bounds, which a capacity that has grown meets
SPARE = 0.25  # of the bounds, which a capacity that shrinks meets
MOST_CELLS = 1 << 24  # of a temporary


def sizes_of(neurons: int) -> Tuple[int, ...]:
    """Return the capacities that a layer of N neurons may have, ascending; the last is N."""
    sizes = {neurons}
    count = 1
    while neurons * 2.0 ** (-count / PER_OCTAVE) > ROUNDED_TO:
        size = neurons * 2.0 ** (-count / PER_OCTAVE)
        sizes.add(int(-(-size // ROUNDED_TO)) * ROUNDED_TO)
        count += 1
    return tuple(sorted(size for size in {*sizes, ROUNDED_TO} if size <= neurons))


def bounds_of(operation: str, value: Any) -> Tuple[float, float]:
    """Return the largest fractions of spikes and of gradients that may be dropped.

    Raises
    ------
    TypeError, ValueError
        Where they are not two numbers in [0, 1).
    """
    if value is None:
        return MAX_DROPS
    wanted = f"{operation}: max_drops: expected two numbers in [0, 1), of spikes and of gradients"
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError(f"{wanted}, got {value!r}")
    spikes, gradients = (checks.finite(operation, "max_drops", bound) for bound in value)
    if not (0.0 <= spikes < 1.0 and 0.0 <= gradients < 1.0):
        raise ValueError(f"{wanted}, got {value!r}")
    return spikes, gradients


def demand(counts: Tensor, dropped: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return the demand of a pass, int64 [2 + 2 K], where its counts are.

    Neurons that would have fired, that would have been active, and for each of the K sizes how many
    of the first and of the second it has no room for.

    Parameters
    ----------
    counts, dropped : Tensor [T, B, 2]
        As of a `SpikeTensor`.
    sizes : sequence of int
    """
    active = counts[..., 1] + dropped.sum(-1)
    wanted = torch.stack([counts[..., 0] + dropped[..., 0], active]).reshape(2, 1, -1).int()
    limits = _on_device(tuple(sizes), wanted.device)
    rows = max(1, MOST_CELLS // (2 * len(sizes)))
    above = [
        (cells - limits.view(1, -1, 1)).clamp_min(0).sum(-1) for cells in wanted.split(rows, -1)
    ]
    return torch.cat([wanted.sum(-1).flatten(), torch.stack(above).sum(0).flatten()])


@lru_cache(maxsize=256)
def _on_device(sizes: Tuple[int, ...], device: torch.device) -> Tensor:
    return torch.tensor(sizes, dtype=torch.int32, device=device)


class Pending:
    """A demand that a device may still copy to the host."""

    def __init__(self, values: Tensor) -> None:
        self._event: Any = None
        self._values = values
        if values.is_cuda:
            self._values = torch.empty(
                values.shape, dtype=values.dtype, device="cpu", pin_memory=True
            )
            self._values.copy_(values, non_blocking=True)
            self._event = torch.cuda.Event()
            self._event.record(torch.cuda.current_stream(values.device))

    def read(self) -> List[int]:
        """Return the numbers, which waits for a device that has not come there."""
        if self._event is not None:
            self._event.synchronize()
            self._event = None
        return [int(value) for value in self._values.tolist()]


class Change(NamedTuple):
    """A capacity before and after a change, and why."""

    before: int
    after: int
    reason: str


class CapacityControl:
    """The capacity of a layer of so many neurons, and the demands that it follows.

    Parameters
    ----------
    neurons : int
    bounds : tuple of two float
        Largest fractions of spikes and of gradients that may be dropped.
    """

    def __init__(self, neurons: int, bounds: Tuple[float, float] = MAX_DROPS) -> None:
        self.bounds = bounds
        self.sizes = sizes_of(neurons)
        self.passes = 0  # whose demands have counted
        self.fixed = False  # where an engine has no capacity for the layer
        self._index = len(self.sizes) - 1
        self._due = False  # a look for a smaller capacity
        self._before = self._now = self._nothing
        self._pending: Deque[List[int] | Pending] = deque()

    @property
    def capacity(self) -> int:
        """The present capacity."""
        return self.sizes[self._index]

    @property
    def _nothing(self) -> List[int]:
        return [0] * (2 + 2 * len(self.sizes))

    def add(self, demand: List[int] | Pending) -> None:
        """Take the demand of a training pass."""
        self._pending.append(demand)

    def plan(self, shrinks: bool = True) -> Change | None:
        """Return the change of capacity before the next training pass, or None.

        Parameters
        ----------
        shrinks : bool
            Whether the capacity may become smaller.
        """
        if len(self._pending) < LAG:
            return None
        last = _read(self._pending.popleft())
        if self.fixed:
            return None
        self._now = _sum(self._now, last)
        self.passes += 1
        recent = _sum(self._before, self._now)
        index = self._index
        reason = ""
        if not self._fits(recent, index, 1.0):
            spikes, gradients = self.drops(recent, index)
            reason = (
                f"it would have dropped {100 * spikes:.2g} % of recent spikes and "
                f"{100 * gradients:.2g} % of gradients"
            )
            index = max(self._fitting(recent, HEADROOM), self._fitting(last, 1.0)) + 1
        if self.passes % WINDOW == 0:
            self._before, self._now, self._due = self._now, self._nothing, True
        if self._due and shrinks:
            self._due = False
            smaller = self._fitting(recent, SPARE) + 1
            if smaller <= index - 2:
                index, reason = smaller, "recent active sets are smaller"
        return self._set(min(index, len(self.sizes) - 1), reason)

    def _set(self, index: int, reason: str) -> Change | None:
        before, self._index = self.capacity, index
        return None if self.capacity == before else Change(before, self.capacity, reason)

    def fix(self) -> None:
        """Keep all neurons from here on."""
        self._index, self.fixed = len(self.sizes) - 1, True

    def drops(self, demand: Sequence[int], index: int) -> Tuple[float, float]:
        """Return the fractions of spikes and of gradients that a size drops of a demand."""
        spikes, active = demand[2 + index], demand[2 + len(self.sizes) + index]
        return spikes / max(1, demand[0]), (active - spikes) / max(1, demand[1] - spikes)

    def _fits(self, demand: Sequence[int], index: int, fraction: float) -> bool:
        of_size = zip(self.drops(demand, index), self.bounds)
        return all(dropped <= fraction * bound for dropped, bound in of_size)

    def _fitting(self, demand: Sequence[int], fraction: float) -> int:
        """Return the smallest size that drops at most a fraction of the bounds."""
        indices = range(len(self.sizes))
        return next(index for index in indices if self._fits(demand, index, fraction))

    def numbers(self) -> Tensor:
        """Return all of this but its options as int64 numbers, as many at any time."""
        pending = self._read_pending()
        head = [self.capacity, self.passes, self.fixed, self._due, len(pending)]
        values = [*map(int, head), *self._before, *self._now]
        for demand in [*pending, *[self._nothing] * (LAG - len(pending))]:
            values += demand
        return torch.tensor(values, dtype=torch.int64, device="cpu")

    def load(self, numbers: Tensor) -> None:
        """Take what `numbers` returned.

        Raises
        ------
        ValueError
            Where it is of another number of neurons.
        """
        expected = 5 + (2 + LAG) * len(self._nothing)
        if tuple(numbers.shape) != (expected,) or int(numbers[0]) not in self.sizes:
            raise ValueError(
                f"expected the {expected} numbers of an automatic capacity of {self.sizes[-1]} "
                f"neurons, got {tuple(numbers.shape)}"
            )
        values = [int(value) for value in numbers.tolist()]
        self._index = self.sizes.index(values[0])
        self.passes, self.fixed, self._due = values[1], bool(values[2]), bool(values[3])
        size = len(self._nothing)
        rows = [values[5 + size * row : 5 + size * (row + 1)] for row in range(2 + LAG)]
        self._before, self._now = rows[:2]
        self._pending = deque(rows[2 : 2 + values[4]])

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: numbers, and no event of a device."""
        return {**self.__dict__, "_pending": deque(self._read_pending())}

    def _read_pending(self) -> List[List[int]]:
        """Return the demands that do not count yet, and have no event of a device from here on."""
        read = [_read(demand) for demand in self._pending]
        self._pending = deque(read)
        return read


def _read(demand: List[int] | Pending) -> List[int]:
    return demand.read() if isinstance(demand, Pending) else demand


def _sum(first: Sequence[int], second: Sequence[int]) -> List[int]:
    return [a + b for a, b in zip(first, second)]
