"""Batches of a loader: several as one, one cut anew, and a process's part of a dataset."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Sequence

import torch
from torch.utils.data import Dataset, default_collate

from .._structure import rebuilt, tensors
from ..options import Options


def joined(batches: Sequence[Any]) -> Any:
    """Return batches of one structure as one, along dimension 0."""
    if len(batches) == 1:
        return batches[0]
    columns = zip(*(list(tensors(batch)) for batch in batches))
    return rebuilt(batches[0], iter([torch.cat(column) for column in columns]))


class Rebatched:
    """An iterator over the samples of batches of any size, in batches of another.

    Parameters
    ----------
    source : iterator
    size : int
    drop_last : bool
    """

    def __init__(self, source: Iterator[Any], size: int, drop_last: bool) -> None:
        self.source = source
        self._batches = rebatched(source, size, drop_last)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._batches)


def rebatched(batches: Iterable[Any], size: int, drop_last: bool) -> Iterator[Any]:
    """Yield the samples of batches of any size in batches of `size`.

    Parameters
    ----------
    batches : iterable
    size : int
    drop_last : bool
        Whether the samples that fill no batch are left out.
    """
    held: list[Any] = []
    count = 0
    for batch in batches:
        held.append(batch)
        count += _length(batch)
        if count < size:
            continue
        whole = joined(held)
        full = count - count % size
        for begin in range(0, full, size):
            yield _cut(whole, begin, begin + size)
        held = [_cut(whole, full, count)] if full < count else []
        count -= full
    if held and not drop_last:
        yield joined(held)


def _length(batch: Any) -> int:
    return next(tensors(batch)).shape[0]


def _cut(batch: Any, begin: int, end: int) -> Any:
    return rebuilt(batch, (value[begin:end] for value in tensors(batch)))


class Combined:
    """Draws several batches of a sampler for one call.

    Parameters
    ----------
    sampler : iterable of lists of indices
    count : int
    drop_last : bool
    """

    def __init__(self, sampler: Any, count: int, drop_last: bool) -> None:
        self.sampler = sampler
        self.count = count
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        batches: list[Any] = []
        for batch in self.sampler:
            batches.append(batch)
            if len(batches) == self.count:
                yield batches
                batches = []
        if batches and not self.drop_last:
            yield batches

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.count)
        return whole + (1 if rest and not self.drop_last else 0)


class ByBatches(Dataset[Any]):
    """A dataset whose indices are lists of another's.

    Parameters
    ----------
    dataset : Dataset
    """

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, indices: Sequence[Any]) -> list[Any]:
        return [self.dataset[index] for index in indices]


class CollateEach:
    """Collates each batch of a call by itself, as a sampler's batches may differ in size.

    Parameters
    ----------
    collate : callable, optional
        Default: torch's.
    """

    def __init__(self, collate: Any) -> None:
        self.collate = default_collate if collate is None else collate

    def __call__(self, batches: Sequence[list[Any]]) -> Any:
        return joined([self.collate(batch) for batch in batches])


class Shard(Dataset[Any]):
    """One process's part of a dataset: a range of it, shuffled as a whole each epoch.

    Parameters
    ----------
    dataset : Dataset
    options : Options
    step : int
        Samples of a call.
    drop_last, shuffle : bool

    Raises
    ------
    AssertionError
        Where it is to be shuffled without a seed on which the processes agree.
    """

    def __init__(
        self, dataset: Any, options: Options, step: int, drop_last: bool, shuffle: bool
    ) -> None:
        processes, own = options.Distributed.numProcesses, options.Distributed.processId
        if shuffle and not options.exists("random_seed"):
            raise AssertionError(
                "When using auto_distributed_partitioning you must set "
                "poptorch.Options.randomSeed() to ensure that tensors are in the same order in "
                "all processes."
            )
        self.dataset = dataset
        total = len(dataset)
        if drop_last:
            size = step * (total // (step * processes))
            self.begin, self.size = own * size, size
        else:
            sizes = [total // processes + (total % processes > i) for i in range(processes)]
            self.begin, self.size = sum(sizes[:own]), sizes[own]
        self._order: torch.Tensor | None = None
        self._generator = None
        if shuffle:
            self._generator = torch.Generator().manual_seed(options.random_seed)
            # Shared, so that the workers' indices are shuffled too.
            self._order = torch.arange(total).share_memory_()

    def next_epoch(self) -> None:
        """Draw another order, the same in all processes."""
        if self._order is not None and self._generator is not None:
            self._order.copy_(torch.randperm(len(self._order), generator=self._generator))

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Any:
        number = index + self.begin
        return self.dataset[number if self._order is None else int(self._order[number])]
