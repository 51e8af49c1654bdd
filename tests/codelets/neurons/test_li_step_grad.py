from __future__ import annotations

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
    history_row,
    scalar,
    sizes,
    worker_counts,
)

STEPS = 3


@given(
    batch=batches,
    neurons=sizes,
    step=st.integers(-1, STEPS - 1),
    row=st.integers(-1, STEPS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    learns=st.booleans(),
    ahead=st.one_of(st.none(), st.integers(0, 3)),
    workers=worker_counts,
    rng=generators,
)
def test_step_back(
    run_vertex: RunVertex,
    batch: int,
    neurons: int,
    step: int,
    row: int,
    gain: float,
    learns: bool,
    ahead: int | None,
    workers: int,
    rng: np.random.Generator,
) -> None:
    beta = rng.random(neurons).astype(np.float32)
    membrane = floats(rng, 1 + STEPS, batch, neurons)
    membrane_grad = floats(rng, batch, neurons)
    output_grad = floats(rng, STEPS, batch, neurons)
    beta_grad = floats(rng, batch, neurons)
    # Of a readout with rows ahead the vertex changes a row of a history.
    history = floats(rng, 1 + STEPS + (ahead or 0), batch, neurons)
    current_grad = Output((batch, neurons), "float32") if ahead is None else InOut(history)
    after = run_vertex(
        "LiStepGrad" if ahead is None else "LiStepGradAhead",
        {
            "output_grad": output_grad,
            "row": scalar(row),
            "first_step": scalar(step - row),
            "states": membrane,
            "parameters": beta[None],
            "state_grad": InOut(membrane_grad),
            "current_grad": current_grad,
            "parameter_grad": [InOut(beta_grad)] if learns else [],
        },
        {"batch": batch, "neurons": neurons, "learnt": int(learns), "gain": gain},
        workers=workers,
    )
    expected = beta.astype(np.float64) * membrane_grad
    written = after["current_grad"] if ahead is None else after["current_grad"][history_row(step)]
    if step >= 0:
        expected += output_grad[step]
        assert_close(written, gain * expected, gain * membrane_grad)
        history[history_row(step)] = written
    elif ahead is None:  # of the state before the first step: no current led to it
        assert np.isnan(written).all()
    if ahead is not None:
        np.testing.assert_array_equal(after["current_grad"], history)
    assert_close(after["state_grad"], expected, membrane_grad)
    product = membrane_grad.astype(np.float64) * membrane[history_row(step)]
    for summed in after["parameter_grad"]:
        assert_close(summed, beta_grad + product, beta_grad, product)
