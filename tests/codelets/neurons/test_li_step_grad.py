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
)

STEPS = 3


@given(
    batch=batches,
    neurons=sizes,
    step=st.integers(-1, STEPS - 1),
    row=st.integers(-1, STEPS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    learns=st.booleans(),
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
    rng: np.random.Generator,
) -> None:
    beta = rng.random(neurons).astype(np.float32)
    membrane = floats(rng, 1 + STEPS, batch, neurons)
    membrane_grad = floats(rng, batch, neurons)
    output_grad = floats(rng, STEPS, batch, neurons)
    beta_grad = floats(rng, batch, neurons)
    after = run_vertex(
        "LiStepGrad",
        {
            "output_grad": output_grad,
            "row": scalar(row),
            "first_step": scalar(step - row),
            "states": membrane,
            "parameters": beta[None],
            "state_grad": InOut(membrane_grad),
            "current_grad": Output((batch, neurons), "float32"),
            "parameter_grad": [InOut(beta_grad)] if learns else [],
        },
        {"batch": batch, "neurons": neurons, "learnt": int(learns), "gain": gain},
    )
    expected = beta.astype(np.float64) * membrane_grad
    if step >= 0:
        expected += output_grad[step]
        assert_close(after["current_grad"], gain * expected, gain * membrane_grad)
    else:  # of the state before the first step: no current led to it
        assert np.isnan(after["current_grad"]).all()
    assert_close(after["state_grad"], expected, membrane_grad)
    product = membrane_grad.astype(np.float64) * membrane[history_row(step)]
    for summed in after["parameter_grad"]:
        assert_close(summed, beta_grad + product, beta_grad, product)
