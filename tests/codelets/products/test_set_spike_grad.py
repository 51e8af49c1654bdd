from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    floats,
    generators,
    id_types,
    random_lists,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    sources=st.integers(1, 3),
    size=sizes,
    padded_capacity=st.integers(1, 30),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_sums_reach_the_listed_neurons_of_the_part(
    run_vertex: RunVertex,
    id_type: str,
    sources: int,
    size: int,
    padded_capacity: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    begin = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(begin + 1, size))
    lists = random_lists(rng, (1,), padded_capacity, size, ID_TYPES[id_type])
    sums = floats(rng, sources, padded_capacity)
    part = floats(rng, end - begin)
    after = run_vertex(
        f"SetSpikeGrad<{id_type}>",
        {
            "sums": sums,
            "ids": lists.ids[0],
            "counts": lists.counts[0],
            "spike_grad": InOut(part),
        },
        {
            "sources": sources,
            "sum_capacity": padded_capacity,
            "first": begin,
            "size": end - begin,
            "parts": 2,
        },
        workers=workers,
    )["spike_grad"]
    active = lists.counts[0, 1]
    row = np.concatenate([np.zeros(begin), part, np.zeros(size - end)]).astype(np.float32)
    total = np.zeros(active, np.float32)
    for values in sums:
        total += values[:active]
    row[lists.ids[0, :active]] = total
    np.testing.assert_array_equal(after, row[begin:end])
