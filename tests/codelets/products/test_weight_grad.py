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
    id_types,
    random_lists,
    sizes,
    worker_counts,
)


@given(
    id_type=id_types,
    batch=batches,
    neurons=sizes,
    inputs=sizes,
    padded_capacity=st.integers(1, 70),
    bias=st.booleans(),
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
    workers: int,
    rng: np.random.Generator,
) -> None:
    lists = random_lists(rng, (batch,), padded_capacity, inputs, ID_TYPES[id_type])
    begins = [inputs * number // WORKER_RANGES for number in range(WORKER_RANGES + 1)]
    bounds = np.stack([lists.fired[:, :bound].sum(-1) for bound in begins], 1)
    grad = floats(rng, batch, neurons)
    weight_grad, bias_grad = floats(rng, inputs, neurons), floats(rng, neurons)
    after = run_vertex(
        f"WeightGrad<{id_type}>",
        {
            "ids": lists.ids,
            "bounds": bounds.astype(np.uint32),
            "current_grad": grad,
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
    assert_close(after["weight_grad"], weight_grad + lists.fired.T @ grad.astype(np.float64), grad)
    for after_bias in after["bias_grad"]:
        assert_close(after_bias, bias_grad + grad.astype(np.float64).sum(0), grad)
    silent = lists.fired.sum(0) == 0
    np.testing.assert_array_equal(after["weight_grad"][silent], weight_grad[silent])
