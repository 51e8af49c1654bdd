"""SpikeDataset: samples as compacted spikes, with labels."""

from __future__ import annotations

import signal
from typing import Any, Iterator, Sequence, Tuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from .._internal import checks, renamed
from ..spikes import SpikeTensor
from .augment import Augment
from .lists import SpikeLists, padded
from .workers import made_by


class SpikeDataset:
    """M labelled samples of N neurons over T steps.

    Parameters
    ----------
    spikes : SpikeTensor (T, M, N), or SpikeLists of M samples
    labels : int64 Tensor [M]
    classes : int
        Labels are in 0..classes - 1.
    capacity : int, optional
        S, the capacity of each step of a sample, at most N. Of more spikes, those above it
        are counted in `dropped` of the batch. Default: that of `spikes`, or the longest list, which
        drops nothing.
    augment : Augment, optional
        Random changes of the samples that `batches` yields.
    seed : int
        The drop seed: part of the hash that chooses the spikes that a capacity keeps.

    Raises
    ------
    TypeError, ValueError
        Where there is not one integer in range a sample, or the capacity is not in 1..N.
    """

    def __init__(
        self,
        spikes: SpikeTensor | SpikeLists,
        labels: Tensor,
        classes: int,
        *,
        capacity: int | None = None,
        augment: Augment | None = None,
        seed: int = 0,
    ) -> None:
        if isinstance(spikes, SpikeTensor):
            capacity = spikes.capacity if capacity is None else capacity
            spikes = SpikeLists.from_spikes(spikes)
        if not isinstance(labels, Tensor) or labels.is_floating_point() or labels.is_complex():
            got = labels.dtype if isinstance(labels, Tensor) else type(labels).__name__
            raise TypeError(f"SpikeDataset: labels: expected an integer tensor, got {got}")
        classes = checks.integer("SpikeDataset", "classes", classes, 1)
        if tuple(labels.shape) != (len(spikes),):
            raise ValueError(
                f"SpikeDataset: labels: expected shape ({len(spikes)},), got {tuple(labels.shape)}"
            )
        labels = labels.to("cpu", torch.int64)  # where `batches` gathers them
        if labels.numel() and not 0 <= int(labels.min()) <= int(labels.max()) < classes:
            raise ValueError(
                f"SpikeDataset: labels: expected 0..{classes - 1}, "
                f"got {int(labels.min())}..{int(labels.max())}"
            )
        capacity = spikes.longest if capacity is None else capacity
        self.lists = spikes
        self.labels = labels
        self.classes = classes
        self.capacity = checks.integer("SpikeDataset", "capacity", capacity, 1, spikes.size)
        self.augment = augment
        self.seed = checks.seed("SpikeDataset", seed)
        self._numbers = np.arange(len(spikes))  # of this dataset's samples in `lists`

    def subset(self, index: Tensor | np.ndarray | Sequence[int]) -> SpikeDataset:
        """Return the samples `index` [M'] as a dataset on the same lists and capacity.

        Raises
        ------
        TypeError, IndexError
            Where they are no integers, or there is no such sample.
        """
        chosen = np.asarray(index.cpu() if isinstance(index, Tensor) else index)
        if chosen.size and chosen.dtype.kind not in "iu":
            raise TypeError(f"SpikeDataset.subset: index: expected integers, got {chosen.dtype}")
        chosen = chosen.astype(np.int64)
        outside = (chosen < -len(self)) | (chosen >= len(self))
        if outside.any():
            raise IndexError(
                f"SpikeDataset.subset: index: expected 0..{len(self) - 1}, got {chosen[outside][0]}"
            )
        made = object.__new__(SpikeDataset)
        made.__dict__.update(self.__dict__)
        made._numbers = self._numbers[chosen]
        made.labels = self.labels[torch.from_numpy(chosen)]
        return made

    def augmented(self, augment: Augment | None) -> SpikeDataset:
        """Return the same samples, changed at random in `batches`."""
        changed = self.subset(np.arange(len(self)))
        changed.augment = augment
        return changed

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def spikes(self) -> SpikeTensor:
        """All samples, not augmented, as spikes (T, M, N)."""
        return self.lists.batch(self._numbers, self.capacity, self.seed)

    @property
    def late(self) -> int:
        """Events of these samples that came after the last step and are left out."""
        return int(self.lists.late[self._numbers].sum())

    @property
    def merged(self) -> int:
        """Events of these samples that fell on the neuron and step of another one."""
        return int(self.lists.merged[self._numbers].sum())

    def __getitem__(self, index: int) -> tuple[SpikeTensor, int]:
        """Return sample `index`, not augmented, as spikes (T, 1, N), and its label."""
        position = range(len(self))[index]
        number = self._numbers[position : position + 1]
        return self.lists.batch(number, self.capacity, self.seed), int(self.labels[position])

    def __repr__(self) -> str:
        return (
            f"SpikeDataset({len(self)} samples, {self.lists.steps} steps, "
            f"{self.lists.size} neurons, {self.classes} classes)"
        )

    def batches(
        self,
        batch_size: int,
        *,
        shuffle: bool = False,
        generator: torch.Generator | None = None,
        drop_last: bool = False,
        workers: int = 0,
        skip: int = 0,
        shard: tuple[int, int] = (0, 1),
        share: tuple[int, int] | None = None,
    ) -> Iterator[tuple[SpikeTensor, Tensor]]:
        """Yield spikes (T, B, N) and labels [B], every sample once.

        What comes depends on the generator's state alone: not on the number of workers, and a
        sample's augmentation not on its batch.

        Parameters
        ----------
        batch_size : int
            B; the last batch may be smaller, unless `drop_last` leaves it out.
        shuffle : bool
        generator : torch.Generator, optional
            Source of the order and of the augmentation; default torch's own.
        drop_last : bool
        workers : int
            Processes that make batches in addition to this process; 0 makes them here.
        skip : int
            How many of the first batches to leave out, to go on in the middle of an epoch.
        shard : (k, n)
            Of each batch only the k-th of every n samples, for n processes that split it. `share`
            is the earlier name, which warns.
        """
        if share is not None:
            renamed.warn("SpikeDataset.batches", "share", "shard")
            shard = share
        batch_size = checks.integer("SpikeDataset.batches", "batch_size", batch_size, 1)
        workers = checks.integer("SpikeDataset.batches", "workers", workers, 0)
        skip = checks.integer("SpikeDataset.batches", "skip", skip, 0)
        count = checks.integer("SpikeDataset.batches", "shard", shard[1], 1)
        first = checks.integer("SpikeDataset.batches", "shard", shard[0], 0, count - 1)
        order = torch.arange(len(self), device="cpu")  # whatever torch's default device is
        if shuffle:
            order = torch.randperm(len(self), generator=generator, device="cpu")
        augment_seed = 0
        if self.augment is not None:
            augment_seed = int(torch.randint(2**62, (), generator=generator, device="cpu"))
        last = len(self) - batch_size if drop_last else len(self) - 1
        starts = range(0, last + 1, batch_size)[skip:]
        chunks = [order[start : start + batch_size][first::count] for start in starts]
        made = _Batches(self, chunks, augment_seed)
        yield from made_by(workers, made, _leave_signals)

    def _batch(self, index: Tensor, augment_seed: int) -> tuple[SpikeTensor, Tensor]:
        numbers = self._numbers[index.numpy()]
        if self.augment is None:
            return self.lists.batch(numbers, self.capacity, self.seed), self.labels[index]
        steps, size = self.lists.steps, self.lists.size
        step, position, neuron = self.augment.apply(
            self.lists.events(numbers), numbers, steps, self.lists.grid, augment_seed
        )
        changed = SpikeLists.from_events((step, position, neuron), steps, len(index), (1, 1, size))
        lengths = changed.lengths.reshape(-1)
        first = lengths.cumsum(dtype=np.int64) - lengths
        shape = (steps, numbers, size)
        spikes = padded(changed.ids, first, lengths, shape, self.capacity, self.seed)
        return spikes, self.labels[index]


Splits = Tuple[SpikeDataset, SpikeDataset]  # for training, and to test


def split(whole: SpikeDataset, in_test: np.ndarray) -> Splits:
    """Return the samples that are not `in_test`, bool [M], and those that are."""
    return whole.subset(np.flatnonzero(~in_test)), whole.subset(np.flatnonzero(in_test))


def _leave_signals(_: int) -> None:
    """Let workers live on while the process that wants their batches stops in its own time."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


class _Batches(Dataset[Any]):
    """The batches of an epoch, by number."""

    def __init__(self, dataset: SpikeDataset, chunks: list[Tensor], augment_seed: int) -> None:
        self.dataset = dataset
        self.chunks = chunks
        self.augment_seed = augment_seed

    def __len__(self) -> int:
        return len(self.chunks)

    def __getitem__(self, number: int) -> tuple[SpikeTensor, Tensor]:
        return self.dataset._batch(self.chunks[number], self.augment_seed)
