"""Sources of a layer's currents with dendritic delays, and what their taps do over time."""

from __future__ import annotations

from typing import List, NamedTuple

import numpy as np
from hypothesis import strategies as st
from tests.codelets.cases import Array, floats

UNDELAYED, WHOLE, TAPS = "none", "whole", "taps"


class Source(NamedTuple):
    """A source's kind, and its rows of taps [rows, neurons] as its vertices have them."""

    kind: str
    rows: Array

    def weights(self, slots: int) -> Array:
        """Return the weights of the taps [slots, neurons] float64 of the steps 0, 1, 2 ..."""
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
