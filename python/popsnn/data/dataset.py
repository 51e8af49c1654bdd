"""SpikeDataset: samples as compacted spikes, with labels."""

from __future__ import annotations

from typing import Iterator

import torch
from torch import Tensor

from .. import _check
from ..spikes import SpikeTensor


class SpikeDataset:
    """M labelled samples of N neurons over T steps.

    Parameters
    ----------
    spikes : SpikeTensor (T, M, N)
    labels : int64 Tensor [M]
    classes : int
        Labels are in 0..classes - 1.

    Raises
    ------
    ValueError
        Where there is not one label in range a sample.
    """

    def __init__(self, spikes: SpikeTensor, labels: Tensor, classes: int) -> None:
        if tuple(labels.shape) != (spikes.shape[1],):
            raise ValueError(
                f"SpikeDataset: labels: expected shape ({spikes.shape[1]},), "
                f"got {tuple(labels.shape)}"
            )
        if labels.numel() and not 0 <= int(labels.min()) <= int(labels.max()) < classes:
            raise ValueError(
                f"SpikeDataset: labels: expected 0..{classes - 1}, "
                f"got {int(labels.min())}..{int(labels.max())}"
            )
        self.spikes = spikes
        self.labels = labels.to(torch.int64)
        self.classes = classes

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[SpikeTensor, int]:
        """Return sample `index` as spikes (T, 1, N) and its label."""
        position = range(len(self))[index]
        return self.spikes.select_batch([position]), int(self.labels[position])

    def __repr__(self) -> str:
        steps, samples, size = self.spikes.shape
        return (
            f"SpikeDataset({samples} samples, {steps} steps, {size} neurons, "
            f"{self.classes} classes)"
        )

    def batches(
        self,
        batch_size: int,
        *,
        shuffle: bool = False,
        generator: torch.Generator | None = None,
        drop_last: bool = False,
    ) -> Iterator[tuple[SpikeTensor, Tensor]]:
        """Yield spikes (T, B, N) and labels [B], every sample once.

        Parameters
        ----------
        batch_size : int
            B; the last batch may be smaller, unless `drop_last` leaves it out.
        shuffle : bool
        generator : torch.Generator, optional
            Source of the order.
        drop_last : bool
        """
        batch_size = _check.integer("SpikeDataset.batches", "batch_size", batch_size, 1)
        order = torch.randperm(len(self), generator=generator) if shuffle else None
        last = len(self) - batch_size if drop_last else len(self) - 1
        for start in range(0, last + 1, batch_size):
            stop = min(start + batch_size, len(self))
            index = torch.arange(start, stop) if order is None else order[start:stop]
            yield self.spikes.select_batch(index), self.labels[index]
