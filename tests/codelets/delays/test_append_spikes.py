from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WORKER_RANGES,
    InOut,
    Output,
    RunVertex,
    even,
    generators,
    id_types,
    random_lists,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    size=sizes,
    capacity=st.integers(1, 40),
    undelayed=st.sampled_from((0.0, 0.2, 1.0)),
    workers=worker_counts,
    rng=generators,
)
def test_spikes_without_a_delay_follow(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    capacity: int,
    undelayed: float,
    workers: int,
    rng: np.random.Generator,
) -> None:
    dtype = ID_TYPES[id_type]
    lists = random_lists(rng, (samples,), capacity, size, dtype)
    delays = np.where(rng.random(size) < undelayed, 0, rng.integers(1, 5, size))
    earlier = rng.integers(0, 9, samples)
    # A worker has a range of the fired ids, and stores its own from the range's begin on.
    stored = np.full((samples, even(capacity)), size, np.uint32)
    undelayed_of = np.zeros((samples, WORKER_RANGES, 2), np.uint32)
    for b, (ids, (fired, _)) in enumerate(zip(lists.ids, lists.counts)):
        cuts = np.sort(rng.integers(0, int(fired) + 1, WORKER_RANGES - 1))
        for worker, (begin, end) in enumerate(zip([0, *cuts], [*cuts, int(fired)])):
            kept = ids[begin:end][delays[ids[begin:end]] == 0]
            stored[b, begin : begin + len(kept)] = kept
            undelayed_of[b, worker] = begin, len(kept)
    room = even(9 + capacity)
    before = rng.integers(0, size, (samples, room)).astype(dtype)
    after = run_vertex(
        f"AppendSpikes<{id_type}>",
        {
            "undelayed_ids": stored,
            "undelayed": undelayed_of,
            "earlier_counts": np.stack([earlier, earlier], 1).astype(np.uint32),
            "ids": InOut(before),
            "counts": Output((samples, 2), "uint32"),
        },
        {"samples": samples, "fired_capacity": even(capacity), "padded_capacity": room},
        workers=workers,
    )
    for b in range(samples):
        fired = lists.ids[b, : lists.counts[b, 0]]
        expected = np.concatenate([before[b, : earlier[b]], fired[delays[fired] == 0]])
        np.testing.assert_array_equal(after["ids"][b, : len(expected)], expected)
        np.testing.assert_array_equal(after["counts"][b], [len(expected)] * 2)
