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
    workers=worker_counts,
    rng=generators,
)
def test_spikes_that_arrive_are_counted(
    run_vertex: RunVertex,
    samples: int,
    size: int,
    steps: int,
    step: int,
    learns: bool,
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
            "counts": Output((samples, 2), "uint32"),
        },
        {"samples": samples, "steps": steps, "sections": 3 if learns else 2},
        workers=workers,
    )
    fired = arrivals.fired[:, step].sum(1)
    np.testing.assert_array_equal(after["counts"], np.stack([fired, fired], 1))
