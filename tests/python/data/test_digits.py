from __future__ import annotations

import pytest
import torch
from sklearn.datasets import load_digits

from popsnn import data


def test_sizes_and_split() -> None:
    train, test = data.digits()
    assert (len(train), len(test)) == (1437, 360)
    assert train.spikes.shape == (16, 1437, 64)
    assert train.spikes.capacity == test.spikes.capacity
    for part in (train, test):  # classes are as common in each part
        fraction = part.labels.bincount(minlength=10) / len(part)
        assert float((fraction - 0.1).abs().max()) < 0.01
    again, _ = data.digits()
    assert torch.equal(train.labels, again.labels)
    other, _ = data.digits(seed=1)
    assert not torch.equal(train.labels, other.labels)


def test_no_sample_is_in_both_parts() -> None:
    images, _ = load_digits(return_X_y=True)
    train, test = data.digits(steps=17)  # one step a grey level: the code loses nothing
    both = torch.cat([train.spikes.to_dense(), test.spikes.to_dense()], dim=1)
    decoded = (both * torch.arange(16, -1, -1).view(-1, 1, 1)).sum(0)
    assert sorted(decoded.tolist()) == sorted(images.tolist())


def test_latency_is_one_spike_a_pixel_and_the_brighter_the_earlier() -> None:
    train, _ = data.digits(steps=8)
    dense = train.spikes.to_dense()
    assert int(dense.sum(0).max()) == 1
    assert int(train.spikes.dropped.sum()) == 0


def test_rate_follows_brightness() -> None:
    steps = 60
    rate, _ = data.digits(steps=steps, encoding="rate", seed=3)
    level, _ = data.digits(steps=17, seed=3)
    brightness = (level.spikes.to_dense() * torch.arange(16, -1, -1).view(-1, 1, 1)).sum(0) / 16
    error = rate.spikes.to_dense().mean(0) - brightness
    assert float(error.abs().mean()) < 0.05
    assert float(error.mean().abs()) < 0.002


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"data.digits: steps: expected at least 2, got 1"):
        data.digits(steps=1)
    with pytest.raises(ValueError, match=r"data.digits: encoding: expected one of latency, rate"):
        data.digits(encoding="phase")
    with pytest.raises(ValueError, match=r"data.digits: test_size: expected 10..1787, got 1797"):
        data.digits(test_size=1797)
    with pytest.raises(ValueError, match=r"data.digits: seed: expected 0..4294967295, got -1"):
        data.digits(seed=-1)
