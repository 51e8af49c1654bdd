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
    history_row,
    id_types,
    scalar,
    sizes,
    worker_counts,
)
from tests.codelets.delays.delay_cases import bits_of, list_of


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    size=sizes,
    slots=st.integers(2, 9),
    steps=st.integers(1, 12),
    density=st.sampled_from((0.0, 0.1, 0.5, 1.0)),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_list_of_the_slot(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    slots: int,
    steps: int,
    density: float,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    unit = 1 if id_type == "unsigned int" else 2
    active = rng.random((samples, slots, size)) < density
    fired = active & (rng.random(active.shape) < 0.5)
    room = even(size)
    begins = rng.integers(0, 100, (samples, 1 + steps)).astype(np.uint32)
    begins[:, step] = 2 * rng.integers(0, 3, samples)
    entries = 6 + room
    after = run_vertex(
        f"TakeSpikes<{id_type}>",
        {
            "ring": np.stack([bits_of(fired), bits_of(active & ~fired)], 2),
            "step": scalar(step),
            "ids": Output((samples, room), ID_TYPES[id_type]),
            "counts": Output((samples, 2), "uint32"),
            "ids_history": InOut(
                rng.integers(0, size, (samples, entries)).astype(ID_TYPES[id_type])
            ),
            "counts_history": InOut(np.zeros((samples, 1 + steps, 2), np.uint32)),
            "begins": InOut(begins),
        },
        {
            "samples": samples,
            "steps": steps,
            "padded_capacity": room,
            "entries": entries,
            "slots": slots,
            "words": -(-size // 32),
        },
        workers=workers,
    )
    for b in range(samples):
        ids, counts = list_of(fired[b, step % slots], active[b, step % slots])
        np.testing.assert_array_equal(after["counts"][b], counts)
        np.testing.assert_array_equal(after["counts_history"][b, history_row(step)], counts)
        np.testing.assert_array_equal(after["ids"][b, : len(ids)], ids)
        begin = begins[b, step]
        np.testing.assert_array_equal(after["ids_history"][b, begin : begin + len(ids)], ids)
        assert after["begins"][b, step + 1] == begin + -(-len(ids) // unit) * unit
        others = np.arange(1 + steps) != step + 1
        np.testing.assert_array_equal(after["begins"][b, others], begins[b, others])
