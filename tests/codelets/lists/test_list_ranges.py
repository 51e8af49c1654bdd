from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WORKER_RANGES,
    Output,
    RunVertex,
    batches,
    generators,
    history_row,
    id_types,
    random_lists,
    scalar,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 4),
    inputs=sizes,
    padded_capacity=st.integers(1, 70),
    offset=st.integers(-2, 0),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_ranges(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    inputs: int,
    padded_capacity: int,
    offset: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1 - offset))
    t = step + offset
    lists = random_lists(rng, (samples, 1 + steps), padded_capacity, inputs, ID_TYPES[id_type])
    after = run_vertex(
        f"ListRanges<{id_type}>",
        {
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "bounds": Output((samples, WORKER_RANGES + 1), "uint32"),
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": padded_capacity,
            "inputs": inputs,
            "offset": offset,
        },
        workers=workers,
    )
    expected = np.zeros((samples, WORKER_RANGES + 1))
    if t >= -1:
        for number in range(WORKER_RANGES + 1):
            below = lists.fired[:, history_row(t), : inputs * number // WORKER_RANGES]
            expected[:, number] = below.sum(-1)
    np.testing.assert_array_equal(after["bounds"], expected)
