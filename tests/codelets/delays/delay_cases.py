"""Sources of a layer with delays, what their taps do over time, and lists of arrivals."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Tuple

import numpy as np
from hypothesis import strategies as st
from tests.codelets.cases import WORKER_RANGES, Array, floats

UNDELAYED, WHOLE, TAPS = "none", "whole", "taps"


class Source(NamedTuple):
    """A source's kind, and its rows of taps [rows, neurons] as its vertices have them."""

    kind: str
    rows: Array

    def weights(self, slots: int) -> Array:
        """Return the weights of the taps [K, neurons] float64 of the steps 0, 1, 2 ..."""
        weights = np.zeros((slots, self.rows.shape[1]))
        if self.kind == UNDELAYED:
            weights[0] = 1
        elif self.kind == WHOLE:
            weights[self.rows[0].astype(int), np.arange(len(self.rows[0]))] = 1
        else:
            weights[: len(self.rows)] = self.rows
        return weights


kinds = st.lists(st.sampled_from((UNDELAYED, WHOLE, TAPS)), min_size=1, max_size=2)


def random_sources(
    rng: np.random.Generator, kinds: List[str], slots: int, neurons: int
) -> List[Source]:
    """Draw a row of taps for each kind, the longest of `slots` - 1 steps."""
    rows = {
        UNDELAYED: lambda: np.zeros((0, neurons), np.float32),
        WHOLE: lambda: rng.integers(0, slots, (1, neurons)).astype(np.float32),
        TAPS: lambda: floats(rng, slots, neurons),
    }
    return [Source(kind, rows[kind]()) for kind in kinds]


def learnt_bits(kinds: List[str]) -> int:
    """Return bit s for each source s whose delays have taps that learn."""
    return sum(1 << s for s, kind in enumerate(kinds) if kind == TAPS)


def field_of(sources: List[Source]) -> Array:
    """Return the field `taps`."""
    return np.concatenate([source.rows for source in sources])


def row_counts(sources: List[Source]) -> Array:
    """Return the field `tap_rows`."""
    return np.array([len(source.rows) for source in sources], np.uint32)


def bits_of(flags: Array) -> Array:
    """Pack flags [..., neurons] to words [..., words] uint32, neuron 0 in the highest bit."""
    size = flags.shape[-1]
    padded = np.zeros((*flags.shape[:-1], -(-size // 32) * 32), bool)
    padded[..., :size] = flags
    return np.packbits(padded, axis=-1).view(">u4").astype(np.uint32)


def list_of(fired: Array, active: Array) -> Tuple[Array, Array]:
    """Return the ids of a list, and its counts, of flags [neurons]."""
    first, second = np.flatnonzero(fired), np.flatnonzero(active & ~fired.astype(bool))
    return np.concatenate([first, second]), np.array([len(first), len(first) + len(second)])


class Arrivals(NamedTuple):
    """Spikes that arrive: flags of those that fired and of the active [samples, steps, size].

    Where delays learn, also of their neighbors, none of which is active.
    """

    fired: Array
    active: Array
    neighbors: Optional[Array] = None

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        samples: int,
        steps: int,
        size: int,
        density: float,
        learns: bool = False,
    ) -> Arrivals:
        active = rng.random((samples, steps, size)) < density
        fired = active & (rng.random(active.shape) < 0.5)
        neighbors = ~active & (rng.random(active.shape) < density) if learns else None
        return cls(fired, active, neighbors)

    @property
    def bits(self) -> Array:
        """The field `bits` [samples, steps, sections, words]."""
        more = [] if self.neighbors is None else [self.neighbors]
        sections = [self.fired, self.active & ~self.fired, *more]
        return np.stack([bits_of(section) for section in sections], 2)

    @property
    def sizes(self) -> Array:
        """The field `sizes` [samples, steps, sections, WORKER_RANGES]."""
        words = self.bits.shape[-1]
        flags = np.unpackbits(self.bits.astype(">u4").view(np.uint8), axis=-1)
        ends = [32 * (words * number // WORKER_RANGES) for number in range(WORKER_RANGES + 1)]
        ranges = [flags[..., low:high].sum(-1) for low, high in zip(ends, ends[1:])]
        return np.stack(ranges, -1).astype(np.uint32)


class TwoParts(NamedTuple):
    """Lists that are read late: ids of earlier steps end at entry `earlier`, others begin there."""

    ids: Array  # [samples, room]
    counts: Array  # [samples, 2] of each part
    earlier: int


def two_parts(rng: np.random.Generator, ids: Array, fired: Array) -> TwoParts:
    """Cut lists [samples, capacity] of so many `fired` entries anywhere."""
    samples, capacity = ids.shape
    earlier = capacity + int(rng.integers(1, 4))
    rows = rng.integers(0, 2**16, (samples, earlier + capacity)).astype(ids.dtype)
    counts = np.zeros((samples, 2), np.uint32)
    for b, number in enumerate(fired.astype(int)):
        cut = int(rng.integers(number + 1))
        rows[b, earlier - cut : earlier + number - cut] = ids[b, :number]
        counts[b] = cut, number - cut
    return TwoParts(rows, counts, earlier)
