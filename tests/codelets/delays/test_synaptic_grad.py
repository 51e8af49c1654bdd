from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WEIGHT_TYPES,
    WORKER_RANGES,
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    id_types,
    random_lists,
    scalar,
    sizes,
    weight_types,
    worker_counts,
)


@given(
    id_type=id_types,
    weight_type=weight_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    capacity=st.integers(1, 20),
    longest=st.integers(1, 8),
    more=st.integers(0, 2),
    row=st.integers(0, 3),
    first_step=st.integers(0, 2**20),
    learns=st.booleans(),
    sends=st.booleans(),
    workers=worker_counts,
    rng=generators,
)
def test_gradients_at_the_steps_of_arrival(
    run_vertex: RunVertex,
    id_type: str,
    weight_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    capacity: int,
    longest: int,
    more: int,
    row: int,
    first_step: int,
    learns: bool,
    sends: bool,
    workers: int,
    rng: np.random.Generator,
) -> None:
    slots = longest + 1 + more  # another source may have longer delays
    lists = random_lists(rng, (batch,), capacity, inputs, ID_TYPES[id_type])
    # By worker: the first entry of a list whose input is in its range.
    ends = [inputs * number // WORKER_RANGES for number in range(WORKER_RANGES + 1)]
    fired = [ids[:count] for ids, count in zip(lists.ids, lists.counts[:, 0])]
    bounds = np.array([np.searchsorted(ids, ends) for ids in fired], np.uint32)
    weights = floats(rng, inputs, neurons).astype(WEIGHT_TYPES[weight_type])
    steps = rng.integers(0, longest + 1, (inputs, neurons))
    ring = floats(rng, slots, batch, neurons)
    weight_grad, steps_grad = floats(rng, inputs, neurons), floats(rng, inputs, neurons)
    after = run_vertex(
        f"SynapticGrad<{id_type},{weight_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "bounds": bounds,
            "weights": weights,
            "steps": steps.astype(np.uint16),
            "ring": ring,
            "row": scalar(row),
            "first_step": scalar(first_step),
            "weight_grad": InOut(weight_grad),
            "steps_grad": [InOut(steps_grad)] if learns else [],
            "partial": [Output((batch, capacity), "float32")] if sends else [],
        },
        {
            "batch": batch,
            "padded_capacity": capacity,
            "neurons": neurons,
            "slots": slots,
            "longest": longest,
            "learns": int(learns),
            "sends": int(sends),
        },
        workers=workers,
    )
    later = np.roll(ring.astype(np.float64), -((first_step + row) % slots), 0)
    wide = weights.astype(np.float64)
    expected, slopes = weight_grad.astype(np.float64), steps_grad.astype(np.float64)
    for k in range(longest + 1):
        grad = lists.fired.T @ later[k]  # [inputs, neurons]
        expected += grad * (steps == k)
        slopes += wide * grad * ((steps == k - 1) / 2.0 - (steps == k + 1) / 2.0)
    assert_close(after["weight_grad"], expected, ring * batch)
    if learns:
        assert_close(after["steps_grad"][0], slopes, ring * batch, wide)
    for b in range(batch if sends else 0):
        ids = lists.ids[b, : lists.counts[b, 1]]
        at = later[steps[ids], b, np.arange(neurons)]
        assert_close(
            after["partial"][0][b, : len(ids)], (wide[ids] * at).sum(1), wide, ring * neurons
        )
