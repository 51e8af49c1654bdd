from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    assert_close,
    floats,
    generators,
    id_types,
    random_lists,
    scalar,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    size=sizes,
    capacity=st.integers(1, 20),
    sources=st.integers(1, 3),
    slots=st.integers(2, 9),
    step=st.integers(-1, 40),
    workers=worker_counts,
    rng=generators,
)
def test_sums_at_the_slot_of_the_step(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    capacity: int,
    sources: int,
    slots: int,
    step: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (samples,), capacity, size, ID_TYPES[id_type])
    sums = [floats(rng, samples, capacity) for _ in range(sources)]
    arrived = floats(rng, samples, slots, size)
    after = run_vertex(
        f"StoreArrivals<{id_type}>",
        {
            "sums": sums,
            "ids": lists.ids,
            "counts": lists.counts,
            "step": scalar(step + 1),
            "arrived": InOut(arrived),
        },
        {
            "samples": samples,
            "padded_capacity": capacity,
            "slots": slots,
            "neurons": size,
            "offset": -1,
        },
        workers=workers,
    )
    for b in range(samples if step >= 0 else 0):
        active = lists.counts[b, 1]
        arrived[b, step % slots, lists.ids[b, :active]] = np.sum(sums, 0)[b, :active]
    assert_close(after["arrived"], arrived, *sums)
