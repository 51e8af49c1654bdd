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
    random_lists,
    scalar,
)


@given(
    tiles=st.integers(1, 5),
    samples=batches,
    steps=st.integers(1, 4),
    slots=st.integers(1, 20),
    offset=st.integers(-2, 0),
    data=st.data(),
    rng=generators,
)
def test_sum_over_tiles(
    run_vertex: RunVertex,
    tiles: int,
    samples: int,
    steps: int,
    slots: int,
    offset: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    counts = random_lists(rng, (samples, steps), slots, 30, np.uint32).counts
    partials, input_grad = floats(rng, tiles, samples, slots), floats(rng, samples, steps, slots)
    after = run_vertex(
        "ReduceInputGrad",
        {
            "partials": partials,
            "counts_history": counts,
            "step": scalar(step),
            "input_grad": InOut(input_grad),
        },
        {"tiles": tiles, "samples": samples, "slots": slots, "steps": steps, "offset": offset},
    )["input_grad"]
    written = np.zeros(input_grad.shape, bool)
    if step + offset >= 0:
        written[:, step + offset] = np.arange(slots) < counts[:, step + offset, 1:]
        sums = partials.sum(0, dtype=np.float64)
        assert_close(after[written], sums[written[:, step + offset]], partials)
    np.testing.assert_array_equal(after[~written], input_grad[~written])
