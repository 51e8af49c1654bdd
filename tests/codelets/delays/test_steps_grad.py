from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    assert_close,
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
def test_differences_of_neighbors(
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
    step = data.draw(st.integers(-1, steps))
    capacity = even(capacity)
    lists = random_lists(rng, (samples, steps), capacity, size, ID_TYPES[id_type])
    delays = rng.integers(0, slots, size)
    arrived, before = floats(rng, samples, slots, size), floats(rng, samples, size)
    after = run_vertex(
        f"StepsGrad<{id_type}>",
        {
            "fired_history": lists.ids,
            "lengths": lists.counts,
            "delays": delays.astype(np.uint32),
            "arrived": arrived,
            "step": scalar(step + 1),
            "steps_grad": InOut(before),
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
    expected = before.astype(np.float64)
    for b in range(samples if 0 <= step < steps else 0):
        for neuron in np.flatnonzero(lists.fired[b, step]):
            delay = delays[neuron]
            if delay + 1 < slots:
                expected[b, neuron] += arrived[b, (step + delay + 1) % slots, neuron] / 2
            if delay > 0:
                expected[b, neuron] -= arrived[b, (step + delay - 1) % slots, neuron] / 2
    assert_close(after["steps_grad"], expected, arrived, before)
