from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.codelets.cases import (
    Output,
    RunVertex,
    batches,
    floats,
    generators,
    random_lists,
    sizes,
    worker_counts,
)


@settings(max_examples=25)
@given(rows=batches, capacity=st.integers(1, 20), size=sizes, workers=worker_counts, rng=generators)
def test_values_at_their_ids(
    run_vertex: RunVertex,
    rows: int,
    capacity: int,
    size: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (rows,), capacity, size, np.int32)
    values = floats(rng, rows, capacity)
    after = run_vertex(
        "ExpandSpikes",
        {
            "ids": lists.ids,
            "counts": lists.counts.astype(np.int32),
            "values": values,
            "dense": Output((rows, size), "float32"),
        },
        {"rows": rows, "capacity": capacity, "size": size},
        workers=workers,
    )
    expected = np.zeros((rows, size), np.float32)
    for row, (_, active) in enumerate(lists.counts):
        expected[row, lists.ids[row, :active]] = values[row, :active]
    np.testing.assert_array_equal(after["dense"], expected)


def test_nothing_is_written_past_a_row(run_vertex: RunVertex) -> None:
    after = run_vertex(
        "ExpandSpikes",
        {
            "ids": np.array([[-1, 3, 1]], np.int32),
            "counts": np.array([[0, 99]], np.int32),
            "values": np.ones((1, 3), np.float32),
            "dense": Output((1, 3), "float32"),
        },
        {"rows": 1, "capacity": 3, "size": 3},
    )
    np.testing.assert_array_equal(after["dense"], [[0, 1, 0]])
