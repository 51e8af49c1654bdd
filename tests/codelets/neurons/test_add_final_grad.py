from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    RunVertex,
    assert_close,
    batches,
    floats,
    generators,
    sizes,
)


@given(
    batch=batches,
    states=st.integers(1, 3),
    neurons=sizes,
    gain=st.sampled_from((1.0, 0.25)),
    rng=generators,
)
def test_joins_the_gradient_of_the_states(
    run_vertex: RunVertex,
    batch: int,
    states: int,
    neurons: int,
    gain: float,
    rng: np.random.Generator,
) -> None:
    final_grad, state_grad = (floats(rng, batch, states, neurons) for _ in range(2))
    after = run_vertex(
        "AddFinalGrad",
        {
            "final_grad": final_grad,
            "state_grad": InOut(state_grad),
            "current_grad": InOut(floats(rng, batch, neurons)),
        },
        {"batch": batch, "states": states, "neurons": neurons, "gain": gain},
    )
    expected = final_grad.astype(np.float64) + state_grad
    assert_close(after["state_grad"], expected, final_grad)
    assert_close(after["current_grad"], gain * expected[:, 0], gain * final_grad)
