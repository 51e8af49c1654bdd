from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    SHARES,
    Output,
    RunVertex,
    batches,
    generators,
    history_row,
    id_types,
    random_lists,
    scalar,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 4),
    inputs=sizes,
    slots=st.integers(1, 70),
    offset=st.integers(-2, 0),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_shares(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    inputs: int,
    slots: int,
    offset: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1 - offset))
    t = step + offset
    lists = random_lists(rng, (samples, 1 + steps), slots, inputs, ID_TYPES[id_type])
    after = run_vertex(
        f"ListShares<{id_type}>",
        {
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "shares": Output((samples, SHARES + 1), "uint32"),
        },
        {"samples": samples, "steps": steps, "slots": slots, "inputs": inputs, "offset": offset},
        workers=workers,
    )
    expected = np.zeros((samples, SHARES + 1))
    if t >= -1:
        for share in range(SHARES + 1):
            below = lists.fired[:, history_row(t), : inputs * share // SHARES]
            expected[:, share] = below.sum(-1)
    np.testing.assert_array_equal(after["shares"], expected)
