from __future__ import annotations

import numpy as np
from hypothesis import given
from tests.codelets.cases import (
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    sizes,
)


@given(batch=batches, size=sizes, rng=generators)
def test_sum_over_samples(
    run_vertex: RunVertex, batch: int, size: int, rng: np.random.Generator
) -> None:
    rows = floats(rng, batch, size)
    after = run_vertex(
        "SumSamples",
        {"rows": rows, "sum": Output((size,), "float32")},
        {"batch": batch, "size": size},
    )
    assert_close(after["sum"], rows.sum(0, dtype=np.float64), rows)
