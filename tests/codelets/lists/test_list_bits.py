from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    Output,
    RunVertex,
    bit_masks,
    generators,
    id_types,
    random_lists,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    inputs=st.one_of(sizes, st.integers(1, 500)),
    padded_capacity=st.integers(1, 200),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_bits_of_the_fired(
    run_vertex: RunVertex,
    id_type: str,
    inputs: int,
    padded_capacity: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (1,), padded_capacity, inputs, ID_TYPES[id_type])
    expected = bit_masks(lists.fired > 0, -(-inputs // 32))[0]
    first = data.draw(st.integers(0, len(expected) - 1))
    words = data.draw(st.integers(1, len(expected) - first))
    after = run_vertex(
        f"ListBits<{id_type}>",
        {"ids": lists.ids[0], "counts": lists.counts[0], "bits": Output((words,), "uint32")},
        {"padded_capacity": padded_capacity, "first_word": first, "words": words},
        workers=workers,
    )
    np.testing.assert_array_equal(after["bits"], expected[first : first + words])
