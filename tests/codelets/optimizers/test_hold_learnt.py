from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from tests.codelets.cases import Output, RunVertex, floats, generators, sizes


@pytest.mark.parametrize("leak", [False, True])
@given(size=sizes, rng=generators)
def test_holds_as_clamp_does(
    run_vertex: RunVertex, leak: bool, size: int, rng: np.random.Generator
) -> None:
    learnt = rng.choice(np.array([-0.5, 0.0, 0.3, 1.0, 1.5, np.nan], np.float32), size)
    gradient = floats(rng, size)
    state = {"size": size, "leak": int(leak)}
    parameter = torch.from_numpy(learnt).requires_grad_()
    held = parameter.clamp(0, 1) if leak else parameter * 1
    held.backward(torch.from_numpy(gradient))
    after = run_vertex(
        "HoldLearnt", {"learnt": learnt, "parameter": Output((size,), "float32")}, state
    )
    np.testing.assert_array_equal(after["parameter"], held.detach().numpy())
    after = run_vertex(
        "HoldGradient",
        {"learnt": learnt, "gradient": gradient, "held": Output((size,), "float32")},
        state,
    )
    np.testing.assert_array_equal(after["held"], parameter.grad.numpy())
