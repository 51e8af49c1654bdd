from __future__ import annotations

from typing import Any, List

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WEIGHT_TYPES,
    InOut,
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    id_types,
    random_lists,
    scalar,
    sizes,
    weight_types,
    worker_counts,
)
from tests.codelets.delays.delay_cases import (
    TAPS,
    TwoParts,
    field_of,
    kinds,
    learnt_bits,
    random_sources,
    row_counts,
    two_parts,
)

ROWS = 3


def rows_of(rng: np.random.Generator, lists: List[Any]) -> List[TwoParts]:
    """Return lists as the vertex has them, some of which it reads late."""
    read = [TwoParts(each.ids, each.counts, 0) for each in lists]
    for source, each in enumerate(lists):
        if rng.random() < 0.4:
            read[source] = two_parts(rng, each.ids, each.counts[:, 0])
    return read


@given(
    kinds=kinds.filter(lambda drawn: any(kind != "none" for kind in drawn)),
    id_type=id_types,
    weight_type=weight_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    slots=st.integers(2, 9),
    row=st.integers(0, ROWS - 1),
    first_step=st.integers(0, 2**20),
    learns=st.booleans(),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_products_arrive_at_their_steps(
    run_vertex: RunVertex,
    kinds: List[str],
    id_type: str,
    weight_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    slots: int,
    row: int,
    first_step: int,
    learns: bool,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    sources = random_sources(rng, kinds, slots, neurons)
    capacities = [data.draw(st.integers(1, 20)) for _ in kinds]
    lists = [
        random_lists(rng, (batch,), capacity, inputs, ID_TYPES[id_type]) for capacity in capacities
    ]
    weights = [floats(rng, inputs, neurons).astype(WEIGHT_TYPES[weight_type]) for _ in kinds]
    ring = floats(rng, slots, batch, neurons)
    learnt = learnt_bits(kinds) if learns else 0
    saved = [floats(rng, ROWS, batch, neurons) for kind in kinds if learnt and kind == TAPS]
    read = rows_of(rng, lists)
    after = run_vertex(
        f"DelayCurrents<{id_type},{weight_type}>",
        {
            "ids": [ids for ids, *_ in read],
            "counts": [counts for _, counts, _ in read],
            "weights": weights,
            "taps": [field_of(sources)],
            "row": scalar(row),
            "first_step": scalar(first_step),
            "ring": InOut(ring),
            "synapses": [],
            "products": [InOut(each) for each in saved],
            "current": Output((batch, neurons), "float32"),
        },
        {
            "padded_capacity": np.array([row.shape[1] for row, *_ in read], np.uint32),
            "earlier": np.array([earlier for *_, earlier in read], np.uint32),
            "tap_rows": row_counts(sources),
            "batch": batch,
            "neurons": neurons,
            "slots": slots,
            "learnt": learnt,
            "synaptic": 0,
        },
        workers=workers,
    )
    products = [
        each.fired @ matrix.astype(np.float64) for each, matrix in zip(lists, weights)
    ]  # [batch, neurons]
    now = (first_step + row) % slots
    expected = np.roll(ring.astype(np.float64), -now, 0)  # from this step on
    for source, product in zip(sources, products):
        expected += source.weights(slots)[:, None] * product
    assert_close(after["current"], expected[0], *weights, *products)
    expected[0] = 0
    assert_close(np.roll(after["ring"], -now, 0), expected, *weights, *products)
    of_learnt = [product for kind, product in zip(kinds, products) if kind == TAPS]
    for got, before, product in zip(after["products"], saved, of_learnt):
        assert_close(got[row], product, *weights)
        np.testing.assert_array_equal(np.delete(got, row, 0), np.delete(before, row, 0))


@given(
    first=kinds,
    id_type=id_types,
    weight_type=weight_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    slots=st.integers(2, 9),
    first_step=st.integers(0, 2**20),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_weights_arrive_at_their_steps(
    run_vertex: RunVertex,
    first: List[str],
    id_type: str,
    weight_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    slots: int,
    first_step: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    """A source with delays of each weight, behind one with other delays or alone."""
    sources = random_sources(rng, first[1:], slots, neurons)
    capacities = [data.draw(st.integers(1, 20)) for _ in first]
    lists = [
        random_lists(rng, (batch,), capacity, inputs, ID_TYPES[id_type]) for capacity in capacities
    ]
    weights = [floats(rng, inputs, neurons).astype(WEIGHT_TYPES[weight_type]) for _ in first]
    synapses = rng.integers(0, slots, (inputs, neurons))
    ring = floats(rng, slots, batch, neurons)
    read = rows_of(rng, lists)
    after = run_vertex(
        f"DelayCurrents<{id_type},{weight_type}>",
        {
            "ids": [ids for ids, *_ in read],
            "counts": [counts for _, counts, _ in read],
            "weights": weights,
            "taps": [field_of(sources)] if sources and len(field_of(sources)) else [],
            "synapses": [synapses.astype(np.uint16)],
            "row": scalar(0),
            "first_step": scalar(first_step),
            "ring": InOut(ring),
            "products": [],
            "current": Output((batch, neurons), "float32"),
        },
        {
            "padded_capacity": np.array([row.shape[1] for row, *_ in read], np.uint32),
            "earlier": np.array([earlier for *_, earlier in read], np.uint32),
            "tap_rows": np.array([*row_counts(sources), 0], np.uint32),
            "batch": batch,
            "neurons": neurons,
            "slots": slots,
            "learnt": 0,
            "synaptic": 1 << len(sources),
        },
        workers=workers,
    )
    now = first_step % slots
    expected = np.roll(ring.astype(np.float64), -now, 0)  # from this step on
    for source, each, matrix in zip(sources, lists, weights):
        expected += source.weights(slots)[:, None] * (each.fired @ matrix.astype(np.float64))
    for k in range(slots):
        expected[k] += lists[-1].fired @ (weights[-1].astype(np.float64) * (synapses == k))
    assert_close(after["current"], expected[0], ring, *weights, expected)
    expected[0] = 0
    assert_close(np.roll(after["ring"], -now, 0), expected, ring, *weights)
