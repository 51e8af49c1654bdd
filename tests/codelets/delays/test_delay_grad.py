from __future__ import annotations

from typing import List

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    scalar,
    sizes,
    worker_counts,
)
from tests.codelets.delays.delay_cases import (
    TAPS,
    UNDELAYED,
    field_of,
    kinds,
    learnt_bits,
    random_sources,
    row_counts,
)

ROWS = 3


@given(
    kinds=kinds.filter(lambda drawn: any(kind != "none" for kind in drawn)),
    batch=batches,
    neurons=sizes,
    slots=st.integers(2, 9),
    row=st.integers(0, ROWS - 1),
    first_step=st.integers(0, 2**20),
    learns=st.booleans(),
    biased=st.booleans(),
    workers=worker_counts,
    rng=generators,
)
def test_gradients_come_from_later_steps(
    run_vertex: RunVertex,
    kinds: List[str],
    batch: int,
    neurons: int,
    slots: int,
    row: int,
    first_step: int,
    learns: bool,
    biased: bool,
    workers: int,
    rng: np.random.Generator,
) -> None:
    sources = random_sources(rng, kinds, slots, neurons)
    learnt = learnt_bits(kinds) if learns else 0
    current_grad, ring = floats(rng, batch, neurons), floats(rng, slots, batch, neurons)
    saved = [floats(rng, ROWS, batch, neurons) for kind in kinds if learnt and kind == TAPS]
    tap_grad, bias_grad = floats(rng, *field_of(sources).shape), floats(rng, neurons)
    after = run_vertex(
        "DelayGrad",
        {
            "current_grad": current_grad,
            "row": scalar(row),
            "first_step": scalar(first_step),
            "taps": [field_of(sources)],
            "ring": InOut(ring),
            "product_grad": [
                Output((batch, neurons), "float32") for kind in kinds if kind != UNDELAYED
            ],
            "products": saved,
            "tap_grad": [InOut(tap_grad)] if learnt else [],
            "bias_grad": [InOut(bias_grad)] if biased else [],
        },
        {
            "tap_rows": row_counts(sources),
            "batch": batch,
            "neurons": neurons,
            "slots": slots,
            "learnt": learnt,
            "biased": int(biased),
        },
        workers=workers,
    )
    now = (first_step + row) % slots
    later = np.roll(ring, -now, 0)
    later[0] = current_grad
    np.testing.assert_array_equal(np.roll(after["ring"], -now, 0), later)
    later = later.astype(np.float64)
    delayed = [source for source in sources if source.kind != UNDELAYED]
    for got, source in zip(after["product_grad"], delayed):
        assert_close(got, (source.weights(slots)[:, None] * later).sum(0), later, source.rows)
    expected, first, products = tap_grad.astype(np.float64), 0, iter(saved)
    for source in sources:
        rows = len(source.rows)
        if learnt and source.kind == TAPS:
            expected[first : first + rows] += (next(products)[row] * later).sum(1)
        first += rows
    if learnt:
        assert_close(after["tap_grad"][0], expected, later, *saved)
    if biased:
        assert_close(after["bias_grad"][0], bias_grad + later[0].sum(0), later)
