from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
import pytest
import torch
from hypothesis import given
from tests.codelets.cases import Output, RunVertex, floats, generators, sizes


@pytest.mark.parametrize(
    "bounds", [(None, None), (0.0, 1.0), (-0.3, 0.7), (0.1, None), (None, 0.3)], ids=str
)
@given(size=sizes, rng=generators)
def test_clamps_as_torch_does(
    run_vertex: RunVertex,
    bounds: Tuple[Optional[float], Optional[float]],
    size: int,
    rng: np.random.Generator,
) -> None:
    values = [-0.5, -0.3, 0.0, 0.1, 0.3, 0.7, 1.0, 1.5, np.nan]
    learnt = rng.choice(np.array(values, np.float32), size)
    gradient = floats(rng, size)
    lowest, highest = bounds
    bounded = lowest is not None or highest is not None
    state = {
        "size": size,
        "lowest": -np.inf if lowest is None else lowest,
        "highest": np.inf if highest is None else highest,
    }
    parameter = torch.from_numpy(learnt).requires_grad_()
    clamped = parameter.clamp(lowest, highest) if bounded else parameter * 1
    clamped.backward(torch.from_numpy(gradient))
    after = run_vertex(
        "ClampParameters", {"learnt": learnt, "parameter": Output((size,), "float32")}, state
    )
    np.testing.assert_array_equal(after["parameter"], clamped.detach().numpy())
    after = run_vertex(
        "ClampGradients",
        {"learnt": learnt, "gradient": gradient, "clamped": Output((size,), "float32")},
        {**state, "bounded": int(bounded)},
    )
    np.testing.assert_array_equal(after["clamped"], parameter.grad.numpy())
