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
    size=sizes,
    slots=st.integers(1, 20),
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
    size: int,
    slots: int,
    offset: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1 - offset))
    t = step + offset
    lists = random_lists(rng, (samples, 1 + steps), slots, size, ID_TYPES[id_type])
    longest = int(lists.counts[:, history_row(t), 1].max()) if t >= -1 else 0
    sum_slots = data.draw(st.integers(max(1, longest), max(slots, longest)))
    sums = [floats(rng, samples, sum_slots) for _ in range(sources)]
    slot_grad = floats(rng, samples, steps, slots)
    spike_grad = floats(rng, samples, size)
    after = run_vertex(
        f"ScatterSpikeGrad<{id_type}>",
        {
            "sums": sums,
            "slot_grad": [slot_grad] if observed else [],
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "spike_grad": InOut(spike_grad),
        },
        {
            "samples": samples,
            "steps": steps,
            "slots": slots,
            "sum_slots": sum_slots,
            "size": size,
            "offset": offset,
        },
        workers=workers,
    )["spike_grad"]
    expected = spike_grad.astype(np.float64)
    if t < 0:  # what came before the first step asks for no gradient
        np.testing.assert_array_equal(after, spike_grad)
        return
    for b in range(samples):
        listed = lists.counts[b, history_row(t), 1]
        ids = lists.ids[b, history_row(t), :listed]
        for values in (*(one[b] for one in sums), *([slot_grad[b, t]] if observed else [])):
            expected[b, ids] += values[:listed]
    assert_close(after, expected, spike_grad, slot_grad, *sums)
    silent = ~lists.listed[:, history_row(t)]
    np.testing.assert_array_equal(after[silent], spike_grad[silent])
