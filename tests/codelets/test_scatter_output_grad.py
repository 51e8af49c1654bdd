from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    Output,
    RunVertex,
    batches,
    floats,
    generators,
    id_types,
    random_lists,
    scalar,
    sizes,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 4),
    size=sizes,
    slots=st.integers(1, 20),
    offset=st.integers(-2, 0),
    data=st.data(),
    rng=generators,
)
def test_slots_become_dense(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    size: int,
    slots: int,
    offset: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    lists = random_lists(rng, (samples, steps), slots, size, ID_TYPES[id_type])
    output_grad = floats(rng, samples, steps, slots)
    after = run_vertex(
        f"ScatterOutputGrad<{id_type}>",
        {
            "output_grad": output_grad,
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "spike_grad": Output((samples, size), "float32"),
        },
        {"samples": samples, "steps": steps, "slots": slots, "size": size, "offset": offset},
    )
    expected = np.zeros((samples, size), np.float32)
    if step + offset >= 0:
        for b in range(samples):
            listed = lists.counts[b, step + offset, 1]
            ids = lists.ids[b, step + offset, :listed]
            expected[b, ids] = output_grad[b, step + offset, :listed]
    np.testing.assert_array_equal(after["spike_grad"], expected)
