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
from tests.codelets.delays.delay_cases import History


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    steps=st.integers(1, 5),
    size=sizes,
    capacity=st.integers(1, 20),
    padded_capacity=st.integers(1, 20),
    sources=st.integers(1, 3),
    slots=st.integers(2, 9),
    offset=st.sampled_from((0, -1)),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_gradients_wait_for_the_step_that_fired(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    size: int,
    capacity: int,
    padded_capacity: int,
    sources: int,
    slots: int,
    offset: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1 - offset))
    history = History.random(rng, samples, steps, capacity, size, ID_TYPES[id_type])
    fired = random_lists(rng, (samples, 1 + steps), padded_capacity, size, ID_TYPES[id_type])
    delays = rng.integers(0, slots, size)
    sums = [floats(rng, samples, capacity) for _ in range(sources)]
    arrived, spike_grad = floats(rng, samples, slots, size), floats(rng, samples, size)
    after = run_vertex(
        f"ScatterArrivals<{id_type}>",
        {
            "sums": sums,
            "ids_history": history.ids,
            "counts_history": history.counts,
            "begins": history.begins,
            "fired_ids": fired.ids,
            "fired_counts": fired.counts,
            "delays": delays.astype(np.uint32),
            "step": scalar(step),
            "arrived": InOut(arrived),
            "spike_grad": InOut(spike_grad),
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": padded_capacity,
            "entries": history.ids.shape[1],
            "sum_capacity": capacity,
            "slots": slots,
            "neurons": size,
            "offset": offset,
        },
        workers=workers,
    )
    t = step + offset
    if t >= 0:
        total = np.sum(sums, 0)
        for b in range(samples):
            active = history.lists.counts[b, t, 1]
            arrived[b, t % slots, history.lists.ids[b, t, :active]] = total[b, :active]
        later = (t + delays) % slots
        values = arrived[:, later, np.arange(size)]
        spike_grad = spike_grad + np.where(fired.active[:, t + 1], values, 0)
    assert_close(after["arrived"], arrived, *sums)
    assert_close(after["spike_grad"], spike_grad, arrived)
