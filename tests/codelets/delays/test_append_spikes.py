from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
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
from tests.codelets.delays.delay_cases import undelayed_by_writer, writer_begins


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
    counts = np.array([undelayed_by_writer(*each, delays) for each in zip(*lists[:2])])
    # A writer's ids are stored from where its entries begin.
    stored = np.full((samples, even(capacity)), size, np.uint32)
    for b, (ids, (fired, active)) in enumerate(zip(lists.ids, lists.counts)):
        begins = writer_begins(int(active), ids.dtype)
        for begin, end in zip(begins, begins[1:]):
            kept = ids[begin : min(end, fired)]
            kept = kept[delays[kept] == 0]
            stored[b, begin : begin + len(kept)] = kept
    room = even(9 + capacity)
    before = rng.integers(0, size, (samples, room)).astype(dtype)
    after = run_vertex(
        f"AppendSpikes<{id_type}>",
        {
            "undelayed_ids": stored,
            "fired_counts": lists.counts,
            "undelayed": counts.astype(np.uint32),
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
