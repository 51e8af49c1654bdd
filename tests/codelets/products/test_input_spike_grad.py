from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WEIGHT_TYPES,
    Output,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    history_row,
    id_types,
    random_lists,
    scalar,
    sizes,
    weight_types,
    worker_counts,
)

ROWS = 3


@given(
    id_type=id_types,
    weight_type=weight_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 20),
    data=st.data(),
    rng=generators,
)
def test_products_of_the_listed_inputs(
    run_vertex: RunVertex,
    id_type: str,
    weight_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    padded_capacity: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    weights = floats(rng, inputs, neurons).astype(WEIGHT_TYPES[weight_type])
    grad = floats(rng, batch, neurons)
    first = data.draw(st.integers(0, padded_capacity - 1))
    end = data.draw(st.integers(first + 1, padded_capacity))
    partial = run_vertex(
        f"InputSpikeGrad<{id_type},{weight_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "weights": weights,
            "current_grad": grad,
            "partial": Output((batch, end - first), "float32"),
        },
        {
            "batch": batch,
            "padded_capacity": padded_capacity,
            "first": first,
            "entries": end - first,
            "neurons": neurons,
        },
    )["partial"]
    dense = grad.astype(np.float64) @ weights.T.astype(np.float64)
    active = np.arange(padded_capacity) < lists.counts[:, 1:]
    expected = np.take_along_axis(dense, lists.ids.astype(np.int64), 1)[:, first:end]
    active = active[:, first:end]
    assert_close(partial[active], expected[active], weights, grad)
    assert np.isnan(partial[~active]).all()


@given(
    id_type=id_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 20),
    row=st.integers(0, ROWS - 1),
    longest_delay=st.integers(0, 4),
    workers=worker_counts,
    data=st.data(),
    rng=generators,
)
def test_products_with_the_step_of_arrival(
    run_vertex: RunVertex,
    id_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    padded_capacity: int,
    row: int,
    longest_delay: int,
    workers: int,
    data: st.DataObject,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    weights = floats(rng, inputs, neurons)
    grad = floats(rng, 1 + ROWS + longest_delay, batch, neurons)
    delays = rng.integers(0, longest_delay + 1, inputs)
    first = data.draw(st.integers(0, padded_capacity - 1))
    end = data.draw(st.integers(first + 1, padded_capacity))
    partial = run_vertex(
        f"InputSpikeGradAhead<{id_type}>",
        {
            "ids": lists.ids,
            "counts": lists.counts,
            "delays": delays.astype(np.uint32),
            "row": scalar(row),
            "weights": weights,
            "current_grad": grad,
            "partial": Output((batch, end - first), "float32"),
        },
        {
            "batch": batch,
            "padded_capacity": padded_capacity,
            "first": first,
            "entries": end - first,
            "neurons": neurons,
        },
        workers=workers,
    )["partial"]
    ids = lists.ids[:, first:end].astype(np.int64)
    vectors = grad[history_row(row) + delays[ids], np.arange(batch)[:, None]]
    expected = (weights[ids].astype(np.float64) * vectors).sum(-1)
    active = (np.arange(padded_capacity) < lists.counts[:, 1:])[:, first:end]
    assert_close(partial[active], expected[active], weights, grad)
    assert np.isnan(partial[~active]).all()
