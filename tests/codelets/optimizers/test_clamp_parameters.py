from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from tests.codelets.cases import Output, RunVertex, floats, generators, sizes


@pytest.mark.parametrize("decay", [False, True])
@given(size=sizes, rng=generators)
def test_clamps_as_torch_does(
    run_vertex: RunVertex, decay: bool, size: int, rng: np.random.Generator
) -> None:
    learnt = rng.choice(np.array([-0.5, 0.0, 0.3, 1.0, 1.5, np.nan], np.float32), size)
    gradient = floats(rng, size)
    state = {"size": size, "decay": int(decay)}
    parameter = torch.from_numpy(learnt).requires_grad_()
    clamped = parameter.clamp(0, 1) if decay else parameter * 1
    clamped.backward(torch.from_numpy(gradient))
    after = run_vertex(
        "ClampParameters", {"learnt": learnt, "parameter": Output((size,), "float32")}, state
    )
    np.testing.assert_array_equal(after["parameter"], clamped.detach().numpy())
    after = run_vertex(
        "ClampGradients",
        {"learnt": learnt, "gradient": gradient, "clamped": Output((size,), "float32")},
        state,
    )
    np.testing.assert_array_equal(after["clamped"], parameter.grad.numpy())
