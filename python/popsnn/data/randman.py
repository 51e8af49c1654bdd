"""Randman: classes of spike trains that lie on random smooth manifolds."""

from __future__ import annotations

import math

import numpy as np
import torch

from .._internal import checks
from .dataset import SpikeDataset, Splits, split
from .lists import SpikeLists

LEAST_AMPLITUDE = 1e-3  # of a harmonic, relative to the first
MOST_HARMONICS = 1000


def randman(
    classes: int = 10,
    samples: int = 1000,
    *,
    size: int = 20,
    steps: int = 100,
    dimensions: int = 1,
    alpha: float = 2.0,
    test_share: float = 0.2,
    seed: int = 0,
) -> Splits:
    """Generate samples that no spike count tells apart, as training and test set.

    Every neuron spikes once a sample. Each class has a manifold of its own in the space of spike
    times: of a point z, drawn uniformly from [0, 1]^D, neuron n spikes at the fraction

        f_n(z) = prod_d sum_k a_ndk k^-alpha sin(2 pi (k z_d b_ndk + c_ndk))

    of the time, with a, b, c drawn uniformly from [0, 1], k from 1 to where k^-alpha is a
    thousandth (at most 1000), and f_n scaled to [0, 1] over the samples of its class.

    Parameters
    ----------
    classes, samples : int
        Samples of each class.
    size : int
        N.
    steps : int
        T.
    dimensions : int
        D, of the manifolds.
    alpha : float
        How smooth they are: the larger, the smoother.
    test_share : float
        Of each class, in (0, 1).
    seed : int

    Raises
    ------
    TypeError, ValueError
        Where an argument is out of range.

    Source
    ------
    Zenke and Vogels, The Remarkable Robustness of Surrogate Gradient Learning for Instilling
    Complex Function in Spiking Neural Networks, Neural Computation 33, 2021.
    """
    name = "data.randman"
    classes = checks.integer(name, "classes", classes, 1)
    samples = checks.integer(name, "samples", samples, 2)
    size = checks.integer(name, "size", size, 1)
    steps = checks.size(name, "steps", steps, 2)
    dimensions = checks.integer(name, "dimensions", dimensions, 1)
    if not checks.finite(name, "alpha", alpha) > 0:
        raise ValueError(f"{name}: alpha: expected a positive number, got {alpha}")
    test_count = round(checks.finite(name, "test_share", test_share) * samples)
    if not 1 <= test_count < samples:
        raise ValueError(
            f"{name}: test_share: expected 1..{samples - 1} of {samples} samples, got {test_share}"
        )
    generator = np.random.default_rng(checks.integer(name, "seed", seed, 0))
    times = np.stack(
        [_times(generator, samples, size, dimensions, alpha) for _ in range(classes)]
    ).reshape(-1, size)  # [classes * samples, N] in [0, 1]
    step = np.minimum((times * steps).astype(np.int32), steps - 1)
    sample, neuron = np.indices(step.shape, dtype=np.int32)
    columns = (sample.reshape(-1), step.reshape(-1), neuron.reshape(-1))
    lists = SpikeLists.from_events(columns, len(step), steps, (1, 1, size))
    labels = torch.arange(classes, device="cpu").repeat_interleave(samples)
    in_test = np.arange(len(step)) % samples >= samples - test_count
    return split(SpikeDataset(lists, labels, classes), in_test)


def _times(
    generator: np.random.Generator, samples: int, size: int, dimensions: int, alpha: float
) -> np.ndarray:
    """Return the spike times of a class, [samples, N] in [0, 1]."""
    # From an exponent on there are as many as may be: its power would overflow.
    most = -math.log(LEAST_AMPLITUDE) / alpha
    harmonics = MOST_HARMONICS
    if most < math.log(MOST_HARMONICS):
        harmonics = math.ceil(LEAST_AMPLITUDE ** (-1 / alpha))
    k = np.arange(1, harmonics + 1)
    z = generator.random((samples, dimensions))
    times = np.ones((samples, size))
    for n in range(size):
        for d in range(dimensions):
            a, b, c = generator.random((3, harmonics))
            waves = np.sin(2 * np.pi * (z[:, d, None] * (k * b) + c))  # [samples, K]
            times[:, n] *= waves @ (a * k**-alpha)
    low = times.min(0)
    return (times - low) / np.maximum(times.max(0) - low, np.finfo(times.dtype).tiny)
