from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import WORKER_RANGES, Output, RunVertex, generators, scalar


@given(steps=st.integers(1, 5), offset=st.integers(-1, 0), data=st.data(), rng=generators)
def test_largest_of_the_step(
    run_vertex: RunVertex, steps: int, offset: int, data: st.DataObject, rng: np.random.Generator
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    sizes = rng.integers(0, 4, (steps, WORKER_RANGES)).astype(np.uint32)
    after = run_vertex(
        "LargestSize",
        {"sizes": sizes, "step": scalar(step), "size": Output((), "int32")},
        {"offset": offset},
    )
    t = step + offset
    assert after["size"] == (sizes[t].max() if t >= 0 else 0)
