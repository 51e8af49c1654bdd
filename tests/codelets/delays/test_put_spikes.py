from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    even,
    generators,
    id_types,
    random_lists,
    scalar,
    sizes,
    worker_counts,
)
from tests.codelets.delays.delay_cases import Arrivals


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    steps=st.integers(1, 9),
    size=sizes,
    capacity=st.integers(1, 20),
    longest=st.integers(1, 9),
    learns=st.booleans(),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_bits_at_the_steps_of_arrival(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    size: int,
    capacity: int,
    longest: int,
    learns: bool,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    first, row = data.draw(st.integers(0, steps)), data.draw(st.integers(0, 3))
    capacity = even(capacity)
    lists = random_lists(rng, (samples,), capacity, size, ID_TYPES[id_type])
    delays = rng.integers(0, longest + 1, size)
    # A neuron has one delay: its spikes of other steps arrive at others. After the last step there
    # is nothing to enter.
    step = min(first + row, steps + 1) - 1
    before = Arrivals.random(rng, samples, steps, size, 0.2, learns)
    for neuron, delay in enumerate(delays):
        before.fired[:, step + delay : step + delay + 1, neuron] = False
        before.active[:, step + delay : step + delay + 1, neuron] = False
    history = rng.integers(0, size, (samples, steps, capacity)).astype(ID_TYPES[id_type])
    lengths = rng.integers(0, capacity, (samples, steps, 2)).astype(np.uint32)
    counts = rng.integers(0, 9, (samples, 1 + steps, 2)).astype(np.uint32)
    complete = before.sizes[:, step - 1] if step > 0 else None  # [samples, sections, ranges]
    after = run_vertex(
        f"PutSpikes<{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "delays": delays.astype(np.uint32),
            "first_step": scalar(step + 1 - row),
            "row": scalar(row),
            "bits": InOut(before.bits),
            "sizes": InOut(before.sizes),
            "fired_history": InOut(history),
            "lengths": InOut(lengths),
            "counts_history": InOut(counts),
        },
        {
            "samples": samples,
            "padded_capacity": capacity,
            "steps": steps,
            "words": -(-size // 32),
            "sections": 3 if learns else 2,
            "longest": longest,
            "offset": -1,
        },
        workers=workers,
    )
    if complete is not None:
        counts[:, step] = np.stack([complete[:, 0].sum(-1), complete.sum((1, 2))], 1)
    np.testing.assert_array_equal(after["counts_history"], counts)
    if 0 <= step < steps:
        lengths[:, step] = lists.counts
        for b, neuron in np.argwhere(lists.active):
            arrival = step + delays[neuron]
            if arrival < steps:
                before.active[b, arrival, neuron] = True
                before.fired[b, arrival, neuron] = lists.fired[b, neuron]
            if before.neighbors is None:
                continue
            before.neighbors[b, arrival : arrival + 1, neuron] = False
            taps = {delays[neuron] - 1, delays[neuron] + 1} & set(range(longest + 1))
            for tap in taps if lists.fired[b, neuron] else ():
                if step + tap < steps and not before.active[b, step + tap, neuron]:
                    before.neighbors[b, step + tap, neuron] = True
        for b, active in enumerate(lists.counts[:, 1]):
            np.testing.assert_array_equal(
                after["fired_history"][b, step, :active], lists.ids[b, :active]
            )
    np.testing.assert_array_equal(after["bits"], before.bits)
    np.testing.assert_array_equal(after["sizes"], before.sizes)
    np.testing.assert_array_equal(after["lengths"], lengths)
    others = np.arange(steps) != step
    np.testing.assert_array_equal(after["fired_history"][:, others], history[:, others])
