from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    ID_TYPES,
    WORKER_RANGES,
    InOut,
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
    worker_counts,
)

ROWS = 3


@given(
    id_type=id_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 70),
    bias=st.booleans(),
    ahead=st.one_of(st.none(), st.integers(0, 4)),
    row=st.integers(0, ROWS - 1),
    workers=worker_counts,
    rng=generators,
)
def test_sum_over_samples(
    run_vertex: RunVertex,
    id_type: str,
    batch: int,
    neurons: int,
    inputs: int,
    padded_capacity: int,
    bias: bool,
    ahead: int | None,
    row: int,
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    begins = [inputs * number // WORKER_RANGES for number in range(WORKER_RANGES + 1)]
    bounds = np.stack([lists.fired[:, :bound].sum(-1) for bound in begins], 1)
    # By time steps ahead, of which one is the present.
    history = floats(rng, 1 + ROWS + (ahead or 0), batch, neurons)
    grads = history[history_row(row) : history_row(row) + 1 + (ahead or 0)]
    delays = rng.integers(0, len(grads), inputs)
    weight_grad, bias_grad = floats(rng, inputs, neurons), floats(rng, neurons)
    after = run_vertex(
        f"WeightGrad{'' if ahead is None else 'Ahead'}<{id_type}>",
        {
            "ids": lists.ids,
            "bounds": bounds.astype(np.uint32),
            **(
                {"current_grad": grads[0]}
                if ahead is None
                else {
                    "current_grad": history,
                    "delays": delays.astype(np.uint32),
                    "row": scalar(row),
                }
            ),
            "weight_grad": InOut(weight_grad),
            "bias_grad": [InOut(bias_grad)] if bias else [],
        },
        {
            "batch": batch,
            "padded_capacity": padded_capacity,
            "neurons": neurons,
            "biased": int(bias),
        },
        workers=workers,
    )
    added = np.einsum("bi,ibj->ij", lists.fired, grads[delays].astype(np.float64))
    assert_close(after["weight_grad"], weight_grad + added, grads)
    for after_bias in after["bias_grad"]:
        assert_close(after_bias, bias_grad + grads[0].astype(np.float64).sum(0), grads[0])
    silent = lists.fired.sum(0) == 0
    np.testing.assert_array_equal(after["weight_grad"][silent], weight_grad[silent])
