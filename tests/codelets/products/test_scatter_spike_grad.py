from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    assert_close,
    batches,
    floats,
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
    sources=st.integers(0, 3),
    observed=st.booleans(),
    sets=st.booleans(),
    size=sizes,
    padded_capacity=st.integers(1, 20),
    offset=st.integers(-2, 0),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_sums_reach_the_listed_neurons(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    sources: int,
    observed: bool,
    sets: bool,
    size: int,
    padded_capacity: int,
    offset: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1 - offset))
    t = step + offset
    lists = random_lists(rng, (samples, 1 + steps), padded_capacity, size, ID_TYPES[id_type])
    longest = int(lists.counts[:, history_row(t), 1].max()) if t >= -1 else 0
    sum_capacity = data.draw(st.integers(max(1, longest), max(padded_capacity, longest)))
    sums = [floats(rng, samples, sum_capacity) for _ in range(sources)]
    value_grad = floats(rng, samples, steps, padded_capacity)
    spike_grad = floats(rng, samples, size)
    after = run_vertex(
        f"ScatterSpikeGrad<{id_type}>",
        {
            "sums": sums,
            "value_grad": [value_grad] if observed else [],
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "spike_grad": InOut(spike_grad),
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": padded_capacity,
            "sum_capacity": sum_capacity,
            "size": size,
            "offset": offset,
            "sources": len(sums),
            "observed": int(observed),
            "sets": int(sets),
        },
        workers=workers,
    )["spike_grad"]
    expected = spike_grad.astype(np.float64)
    if t < 0:  # what came before the first step asks for no gradient
        np.testing.assert_array_equal(after, spike_grad)
        return
    for b in range(samples):
        active = lists.counts[b, history_row(t), 1]
        ids = lists.ids[b, history_row(t), :active]
        if sets:
            expected[b, ids] = 0.0
        for values in (*(tensor[b] for tensor in sums), *([value_grad[b, t]] if observed else [])):
            expected[b, ids] += values[:active]
    assert_close(after, expected, spike_grad, value_grad, *sums)
    silent = ~lists.active[:, history_row(t)]
    np.testing.assert_array_equal(after[silent], spike_grad[silent])
