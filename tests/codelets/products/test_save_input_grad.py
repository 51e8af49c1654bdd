from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    history_row,
    random_lists,
    scalar,
    worker_counts,
)


@given(
    samples=batches,
    steps=st.integers(1, 4),
    sources=st.integers(1, 3),
    padded_capacity=st.integers(1, 20),
    offset=st.integers(-1, 0),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_sums_enter_the_history(
    run_vertex: RunVertex,
    samples: int,
    steps: int,
    sources: int,
    padded_capacity: int,
    offset: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    t = step + offset
    counts = random_lists(
        rng, (samples, 1 + steps), padded_capacity, padded_capacity, np.uint32
    ).counts
    sums = [floats(rng, samples, padded_capacity) for _ in range(sources)]
    input_grad = floats(rng, samples, steps, padded_capacity)
    after = run_vertex(
        "SaveInputGrad",
        {
            "sums": sums,
            "counts_history": counts,
            "step": scalar(step),
            "input_grad": InOut(input_grad),
        },
        {"samples": samples, "steps": steps, "padded_capacity": padded_capacity, "offset": offset},
        workers=workers,
    )["input_grad"]
    expected = input_grad.astype(np.float64)
    if t >= 0:
        active = np.arange(padded_capacity) < counts[:, history_row(t), 1:]
        expected[:, t] = np.where(active, np.sum(sums, 0, dtype=np.float64), input_grad[:, t])
    assert_close(after, expected, *sums)
    np.testing.assert_array_equal(after[expected == input_grad], input_grad[expected == input_grad])
