from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import InOut, RunVertex, assert_close, floats, generators

UPDATES = 3


@given(
    size=st.integers(1, 70),
    momentum=st.sampled_from((0.0, 0.5, 0.9)),
    weight_decay=st.sampled_from((0.0, 0.125)),
    rng=generators,
)
def test_follows_torch(
    run_vertex: RunVertex,
    size: int,
    momentum: float,
    weight_decay: float,
    rng: np.random.Generator,
) -> None:
    settings = np.array([0.25, momentum, weight_decay], np.float32)
    parameter, buffer = floats(rng, size), np.zeros(size, np.float32)
    reference = torch.tensor(parameter, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD(
        [reference], lr=0.25, momentum=float(settings[1]), weight_decay=weight_decay
    )
    for _ in range(UPDATES):
        gradient = floats(rng, size)
        after = run_vertex(
            "SgdUpdate",
            {
                "settings": settings,
                "gradient": gradient,
                "momentum": InOut(buffer),
                "parameter": InOut(parameter),
            },
            {"size": size},
        )
        reference.grad = torch.tensor(gradient, dtype=torch.float64)
        optimizer.step()
        assert_close(after["parameter"], reference.detach().numpy(), parameter, gradient, buffer)
        parameter, buffer = after["parameter"], after["momentum"]
    if momentum > 0:
        assert_close(buffer, optimizer.state[reference]["momentum_buffer"].numpy(), gradient)
