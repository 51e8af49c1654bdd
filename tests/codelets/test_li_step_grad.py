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
    scalar,
    sizes,
)

STEPS = 3


@given(
    batch=batches,
    neurons=sizes,
    step=st.integers(0, STEPS - 1),
    gain=st.sampled_from((1.0, 0.25)),
    rng=generators,
)
def test_step_back(
    run_vertex: RunVertex,
    batch: int,
    neurons: int,
    step: int,
    gain: float,
    rng: np.random.Generator,
) -> None:
    beta = rng.random(neurons).astype(np.float32)
    membrane_grad = floats(rng, batch, neurons)
    output_grad = floats(rng, STEPS, batch, neurons)
    after = run_vertex(
        "LiStepGrad",
        {
            "output_grad": output_grad,
            "step": scalar(step),
            "beta": beta,
            "membrane_grad": InOut(membrane_grad),
            "current_grad": Output((batch, neurons), "float32"),
        },
        {"batch": batch, "neurons": neurons, "gain": gain},
    )
    expected = output_grad[step] + beta.astype(np.float64) * membrane_grad
    assert_close(after["membrane_grad"], expected, membrane_grad)
    assert_close(after["current_grad"], gain * expected, gain * membrane_grad)
