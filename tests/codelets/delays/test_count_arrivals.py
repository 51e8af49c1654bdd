from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import Output, RunVertex, generators, scalar, sizes, worker_counts
from tests.codelets.delays.delay_cases import Arrivals


@given(
    samples=st.integers(1, 14),
    size=sizes,
    steps=st.integers(1, 9),
    step=st.integers(0, 8),
    learns=st.booleans(),
    limits=st.lists(st.integers(0, 30), min_size=1, max_size=3).map(sorted),
    workers=worker_counts,
    rng=generators,
)
def test_bucket_of_spikes_that_arrive(
    run_vertex: RunVertex,
    samples: int,
    size: int,
    steps: int,
    step: int,
    learns: bool,
    limits: list[int],
    workers: int,
    rng: np.random.Generator,
) -> None:
    step = min(step, steps - 1)
    arrivals = Arrivals.random(rng, samples, steps, size, 0.5, learns)
    after = run_vertex(
        "CountArrivals",
        {
            "sizes": arrivals.sizes,
            "step": scalar(step),
            "buckets": Output((samples,), "uint32"),
        },
        {
            "samples": samples,
            "steps": steps,
            "sections": 3 if learns else 2,
            "limits": np.array(limits, np.uint32),
        },
        workers=workers,
    )
    fired = arrivals.fired[:, step].sum(1)
    np.testing.assert_array_equal(after["buckets"], 2 ** np.searchsorted(limits, fired) - 1)


@given(buckets=st.lists(st.integers(0, 3), min_size=1, max_size=9))
def test_largest_bucket_of_lists(run_vertex: RunVertex, buckets: list[int]) -> None:
    after = run_vertex(
        "LargestBucket",
        {"buckets": 2 ** np.array(buckets, np.uint32) - 1, "largest": Output((), "int32")},
        {"lists": len(buckets)},
    )
    assert after["largest"] == max(buckets)
