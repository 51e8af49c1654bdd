from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    Output,
    RunVertex,
    generators,
    id_types,
    random_lists,
    worker_counts,
)


@settings(max_examples=25)
@given(
    id_type=id_types,
    shape=st.tuples(st.integers(1, 3), st.integers(1, 8)),
    capacity=st.integers(1, 9),
    size=st.integers(1, 40),
    workers=worker_counts,
    rng=generators,
)
def test_ids_and_values(
    run_vertex: RunVertex,
    id_type: str,
    shape: tuple[int, int],
    capacity: int,
    size: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    samples, steps = shape
    padded_capacity = -(-capacity // 4) * 4
    lists = random_lists(rng, (samples, 1 + steps), capacity, size, ID_TYPES[id_type])
    history = np.full((samples, 1 + steps, padded_capacity), 77, ID_TYPES[id_type])
    history[..., :capacity] = lists.ids
    after = run_vertex(
        f"ExportSpikes<{id_type}>",
        {
            "ids_history": history,
            "counts_history": lists.counts,
            "ids": Output((samples, steps, capacity), "int32"),
            "values": Output((samples, steps, capacity), "float32"),
        },
        {
            "samples": samples,
            "steps": steps,
            "capacity": capacity,
            "padded_capacity": padded_capacity,
        },
        workers=workers,
    )
    slot, counts = np.arange(capacity), lists.counts[:, 1:]
    expected = np.where(slot < counts[..., 1:], lists.ids[:, 1:], 0)
    np.testing.assert_array_equal(after["ids"], expected)
    np.testing.assert_array_equal(after["values"], slot < counts[..., :1])
