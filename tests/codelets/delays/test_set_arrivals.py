from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    Output,
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
    sources=st.integers(1, 3),
    size=sizes,
    capacity=st.integers(1, 30),
    slots=st.integers(2, 9),
    step=st.integers(-1, 40),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_sums_at_the_steps_that_fired_them(
    run_vertex: RunVertex,
    id_type: str,
    sources: int,
    size: int,
    capacity: int,
    slots: int,
    step: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    begin = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(begin + 1, size))
    lists = random_lists(rng, (1,), capacity, size, ID_TYPES[id_type])
    delays = rng.integers(0, slots, size).astype(np.uint32)
    sums = [floats(rng, capacity) for _ in range(sources)]
    fired, spike_grad = floats(rng, slots, even(end - begin)), floats(rng, end - begin)
    after = run_vertex(
        f"SetArrivals<{id_type}>",
        {
            "sums": np.stack(sums),
            "ids": lists.ids[0],
            "counts": lists.counts[0],
            "delays": delays[begin:end],
            "slot": scalar(step % slots if step >= 0 else -1),
            "fired": InOut(fired),
            "spike_grad": InOut(spike_grad),
        },
        {
            "sources": sources,
            "sum_capacity": capacity,
            "first": begin,
            "size": end - begin,
            "row": fired.shape[1],
            "slots": slots,
            "parts": 2,
        },
        workers=workers,
    )
    total = np.zeros(capacity, np.float32)
    for values in sums:
        total += values
    for k in range(int(lists.counts[0, 1]) if step >= 0 else 0):
        neuron = int(lists.ids[0, k])
        if not begin <= neuron < end:
            continue
        if delays[neuron] == 0:
            spike_grad[neuron - begin] = total[k]
        else:
            fired[(step - int(delays[neuron])) % slots, neuron - begin] = total[k]
    np.testing.assert_array_equal(after["fired"], fired)
    np.testing.assert_array_equal(after["spike_grad"], spike_grad)


@given(
    size=sizes,
    before=st.integers(0, 5),
    after=st.integers(0, 5),
    slots=st.integers(2, 9),
    step=st.integers(-1, 40),
    rng=generators,
)
def test_row_of_the_next_step(
    run_vertex: RunVertex,
    size: int,
    before: int,
    after: int,
    slots: int,
    step: int,
    rng: np.random.Generator,
) -> None:
    first = 2 * before
    fired = floats(rng, slots, even(first + size + after))
    result = run_vertex(
        "NextSpikeGrad",
        {
            "fired": fired,
            "spike_grad": InOut(floats(rng, size)),
            "slot": scalar(step % slots if step >= 0 else -1),
        },
        {"first": first, "size": size, "row": fired.shape[1]},
    )["spike_grad"]
    expected = fired[step % slots, first : first + size] if step >= 0 else np.zeros(size)
    np.testing.assert_array_equal(result, expected)


@given(first_step=st.integers(0, 5000), row=st.integers(-1, 50), length=st.integers(2, 40))
def test_slots_of_two_steps(run_vertex: RunVertex, first_step: int, row: int, length: int) -> None:
    slots = run_vertex(
        "RingSlots",
        {
            "first_step": scalar(first_step),
            "row": scalar(row),
            "slots": Output((2,), "int32"),
        },
        {"length": length},
    )["slots"]
    steps = (first_step + row - 1, first_step + row)
    assert slots.tolist() == [step % length if step >= 0 else -1 for step in steps]
