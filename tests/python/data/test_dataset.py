from __future__ import annotations

import re

import pytest
import torch

from popsnn import SpikeTensor
from popsnn.data import SpikeDataset


def dataset(samples: int = 10) -> SpikeDataset:
    # Sample m fires neuron m alone, at every step.
    x = torch.eye(samples).expand(3, samples, samples)
    return SpikeDataset(SpikeTensor.from_dense(x), torch.arange(samples), samples)


def test_samples() -> None:
    spikes, label = dataset()[-1]
    assert label == 9
    assert spikes.shape == (3, 1, 10)
    assert spikes.to_dense()[:, 0, 9].tolist() == [1.0, 1.0, 1.0]
    assert len(dataset()) == 10
    assert repr(dataset()) == "SpikeDataset(10 samples, 3 steps, 10 neurons, 10 classes)"
    with pytest.raises(IndexError):
        dataset()[10]


@pytest.mark.parametrize(("drop_last", "sizes"), [(False, [4, 4, 2]), (True, [4, 4])])
@pytest.mark.parametrize("shuffle", [False, True])
def test_batches(shuffle: bool, drop_last: bool, sizes: list[int]) -> None:
    batches = list(dataset().batches(4, shuffle=shuffle, drop_last=drop_last))
    assert [len(labels) for _, labels in batches] == sizes
    for spikes, labels in batches:
        assert torch.equal(spikes.to_dense()[0].argmax(-1), labels)
    seen = torch.cat([labels for _, labels in batches])
    assert seen.unique().numel() == sum(sizes)
    if not shuffle:
        assert seen.tolist() == list(range(sum(sizes)))


def test_order_comes_from_the_generator() -> None:
    def order(seed: int) -> list[int]:
        generator = torch.Generator().manual_seed(seed)
        batches = dataset().batches(3, shuffle=True, generator=generator)
        return torch.cat([labels for _, labels in batches]).tolist()

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_mistakes_get_one_sentence() -> None:
    spikes = dataset().spikes
    with pytest.raises(ValueError, match=re.escape("labels: expected shape (10,), got (9,)")):
        SpikeDataset(spikes, torch.arange(9), 10)
    with pytest.raises(ValueError, match=re.escape("labels: expected 0..8, got 0..9")):
        SpikeDataset(spikes, torch.arange(10), 9)
    with pytest.raises(ValueError, match="batch_size: expected at least 1, got 0"):
        next(dataset().batches(0))
