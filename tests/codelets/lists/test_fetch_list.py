from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    Output,
    RunVertex,
    batches,
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
    entries=st.integers(1, 30),
    step=st.integers(-1, 5),
    offset=st.integers(-2, 2),
    keeps=st.booleans(),
    windowed=st.booleans(),
    workers=worker_counts,
    rng=generators,
)
def test_lists_of_the_step(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    entries: int,
    step: int,
    offset: int,
    keeps: bool,
    windowed: bool,
    workers: int,
    rng: np.random.Generator,
) -> None:
    dtype = ID_TYPES[id_type]
    of_pair = 4 if id_type == "unsigned short" else 2
    row = -(-entries // of_pair) * of_pair  # whole pairs of words

    def drawn(*shape: int, of: type = np.uint32) -> np.ndarray:
        return rng.integers(0, np.iinfo(of).max, shape, of, endpoint=True)

    ids_history, ids = drawn(samples, 1 + steps, row, of=dtype), drawn(samples, row, of=dtype)
    counts_history, counts = drawn(samples, 1 + steps, 2), drawn(samples, 2)
    window_history = drawn(samples, 1 + steps, 3)
    after = run_vertex(
        f"FetchList<{id_type}>",
        {
            "ids_history": ids_history,
            "counts_history": counts_history,
            "step": scalar(step),
            "ids": InOut(ids),
            "counts": InOut(counts),
            "ids_before": [Output((samples, row), dtype)] if keeps else [],
            "counts_before": [Output((samples, 2), np.uint32)] if keeps else [],
            "window_history": [window_history] if windowed else [],
            "window": [Output((samples, 3), np.uint32)] if windowed else [],
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": row,
            "offset": offset,
            "keeps": int(keeps),
            "windowed": int(windowed),
        },
        workers=workers,
    )
    np.testing.assert_array_equal(after["ids"], rows_of_step(ids_history, step + offset))
    np.testing.assert_array_equal(after["counts"], rows_of_step(counts_history, step + offset))
    if keeps:
        np.testing.assert_array_equal(after["ids_before"][0], ids)
        np.testing.assert_array_equal(after["counts_before"][0], counts)
    if windowed:
        expected = rows_of_step(window_history, step - 1)
        np.testing.assert_array_equal(after["window"][0], expected)
