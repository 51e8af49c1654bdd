"""The handwritten digits that scikit-learn ships: 1,797 scans of 8 x 8 pixels, 17 grey levels."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from .._internal import checks
from .._internal.extras import extra
from ..spikes import SpikeTensor
from .dataset import SpikeDataset

ENCODINGS = ("latency", "rate")
BRIGHTEST = 16


def digits(
    steps: int = 16, encoding: str = "latency", seed: int = 0, test_size: int = 360
) -> tuple[SpikeDataset, SpikeDataset]:
    """Return the digits as training and test set of 64 input neurons, split with equal classes.

    Parameters
    ----------
    steps : int
        T, at least 2.
    encoding : {"latency", "rate"}
        "latency": each pixel spikes once, the brighter the earlier, black pixels never. "rate": at
        every step a pixel spikes with its brightness as probability.
    seed : int
        Draws the split, and the spikes of "rate".
    test_size : int
        Samples of the test set.

    Raises
    ------
    ValueError
        Where an argument is out of range.
    ImportError
        Where scikit-learn is not installed.

    Source
    ------
    `sklearn.datasets.load_digits`, the test part of Alpaydin and Kaynak, Optical Recognition of
    Handwritten Digits, UCI Machine Learning Repository, 1998.
    """
    with extra("data.digits", "scikit-learn", "data"):
        from sklearn.datasets import load_digits
        from sklearn.model_selection import train_test_split

    steps = checks.integer("data.digits", "steps", steps, 2)
    seed = checks.seed("data.digits", seed)
    if encoding not in ENCODINGS:
        raise ValueError(
            f"data.digits: encoding: expected one of {', '.join(ENCODINGS)}, got {encoding!r}"
        )
    images, labels = load_digits(return_X_y=True)
    test_size = checks.integer("data.digits", "test_size", test_size, 10, len(labels) - 10)
    brightness = torch.from_numpy(images) / BRIGHTEST  # [M, 64]
    events = (
        _latency(brightness, steps) if encoding == "latency" else _rate(brightness, steps, seed)
    )
    spikes = SpikeTensor.from_events(events, (steps, len(labels), images.shape[1]))
    train, test = train_test_split(
        np.arange(len(labels)), test_size=test_size, random_state=seed, stratify=labels
    )
    target = torch.from_numpy(labels.astype(np.int64))
    return (
        SpikeDataset(spikes.select_batch(torch.from_numpy(train)), target[train], 10),
        SpikeDataset(spikes.select_batch(torch.from_numpy(test)), target[test], 10),
    )


def _latency(brightness: Tensor, steps: int) -> tuple[Tensor, Tensor, Tensor]:
    sample, pixel = torch.nonzero(brightness > 0, as_tuple=True)
    step = ((1 - brightness[sample, pixel]) * (steps - 1)).round().long()
    return step, sample, pixel


def _rate(brightness: Tensor, steps: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    uniform = torch.rand(
        steps, *brightness.shape, generator=generator, dtype=brightness.dtype, device="cpu"
    )
    step, sample, pixel = torch.nonzero(uniform < brightness, as_tuple=True)
    return step, sample, pixel
