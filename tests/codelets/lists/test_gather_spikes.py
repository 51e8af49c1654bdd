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
def test_values_of_listed_neurons(
    run_vertex: RunVertex,
    rows: int,
    capacity: int,
    size: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (rows,), capacity, size, np.int32)
    dense = floats(rng, rows, size)
    after = run_vertex(
        "GatherSpikes",
        {
            "ids": lists.ids,
            "counts": lists.counts.astype(np.int32),
            "dense": dense,
            "values": Output((rows, capacity), "float32"),
        },
        {"rows": rows, "capacity": capacity, "size": size},
        workers=workers,
    )
    active = np.arange(capacity) < lists.counts[:, 1:]
    chosen = np.take_along_axis(dense, lists.ids.astype(np.int64), 1)
    np.testing.assert_array_equal(after["values"], np.where(active, chosen, 0))
