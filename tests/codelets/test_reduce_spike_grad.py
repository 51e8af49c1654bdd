from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
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
)


@given(
    id_type=id_types,
    tiles=st.integers(1, 5),
    samples=batches,
    steps=st.integers(1, 4),
    size=sizes,
    slots=st.integers(1, 20),
    offset=st.integers(-2, 0),
    data=st.data(),
    rng=generators,
)
def test_sum_over_tiles(
    run_vertex: RunVertex,
    id_type: str,
    tiles: int,
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
    partials = floats(rng, tiles, samples, slots)
    after = run_vertex(
        f"ReduceSpikeGrad<{id_type}>",
        {
            "partials": partials,
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "spike_grad": Output((samples, size), "float32"),
        },
        {
            "tiles": tiles,
            "samples": samples,
            "slots": slots,
            "steps": steps,
            "size": size,
            "offset": offset,
        },
    )
    expected = np.zeros((samples, size))
    if step + offset >= 0:
        for b in range(samples):
            listed = lists.counts[b, step + offset, 1]
            ids = lists.ids[b, step + offset, :listed]
            expected[b, ids] = partials[:, b, :listed].sum(0, dtype=np.float64)
    assert_close(after["spike_grad"], expected, partials)
    np.testing.assert_array_equal(after["spike_grad"][expected == 0], 0)
