"""Augment: random changes of spike trains, drawn for each sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from .._internal import checks
from .lists import Columns, Grid

FURTHEST = 1 << 30  # move, of which two sums are within integers of 32 bits


@dataclass(frozen=True)
class Augment:
    """Random changes of spike trains.

    Spikes that leave the sensor or the recorded time are gone; those that meet become one.

    Parameters
    ----------
    shift : int
        Each sample moves by a whole number of neurons, up to so many in either direction: along the
        channels of audio; along x and along y of a camera.
    drop : float
        Probability with which each spike is left out.
    jitter : float
        Standard deviation of the normal distribution, in steps, by which each spike moves in time.
    offset : int
        Each sample moves in time by a whole number of steps, up to so many in either direction, and
        the labels of its steps with it; steps that come in have the label -100.

    Raises
    ------
    TypeError, ValueError
        Where a value is out of range.
    """

    shift: int = 0
    drop: float = 0.0
    jitter: float = 0.0
    offset: int = 0

    def __post_init__(self) -> None:
        name = "data.Augment"
        checks.size(name, "shift", self.shift, 0, FURTHEST)
        if not 0 <= checks.finite(name, "drop", self.drop) < 1:
            raise ValueError(f"{name}: drop: expected a number in [0, 1), got {self.drop}")
        if checks.finite(name, "jitter", self.jitter) < 0:
            raise ValueError(f"{name}: jitter: expected a number from 0 on, got {self.jitter}")
        if self.jitter > FURTHEST:
            raise ValueError(f"{name}: jitter: expected at most {FURTHEST}, got {self.jitter}")
        checks.size(name, "offset", self.offset, 0, FURTHEST)

    def apply(
        self, events: Columns, samples: np.ndarray, steps: int, grid: Grid, draw: int
    ) -> Columns:
        """Return the events that are left: step, position and neuron, int32 [E'].

        Parameters
        ----------
        events : three int32 arrays [E]
            Step, position in `samples` and neuron, in the order of the positions.
        samples : int array [B]
            Numbers of the samples: with `draw` they say what is drawn for each.
        steps : int
            T.
        grid : (P, H, W)
        draw : int
            A draw of its own for each epoch.
        """
        return self.changed(events, samples, steps, grid, draw)[0]

    def changed(
        self, events: Columns, samples: np.ndarray, steps: int, grid: Grid, draw: int
    ) -> Tuple[Columns, np.ndarray]:
        """Return what `apply` does, and the steps that each sample has moved by, int32 [B]."""
        step, position, neuron = events
        remaining = np.ones(len(step), bool)
        moved = np.zeros((len(samples), 2), np.int32)
        moment = step.astype(np.float32) if self.jitter else step
        later = np.zeros(len(samples), np.int32)
        ends = np.bincount(position, minlength=len(samples)).cumsum()
        for b, (sample, end) in enumerate(zip(samples, ends)):
            own = slice(0 if b == 0 else ends[b - 1], end)
            generator = np.random.Generator(np.random.Philox(key=[draw, int(sample)]))
            if self.shift:
                moved[b] = generator.integers(-self.shift, self.shift, 2, endpoint=True)
            if self.drop:
                remaining[own] = generator.random(own.stop - own.start, np.float32) >= self.drop
            if self.jitter:
                noise = generator.standard_normal(own.stop - own.start, np.float32)
                moment[own] += np.float32(self.jitter) * noise
            if self.offset:
                later[b] = generator.integers(-self.offset, self.offset, endpoint=True)
        if self.jitter or self.offset:
            moved_to = np.rint(moment).astype(np.int64) + later[position]  # beyond 32 bits, maybe
            remaining &= (moved_to >= 0) & (moved_to < steps)
            step = moved_to.astype(np.int32)
        if self.shift:
            neuron, inside = _moved(neuron, moved[position], grid)
            remaining &= inside
        return (step[remaining], position[remaining], neuron[remaining]), later


def _moved(neuron: np.ndarray, by: np.ndarray, grid: Grid) -> Tuple[np.ndarray, np.ndarray]:
    """Return neurons [E] moved by (x, y) [E, 2], and which are on the sensor still."""
    _, height, width = grid
    row, x = np.divmod(neuron, np.int32(width))
    x = x + by[:, 0]
    inside = (x >= 0) & (x < width)
    if height == 1:
        return row * width + x, inside
    p, y = np.divmod(row, np.int32(height))
    y = y + by[:, 1]
    inside &= (y >= 0) & (y < height)
    return (p * height + y) * width + x, inside
