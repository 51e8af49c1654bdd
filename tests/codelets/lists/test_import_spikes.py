from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
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
def test_lists_become_the_history(
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
    lists = random_lists(rng, shape, capacity, size, np.int32)
    history = np.full((samples, 1 + steps, padded_capacity), 77, ID_TYPES[id_type])
    counts = np.full((samples, 1 + steps, 2), 78, np.uint32)
    after = run_vertex(
        f"ImportSpikes<{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts.astype(np.int32),
            "ids_history": InOut(history),
            "counts_history": InOut(counts),
        },
        {
            "samples": samples,
            "steps": steps,
            "capacity": capacity,
            "padded_capacity": padded_capacity,
            "size": size,
        },
        workers=workers,
    )
    np.testing.assert_array_equal(after["counts_history"][:, 1:], lists.counts)
    np.testing.assert_array_equal(after["counts_history"][:, 0], counts[:, 0])
    active = np.arange(padded_capacity) < lists.counts[..., 1:]
    expected = np.pad(lists.ids, ((0, 0), (0, 0), (0, padded_capacity - capacity)))
    np.testing.assert_array_equal(
        after["ids_history"][:, 1:], np.where(active, expected, history[:, 1:])
    )
    np.testing.assert_array_equal(after["ids_history"][:, 0], history[:, 0])


def test_what_is_out_of_range_is_brought_into_it(run_vertex: RunVertex) -> None:
    after = run_vertex(
        "ImportSpikes<unsigned short>",
        {
            "ids": np.array([[[-1, 9, 3, 70000]]], np.int32),
            "counts": np.array([[[9, -3]]], np.int32),
            "ids_history": InOut(np.zeros((1, 2, 4), np.uint16)),
            "counts_history": InOut(np.zeros((1, 2, 2), np.uint32)),
        },
        {"samples": 1, "steps": 1, "capacity": 4, "padded_capacity": 4, "size": 9},
    )
    np.testing.assert_array_equal(after["counts_history"][0, 1], [4, 4])
    np.testing.assert_array_equal(after["ids_history"][0, 1], [8, 8, 3, 8])
