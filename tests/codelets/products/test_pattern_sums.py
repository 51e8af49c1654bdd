from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    Output,
    RunVertex,
    assert_close,
    floats,
    generators,
    pattern_groups,
    pattern_rows,
    worker_counts,
)


@given(batch=st.integers(1, 19), neurons=st.integers(1, 35), workers=worker_counts, rng=generators)
def test_sums_of_every_pattern(
    run_vertex: RunVertex, batch: int, neurons: int, workers: int, rng: np.random.Generator
) -> None:
    grad = floats(rng, batch, neurons)
    groups, rows = pattern_groups(batch), pattern_rows(batch)
    after = run_vertex(
        "PatternSums",
        {"current_grad": grad, "sums": Output((len(groups), rows, neurons), "float32")},
        {"batch": batch, "neurons": neurons},
        workers=workers,
    )
    for sums, group in zip(after["sums"], groups):
        size = group.stop - group.start
        bits = np.arange(2**size)[:, None] >> np.arange(size) & 1
        assert_close(sums[: 2**size], bits @ grad[group].astype(np.float64), grad)
