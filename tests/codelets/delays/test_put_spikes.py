from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    generators,
    id_types,
    random_lists,
    scalar,
    sizes,
    worker_counts,
)
from tests.codelets.delays.delay_cases import bits_of


@given(
    id_type=id_types,
    samples=st.integers(1, 4),
    size=sizes,
    padded_capacity=st.integers(1, 20),
    slots=st.integers(2, 9),
    step=st.integers(0, 2**20),
    workers=worker_counts,
    rng=generators,
)
def test_bits_at_the_slots_of_their_delays(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    size: int,
    padded_capacity: int,
    slots: int,
    step: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (samples,), padded_capacity, size, ID_TYPES[id_type])
    delays = rng.integers(0, slots, size)
    ring = rng.random((samples, slots, 2, size)) < 0.2
    after = run_vertex(
        f"PutSpikes<{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "delays": delays.astype(np.uint32),
            "step": scalar(step),
            "ring": InOut(bits_of(ring)),
        },
        {
            "samples": samples,
            "padded_capacity": padded_capacity,
            "slots": slots,
            "words": -(-size // 32),
        },
        workers=workers,
    )["ring"]
    ring[:, (step - 1) % slots] = False  # those have been taken
    kinds = (lists.fired.astype(bool), lists.active & ~lists.fired.astype(bool))
    for kind, flags in enumerate(kinds):
        for b, neuron in np.argwhere(flags):
            ring[b, (step + delays[neuron]) % slots, kind, neuron] = True
    np.testing.assert_array_equal(after, bits_of(ring))
