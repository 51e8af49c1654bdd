from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WORKER_RANGES,
    Output,
    RunVertex,
    even,
    generators,
    id_types,
    scalar,
    sizes,
    worker_counts,
)
from tests.codelets.delays.delay_cases import History


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    steps=st.integers(1, 5),
    size=sizes,
    capacity=st.integers(1, 20),
    step=st.integers(-1, 6),
    offset=st.integers(-2, 1),
    ranges=st.booleans(),
    workers=worker_counts,
    rng=generators,
)
def test_list_of_a_time_step(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    size: int,
    capacity: int,
    step: int,
    offset: int,
    ranges: bool,
    workers: int,
    rng: np.random.Generator,
) -> None:
    history = History.random(rng, samples, steps, capacity, size, ID_TYPES[id_type])
    room = even(capacity)
    after = run_vertex(
        f"FetchArrivals<{id_type}>",
        {
            "ids_history": history.ids,
            "counts_history": history.counts,
            "begins": history.begins,
            "step": scalar(step),
            "ids": Output((samples, room), ID_TYPES[id_type]),
            "counts": Output((samples, 2), "uint32"),
            "bounds": [Output((samples, WORKER_RANGES + 1), "uint32")] if ranges else [],
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": room,
            "entries": history.ids.shape[1],
            "inputs": size,
            "offset": offset,
        },
        workers=workers,
    )
    t = step + offset
    inside = 0 <= t < steps
    lists = history.lists
    counts = lists.counts[:, t] if inside else np.zeros((samples, 2))
    np.testing.assert_array_equal(after["counts"], counts)
    for b in range(samples if inside else 0):
        active = lists.counts[b, t, 1]
        np.testing.assert_array_equal(after["ids"][b, :active], lists.ids[b, t, :active])
    if not ranges:
        return
    expected = np.zeros((samples, WORKER_RANGES + 1))
    for number in range(WORKER_RANGES + 1 if inside else 0):
        below = lists.fired[:, t, : size * number // WORKER_RANGES]
        expected[:, number] = below.sum(-1)
    np.testing.assert_array_equal(after["bounds"][0], expected)
