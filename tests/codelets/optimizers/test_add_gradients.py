from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    RunVertex,
    floats,
    generators,
    sizes,
    worker_counts,
)


@given(others=st.integers(0, 4), size=sizes, workers=worker_counts, rng=generators)
def test_sum_in_the_order_of_the_replicas(
    run_vertex: RunVertex, others: int, size: int, workers: int, rng: np.random.Generator
) -> None:
    gradients = [floats(rng, size) for _ in range(others)]
    own = floats(rng, size)
    after = run_vertex(
        "AddGradients",
        {"others": gradients, "gradient": InOut(own)},
        {"size": size},
        workers=workers,
    )
    expected = own
    for gradient in gradients:
        expected = expected + gradient
    np.testing.assert_array_equal(after["gradient"], expected)
