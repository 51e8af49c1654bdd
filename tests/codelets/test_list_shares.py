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
    id_types,
    random_lists,
    scalar,
    sizes,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 4),
    inputs=sizes,
    slots=st.integers(1, 70),
    offset=st.integers(-2, 0),
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
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    lists = random_lists(rng, (samples, steps), slots, inputs, ID_TYPES[id_type])
    after = run_vertex(
        f"ListShares<{id_type}>",
        {
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "shares": Output((samples, SHARES + 1), "uint32"),
        },
        {"samples": samples, "steps": steps, "slots": slots, "inputs": inputs, "offset": offset},
    )
    expected = np.zeros((samples, SHARES + 1))
    if step + offset >= 0:
        for share in range(SHARES + 1):
            below = lists.fired[:, step + offset, : inputs * share // SHARES]
            expected[:, share] = below.sum(-1)
    np.testing.assert_array_equal(after["shares"], expected)
