from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    Output,
    RunVertex,
    even,
    generators,
    id_types,
    random_lists,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    size=sizes,
    capacity=st.integers(1, 40),
    records=st.integers(2, 13),
    workers=worker_counts,
    rng=generators,
)
def test_next_list_becomes_the_current_one(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    capacity: int,
    records: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    capacity = even(capacity)
    lists = random_lists(rng, (samples,), capacity, size, ID_TYPES[id_type])
    following = rng.integers(0, 99, (samples, records)).astype(np.uint32)
    following[:, :2] = lists.counts
    before = rng.integers(0, size, (samples, capacity)).astype(ID_TYPES[id_type])
    after = run_vertex(
        f"NextArrivals<{id_type}>",
        {
            "next_ids": lists.ids,
            "next_records": following,
            "ids": InOut(before),
            "records_now": Output((samples, records), "uint32"),
        },
        {"samples": samples, "padded_capacity": capacity, "records": records},
        workers=workers,
    )
    np.testing.assert_array_equal(after["records_now"], following)
    for b, active in enumerate(lists.counts[:, 1]):
        np.testing.assert_array_equal(after["ids"][b, :active], lists.ids[b, :active])
        written = even(int(active)) if id_type == "unsigned short" else active  # whole words
        np.testing.assert_array_equal(after["ids"][b, written:], before[b, written:])
