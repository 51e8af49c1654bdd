from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Output, RunVertex, assert_close, floats, generators


@given(tiles=st.integers(1, 40), entries=st.integers(1, 90), rng=generators)
def test_sum_over_tiles(
    run_vertex: RunVertex, tiles: int, entries: int, rng: np.random.Generator
) -> None:
    partials = floats(rng, tiles, entries)
    after = run_vertex(
        "ReducePartials",
        {"partials": partials, "sums": Output((entries,), "float32")},
        {"tiles": tiles, "entries": entries},
    )
    assert_close(after["sums"], partials.sum(0, dtype=np.float64), partials)


def test_slots_that_nobody_filled_stay_their_own(run_vertex: RunVertex) -> None:
    """A list's entries past its length may have any value: they must not affect the others."""
    partials = np.array([[1, np.nan, 2], [3, np.inf, 4]], np.float32)
    fields = {"partials": partials, "sums": Output((3,), "float32")}
    sums = run_vertex("ReducePartials", fields, {"tiles": 2, "entries": 3})["sums"]
    assert sums[[0, 2]].tolist() == [4, 6]
