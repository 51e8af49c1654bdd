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
    rows_of_step,
    scalar,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 5),
    entries=st.integers(1, 17),
    step=st.integers(-1, 5),
    offset=st.integers(-2, 2),
    workers=worker_counts,
    rng=generators,
)
def test_rows_of_the_step(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    entries: int,
    step: int,
    offset: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    dtype = ID_TYPES[id_type]
    row = even(entries) if id_type == "unsigned short" else entries  # whole words
    history = rng.integers(0, np.iinfo(dtype).max, (samples, 1 + steps, row), dtype, endpoint=True)
    after = run_vertex(
        f"FetchStep<{id_type}>",
        {"history": history, "step": scalar(step), "current": Output((samples, row), dtype)},
        {"samples": samples, "steps": steps, "row": row, "offset": offset},
        workers=workers,
    )
    np.testing.assert_array_equal(after["current"], rows_of_step(history, step + offset))
