from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    Output,
    RunVertex,
    floats,
    generators,
    scalar,
    sizes,
    worker_counts,
)


@given(rows=st.integers(1, 4), size=sizes, workers=worker_counts, data=st.data(), rng=generators)
def test_put_and_take(
    run_vertex: RunVertex,
    rows: int,
    size: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    at = data.draw(st.integers(0, rows - 1))
    saved, row = floats(rng, rows, size), floats(rng, size)
    put = run_vertex(
        "SaveRow",
        {"row": row, "rows": InOut(saved), "at": scalar(at)},
        {"size": size},
        workers=workers,
    )
    expected = saved.copy()
    expected[at] = row
    np.testing.assert_array_equal(put["rows"], expected)
    loaded = run_vertex(
        "LoadRow",
        {"rows": saved, "at": scalar(at), "row": Output((size,), "float32")},
        {"size": size},
        workers=workers,
    )
    np.testing.assert_array_equal(loaded["row"], saved[at])
