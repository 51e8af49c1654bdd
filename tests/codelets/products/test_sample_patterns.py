from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    Output,
    RunVertex,
    bit_masks,
    generators,
    patterns_of,
    sizes,
    worker_counts,
)


@given(
    batch=st.integers(1, 27), inputs=sizes, workers=worker_counts, data=st.data(), rng=generators
)
def test_patterns_of_who_fired(
    run_vertex: RunVertex,
    batch: int,
    inputs: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    fired = rng.random((batch, inputs)) < 0.4
    expected = patterns_of(fired)  # [groups, words]
    first = data.draw(st.integers(0, expected.shape[1] - 1))
    words = data.draw(st.integers(1, expected.shape[1] - first))
    of_bits = slice(first // 8, -(-(first + words) // 8))
    after = run_vertex(
        "SamplePatterns",
        {
            "bits": list(bit_masks(fired, -(-inputs // 32))[:, of_bits].copy()),
            "patterns": Output((len(expected), words), "uint32"),
        },
        {"first": first % 8, "words": words},
        workers=workers,
    )
    np.testing.assert_array_equal(after["patterns"], expected[:, first : first + words])
