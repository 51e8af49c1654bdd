"""SpikeDataset: samples as compacted spikes, with labels."""

from __future__ import annotations

import signal
from typing import Any, Iterator, Sequence, Tuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset
from torch.utils.data._utils.collate import default_collate_fn_map

from .._internal import checks, renamed
from ..spikes import SpikeTensor
from .augment import Augment
from .lists import SpikeLists, padded
from .whole import IGNORED
from .workers import made_by


class StepLabels(Tensor):
    """Labels [T, 1] of a sample's steps, of which torch's DataLoader makes [T, B]."""

    # Results of functions are plain tensors.
    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]


def _collated(samples: list[Tensor], **_: Any) -> Tensor:
    return torch.cat(samples, 1)


default_collate_fn_map[StepLabels] = _collated  # as for SpikeTensor


class SpikeDataset:
    """M labelled samples of N neurons over T steps.

    Parameters
    ----------
    spikes : SpikeTensor (T, M, N), or SpikeLists of M samples
    labels : int64 Tensor [M], or [M, T] for a label at every step
    classes : int
        Labels are in 0..classes - 1; that of a step may also be -100, which is none.
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
        Where there is not one integer in range a sample or a step, or the capacity is not in 1..N.
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
        labels = _checked(labels, (len(spikes), spikes.steps), classes)
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

    @property
    def step_labels(self) -> bool:
        """Whether each time step has a label."""
        return self.labels.dim() == 2

    @property
    def labelled(self) -> int:
        """Number of labels: M, or how many steps have one."""
        return int((self.labels != IGNORED).sum())

    def __getitem__(self, index: int) -> tuple[SpikeTensor, int | Tensor]:
        """Return sample `index`, not augmented, as spikes (T, 1, N), and its label.

        Labels of steps are int64 [T, 1], of which torch's DataLoader makes [T, B].
        """
        position = range(len(self))[index]
        number = self._numbers[position : position + 1]
        spikes = self.lists.batch(number, self.capacity, self.seed)
        if self.step_labels:
            return spikes, self._labels_of([position]).as_subclass(StepLabels)
        return spikes, int(self.labels[position])

    def __repr__(self) -> str:
        return (
            f"SpikeDataset({len(self)} samples, {self.lists.steps} steps, "
            f"{self.lists.size} neurons, {self.classes} classes"
            f"{', a label a step' if self.step_labels else ''})"
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
        """Yield spikes (T, B, N) and labels [B], or of each step [T, B]; every sample once.

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
            return self.lists.batch(numbers, self.capacity, self.seed), self._labels_of(index)
        steps, size = self.lists.steps, self.lists.size
        (step, position, neuron), later = self.augment.changed(
            self.lists.events(numbers), numbers, steps, self.lists.grid, augment_seed
        )
        changed = SpikeLists.from_events((step, position, neuron), steps, len(index), (1, 1, size))
        lengths = changed.lengths.reshape(-1)
        first = lengths.cumsum(dtype=np.int64) - lengths
        shape = (steps, numbers, size)
        spikes = padded(changed.ids, first, lengths, shape, self.capacity, self.seed)
        return spikes, self._labels_of(index, later)

    def _labels_of(self, index: Any, later: np.ndarray | None = None) -> Tensor:
        """Return the labels of samples [B], or of their steps [T, B], which came `later` [B]."""
        labels = self.labels[index]
        if not self.step_labels:
            return labels
        if later is not None:
            steps = labels.shape[1]
            source = torch.arange(steps, device="cpu") - torch.from_numpy(later)[:, None]
            inside = (source >= 0) & (source < steps)
            labels = labels.gather(1, source.clamp(0, steps - 1).long())
            labels = labels.masked_fill(~inside, IGNORED)
        return labels.T.contiguous()


def _checked(labels: Tensor, shape: tuple[int, int], classes: int) -> Tensor:
    """Return integer labels of samples [M], or of their steps [M, T], as int64 on the CPU."""
    samples, steps = shape
    if tuple(labels.shape) not in ((samples,), shape):
        raise ValueError(
            f"SpikeDataset: labels: expected shape ({samples},), or ({samples}, {steps}) for a "
            f"label at every step, got {tuple(labels.shape)}"
        )
    labels = labels.to("cpu", torch.int64)  # where `batches` gathers them
    counted = labels if labels.dim() == 1 else labels[labels != IGNORED]
    if counted.numel() and not 0 <= int(counted.min()) <= int(counted.max()) < classes:
        none = "" if labels.dim() == 1 else f", or {IGNORED} for none"
        raise ValueError(
            f"SpikeDataset: labels: expected 0..{classes - 1}{none}, "
            f"got {int(counted.min())}..{int(counted.max())}"
        )
    return labels


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
