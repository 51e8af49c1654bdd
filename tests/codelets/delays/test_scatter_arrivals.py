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
    padded_capacity=st.integers(1, 20),
    sources=st.integers(1, 3),
    steps=st.integers(1, 5),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_gradients_by_the_delay(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    capacity: int,
    padded_capacity: int,
    sources: int,
    steps: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(-1, steps - 1))
    dtype = ID_TYPES[id_type]
    fired = random_lists(rng, (samples, 1 + steps), padded_capacity, size, dtype)
    arrivals = random_lists(rng, (samples,), capacity, size, dtype)
    delays = rng.integers(0, 3, size)
    sums = [floats(rng, samples, capacity) for _ in range(sources)]
    waiting, spike_grad = floats(rng, samples, padded_capacity), floats(rng, samples, size)
    after = run_vertex(
        f"ScatterArrivals<{id_type}>",
        {
            "ids_history": fired.ids,
            "counts_history": fired.counts,
            "waiting": waiting,
            "sums": sums,
            "ids": arrivals.ids,
            "counts": arrivals.counts,
            "delays": delays.astype(np.uint32),
            "step": scalar(step + 1),
            "spike_grad": InOut(spike_grad),
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": padded_capacity,
            "sum_capacity": capacity,
            "neurons": size,
            "offset": -1,
        },
        workers=workers,
    )
    expected = spike_grad.astype(np.float64)
    for b in range(samples if step >= 0 else 0):
        for k, neuron in enumerate(fired.ids[b, step + 1, : fired.counts[b, step + 1, 1]]):
            expected[b, neuron] += waiting[b, k] if delays[neuron] > 0 else 0
        for k, neuron in enumerate(arrivals.ids[b, : arrivals.counts[b, 1]]):
            expected[b, neuron] += np.sum(sums, 0)[b, k] if delays[neuron] == 0 else 0
    assert_close(after["spike_grad"], expected, waiting, *sums)
