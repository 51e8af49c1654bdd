from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    even,
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
    steps=st.integers(1, 5),
    slots=st.integers(2, 9),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_values_from_the_steps_of_arrival(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    capacity: int,
    steps: int,
    slots: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(-1, steps - 1))
    capacity = even(capacity)
    lists = random_lists(rng, (samples, steps), capacity, size, ID_TYPES[id_type])
    delays = rng.integers(0, slots, size)
    arrived, waiting = floats(rng, samples, slots, size), floats(rng, samples, capacity)
    after = run_vertex(
        f"GatherArrivals<{id_type}>",
        {
            "fired_history": lists.ids,
            "lengths": lists.counts,
            "delays": delays.astype(np.uint32),
            "arrived": arrived,
            "step": scalar(step + 1),
            "waiting": InOut(waiting),
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": capacity,
            "slots": slots,
            "neurons": size,
            "offset": -1,
        },
        workers=workers,
    )
    for b in range(samples if step >= 0 else 0):
        ids = lists.ids[b, step, : lists.counts[b, step, 1]]
        values = arrived[b, (step + delays[ids]) % slots, ids]
        late = delays[ids] > 0
        waiting[b, : len(ids)][late] = values[late]
    written = np.arange(capacity) < (lists.counts[:, step, 1:] if step >= 0 else 0)
    np.testing.assert_array_equal(
        np.where(written, after["waiting"], 0), np.where(written, waiting, 0)
    )
