"""The loop that copies pairs moves every word, in the bundles that are counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import floats, generators
from tests.codelets.worker_isa import run_kernel

CODELETS = Path(__file__).resolve().parents[3] / "codelets"


@given(pairs=st.integers(0, 8), rng=generators)
def test_copy(pairs: int, rng: np.random.Generator) -> None:
    start, to = floats(rng, 2 * pairs), np.full(2 * pairs, np.nan, np.float32)
    arrays = {"from": start, "to": to}
    taken = run_kernel(CODELETS / "common/copy_ipu.hpp", "copy_pairs", arrays, {"pairs": pairs})
    np.testing.assert_array_equal(to, start)
    assert taken == 2 + 2 * pairs  # cycles::copy_pairs, which test_cycles.py has in next_spike_grad
