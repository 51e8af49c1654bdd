"""Batches that are made once, for several trainings that take the same ones."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple, Union

import numpy as np
import torch
from torch import Tensor

from popsnn import SpikeTensor
from popsnn.data import SpikeDataset

Batch = Tuple[SpikeTensor, Tensor]
MOST_BYTES = 2 << 30  # of ids that are kept; epochs beyond are made again


class KeptBatches(SpikeDataset):
    """A dataset whose batches stay on a device from the first time that they are asked for.

    Augmented batches depend on the generator's seed alone, which is that of training and epoch: all
    networks of a seed are trained on the same ones, and to make them takes longer than a step.

    Parameters
    ----------
    dataset : SpikeDataset
    device : str or torch.device
    """

    def __init__(self, dataset: SpikeDataset, device: Union[str, torch.device]) -> None:
        self.__dict__.update(dataset.__dict__)
        self._device = device
        self._kept: Dict[Any, List[Batch]] = {}
        self.kept_bytes = 0

    def subset(self, index: Any) -> SpikeDataset:
        """Return the samples `index`; of all of them in their order, this dataset itself."""
        if np.array_equal(np.asarray(index), np.arange(len(self))):
            return self
        return super().subset(index)

    def batches(self, batch_size: int, **options: Any) -> Iterator[Batch]:
        """Yield what `SpikeDataset.batches` does, of a generator that is as its seed left it."""
        generator = options.get("generator")
        named = {**options, "generator": None if generator is None else generator.initial_seed()}
        key = (batch_size, *sorted(named.items()))
        batches = self._kept.get(key)
        if batches is None:
            made = super().batches(batch_size, **options)
            batches = [(spikes.to(self._device), labels) for spikes, labels in made]
            size = sum(spikes.ids.numel() * spikes.ids.element_size() for spikes, _ in batches)
            if self.kept_bytes + size <= MOST_BYTES:
                self._kept[key] = batches
                self.kept_bytes += size
        # Without what engines make of them and hold: the values take as much memory again.
        yield from ((spikes.detach(), labels) for spikes, labels in batches)
