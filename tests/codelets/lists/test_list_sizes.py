from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    WORKER_RANGES,
    Output,
    RunVertex,
    batches,
    generators,
    worker_counts,
)


@given(
    lists=st.integers(1, 4),
    samples=batches,
    smaller=st.integers(1, 3),
    workers=worker_counts,
    rng=generators,
)
def test_smallest_size_that_holds_every_list(
    run_vertex: RunVertex,
    lists: int,
    samples: int,
    smaller: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    limits = np.sort(rng.integers(1, 20, (lists, smaller)), -1)
    lengths = rng.integers(0, 25, (lists, samples)).astype(np.uint32)
    after = run_vertex(
        "ListSizes",
        {"lengths": list(lengths), "sizes": Output((WORKER_RANGES,), "uint32")},
        {"limits": limits.ravel().astype(np.uint32), "samples": samples, "smaller": smaller},
        workers=workers,
    )
    assert after["sizes"].max() == max(
        int((row.max() > of_list).sum()) for row, of_list in zip(lengths, limits)
    )
