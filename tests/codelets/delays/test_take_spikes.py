from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WORKER_RANGES,
    Output,
    RunVertex,
    even,
    filler,
    generators,
    id_types,
    scalar,
    sizes,
    worker_counts,
)
from tests.codelets.delays.delay_cases import Arrivals, list_of


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    size=sizes,
    steps=st.integers(1, 9),
    step=st.integers(-2, 10),
    density=st.sampled_from((0.0, 0.1, 0.5, 1.0)),
    forward=st.booleans(),
    spare=st.integers(0, 3),
    learns=st.booleans(),
    workers=worker_counts,
    rng=generators,
)
def test_list_of_a_time_step(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    steps: int,
    step: int,
    density: float,
    forward: bool,
    spare: int,
    learns: bool,
    workers: int,
    rng: np.random.Generator,
) -> None:
    step = min(step, steps)
    arrivals = Arrivals.random(rng, samples, steps, size, density, learns)
    sections = 3 if learns else 2
    inside = 0 <= step < steps
    # As long as the longest list of the step, or a little longer.
    of_ranges = arrivals.sizes[:, step, : 1 if forward else sections] if inside else np.zeros(0)
    longest = max((int(sizes.sum()) for sizes in of_ranges), default=0)
    room = even(max(1, longest) + spare)
    after = run_vertex(
        f"TakeSpikes<{id_type}>",
        {
            "bits": arrivals.bits,
            "sizes": arrivals.sizes,
            "step": scalar(step + 1),
            "ids": Output((samples, room), ID_TYPES[id_type]),
            "counts": Output((samples, 2), "uint32"),
            "bounds": [] if forward else [Output((samples, WORKER_RANGES + 1), "uint32")],
            "real_counts": [Output((samples, 2), "uint32")] if learns and not forward else [],
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": room,
            "words": arrivals.bits.shape[-1],
            "taken": 1 if forward else sections,
            "sections": sections,
            "counted": int(learns and not forward),
            "forward": int(forward),
            "offset": -1,
        },
        workers=workers,
    )
    for b in range(samples):
        ids, counts = np.zeros(0), np.zeros(2)
        if inside:
            fired, active = arrivals.fired[b, step], arrivals.active[b, step]
            ids, counts = list_of(fired, fired if forward else active)
            if learns and not forward:
                np.testing.assert_array_equal(after["real_counts"][0][b], counts)
                assert arrivals.neighbors is not None
                ids = np.concatenate([ids, np.flatnonzero(arrivals.neighbors[b, step])])
                counts = np.array([counts[0], len(ids)])
        np.testing.assert_array_equal(after["counts"][b], counts)
        first = room - len(ids) if forward else 0  # a reader has what arrives at once behind it
        np.testing.assert_array_equal(after["ids"][b, first : first + len(ids)], ids)
        if id_type == "unsigned int":  # else the words at both ends may have an id more
            others = np.delete(after["ids"][b], np.s_[first : first + len(ids)])
            assert np.all(others == filler(others.dtype))
    if forward:
        return
    bounds = np.zeros((samples, WORKER_RANGES + 1))
    if inside:
        bounds[:, 1:] = arrivals.sizes[:, step, 0].cumsum(-1)
    np.testing.assert_array_equal(after["bounds"][0], bounds)
