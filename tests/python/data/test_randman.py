from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch

from popsnn import data


def test_every_neuron_spikes_once_a_sample() -> None:
    train, test = data.randman(3, 50, size=6, steps=30)
    assert repr(train) == "SpikeDataset(120 samples, 30 steps, 6 neurons, 3 classes)"
    assert test.labels.bincount().tolist() == [10, 10, 10]
    for part in (train, test):
        assert torch.equal(part.spikes.to_dense().sum(0), torch.ones(len(part), 6))
    # Each neuron's times span all steps within a class.
    lists = train.lists
    step, sample, neuron = lists.events(np.arange(len(lists)))
    for label in range(3):
        for n in range(6):
            times = step[(sample // 50 == label) & (neuron == n)]
            assert (times.min(), times.max()) == (0, 29)


def test_seeds() -> None:
    def ids(seed: int) -> list[int]:
        return data.randman(2, 10, seed=seed)[0].lists.ids.tolist()

    assert ids(1) == ids(1)
    assert ids(1) != ids(2)


def test_classes_are_smooth_curves() -> None:
    # On a curve the nearest other sample is near: the classes can be told apart by neighbours.
    train, test = data.randman(4, 200, size=10, alpha=3.0)
    at = torch.arange(train.lists.steps).view(-1, 1, 1)
    known, asked = ((part.spikes.to_dense() * at).sum(0) for part in (train, test))
    nearest = torch.cdist(asked, known).argmin(1)
    assert float((train.labels[nearest] == test.labels).float().mean()) > 0.9


def test_the_roughest_manifolds() -> None:
    for alpha in (1.0, 0.9, 1e-3, 1e-300):
        train, _ = data.randman(2, 5, size=3, alpha=alpha)
        assert int(train.lists.lengths.sum()) == 3 * 10


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"classes": 0}, "data.randman: classes: expected at least 1, got 0"),
        ({"steps": 2**31}, "data.randman: steps: expected at most 2147483647, got 2147483648"),
        ({"alpha": 0.0}, "data.randman: alpha: expected a positive number, got 0.0"),
        ({"test_share": 1.0}, "test_share: expected 1..999 of 1000 samples, got 1.0"),
    ],
)
def test_mistakes_get_one_sentence(arguments: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        data.randman(**arguments)
