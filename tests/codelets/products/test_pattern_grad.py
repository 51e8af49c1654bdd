from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    RunVertex,
    assert_close,
    floats,
    generators,
    pattern_groups,
    pattern_rows,
    patterns_of,
    sizes,
    worker_counts,
)


@given(
    batch=st.integers(1, 19),
    inputs=sizes,
    neurons=st.integers(1, 70),
    biased=st.booleans(),
    workers=worker_counts,
    rng=generators,
)
def test_gradient_of_one_step(
    run_vertex: RunVertex,
    batch: int,
    inputs: int,
    neurons: int,
    biased: bool,
    workers: int,
    rng: np.random.Generator,
) -> None:
    fired, grad = rng.random((batch, inputs)) < 0.4, floats(rng, batch, neurons)
    groups, rows = pattern_groups(batch), pattern_rows(batch)
    sums = np.full((len(groups), rows, neurons), np.nan, np.float32)
    for of_group, group in zip(sums, groups):
        size = group.stop - group.start
        bits = np.arange(2**size)[:, None] >> np.arange(size) & 1
        of_group[: len(bits)] = bits @ grad[group]
    weight_grad, bias_grad = floats(rng, inputs, neurons), floats(rng, neurons)
    after = run_vertex(
        "PatternGrad",
        {
            "patterns": patterns_of(fired),
            "sums": sums,
            "weight_grad": InOut(weight_grad),
            "bias_grad": [InOut(bias_grad)] if biased else [],
        },
        {"batch": batch, "inputs": inputs, "neurons": neurons, "biased": int(biased)},
        workers=workers,
    )
    expected = weight_grad + fired.T.astype(np.float64) @ grad
    assert_close(after["weight_grad"], expected, grad * batch, weight_grad)
    if biased:
        expected = bias_grad + grad.sum(0, dtype=np.float64)
        assert_close(after["bias_grad"][0], expected, grad * batch, bias_grad)
