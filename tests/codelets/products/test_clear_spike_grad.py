from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    InOut,
    RunVertex,
    batches,
    floats,
    generators,
    history_row,
    id_types,
    random_lists,
    scalar,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    samples=batches,
    steps=st.integers(1, 4),
    size=sizes,
    padded_capacity=st.integers(1, 20),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_listed_neurons_are_zero_and_others_stay(
    run_vertex: RunVertex,
    id_type: str,
    samples: int,
    steps: int,
    size: int,
    padded_capacity: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    step = data.draw(st.integers(0, steps - 1))
    lists = random_lists(rng, (samples, 1 + steps), padded_capacity, size, ID_TYPES[id_type])
    spike_grad = floats(rng, samples, size)
    after = run_vertex(
        f"ClearSpikeGrad<{id_type}>",
        {
            "ids_history": lists.ids,
            "counts_history": lists.counts,
            "step": scalar(step),
            "spike_grad": InOut(spike_grad),
        },
        {"samples": samples, "steps": steps, "padded_capacity": padded_capacity, "size": size},
        workers=workers,
    )["spike_grad"]
    active = lists.active[:, history_row(step)]
    np.testing.assert_array_equal(after, np.where(active, 0, spike_grad))
