from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    Output,
    RunVertex,
    batches,
    even,
    generators,
    id_types,
    scalar,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 5),
    row=st.integers(1, 17).map(even),
    step=st.integers(-1, 5),
    offset=st.integers(-2, 2),
    rng=generators,
)
def test_rows_of_the_step(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    row: int,
    step: int,
    offset: int,
    rng: np.random.Generator,
) -> None:
    dtype = ID_TYPES[id_type]
    history = rng.integers(0, np.iinfo(dtype).max, (samples, steps, row), dtype, endpoint=True)
    after = run_vertex(
        f"FetchStep<{id_type}>",
        {"history": history, "step": scalar(step), "current": Output((samples, row), dtype)},
        {"samples": samples, "steps": steps, "row": row, "offset": offset},
    )
    inside = 0 <= step + offset < steps
    expected = history[:, step + offset] if inside else np.zeros((samples, row))
    np.testing.assert_array_equal(after["current"], expected)
