"""Batches that are made once, for several trainings that take the same batches."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Tuple, Union

import numpy as np
import torch
from torch import Tensor

from popsnn import SpikeTensor
from popsnn.data import SpikeDataset

Batch = Tuple[SpikeTensor, Tensor]
MOST_BYTES = 2 << 30  # of ids that are kept; epochs beyond are made again
MOST_OF_GPU = 0.05  # of its memory, which several processes use together
NARROW = 1 << 15  # neurons whose ids are kept in two bytes, half of what engines take


class _Kept(NamedTuple):
    ids: Tensor  # int16 or as they come
    counts: Tensor
    dropped: Tensor
    size: int
    labels: Tensor


def _keep(spikes: SpikeTensor, labels: Tensor, device: torch.device) -> _Kept:
    ids = spikes.ids.to(torch.int16) if spikes.size <= NARROW else spikes.ids
    counts, dropped = spikes.counts.to(device), spikes.dropped.to(device)
    return _Kept(ids.to(device), counts, dropped, spikes.size, labels)


def _given(batch: _Kept) -> Batch:
    """Return a batch without what engines made of it: the values take as much memory again."""
    ids = batch.ids.to(torch.int32)
    spikes = SpikeTensor(ids, batch.counts, batch.size, dropped=batch.dropped, check=False)
    return spikes, batch.labels


class KeptBatches(SpikeDataset):
    """A dataset whose batches stay on a device from the first time that they are asked for.

    Augmented batches depend on the generator's seed alone, which is that of training and epoch: all
    networks of a seed are trained on the same batches, and to make them takes longer than a step.

    Parameters
    ----------
    dataset : SpikeDataset
    device : str or torch.device
    """

    def __init__(self, dataset: SpikeDataset, device: Union[str, torch.device]) -> None:
        self.__dict__.update(dataset.__dict__)
        self._device = torch.device(device)
        self._kept: Dict[Any, List[_Kept]] = {}
        self.kept_bytes = 0
        self.most_bytes = MOST_BYTES
        if self._device.type == "cuda":
            memory = torch.cuda.get_device_properties(self._device).total_memory
            self.most_bytes = int(MOST_OF_GPU * memory)

    def __getstate__(self) -> Dict[str, Any]:
        """Leave the batches here: processes that make others do not need them."""
        return {**self.__dict__, "_kept": {}, "kept_bytes": 0}

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
            batches = [_keep(spikes, labels, self._device) for spikes, labels in made]
            size = sum(batch.ids.numel() * batch.ids.element_size() for batch in batches)
            if self.kept_bytes + size <= self.most_bytes:
                self._kept[key] = batches
                self.kept_bytes += size
        yield from map(_given, batches)
