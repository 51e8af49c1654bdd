from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    RunVertex,
    assert_close,
    floats,
    generators,
    masters,
    updated,
    weight_types,
)

UPDATES = 3
RATE = 0.25


@given(
    weight_type=weight_types,
    size=st.integers(1, 70),
    momentum=st.sampled_from((0.0, 0.5, 0.9)),
    dampening=st.sampled_from((0.0, 0.25)),
    nesterov=st.booleans(),
    weight_decay=st.sampled_from((0.0, 0.125)),
    rng=generators,
)
def test_follows_torch(
    run_vertex: RunVertex,
    weight_type: str,
    size: int,
    momentum: float,
    dampening: float,
    nesterov: bool,
    weight_decay: float,
    rng: np.random.Generator,
) -> None:
    nesterov = nesterov and momentum > 0  # torch has it without dampening only
    dampening = 0.0 if nesterov else dampening
    parameter, buffer = floats(rng, size), np.zeros(size, np.float32)
    reference = torch.tensor(parameter, dtype=torch.float64, requires_grad=True)
    keep = float(np.float32(momentum))
    optimizer = torch.optim.SGD(
        [reference],
        lr=RATE,
        momentum=keep,
        dampening=dampening,
        nesterov=nesterov,
        weight_decay=weight_decay,
    )
    for update in range(UPDATES):
        if momentum == 0:
            variants = [1.0, 0.0, RATE, 0.0]
        else:
            scale = 1.0 if update == 0 else 1 - dampening
            variants = [keep, scale, *((RATE, RATE * keep) if nesterov else (0.0, RATE))]
        gradient = floats(rng, size)
        after = run_vertex(
            f"SgdUpdate<{weight_type}>",
            {
                "settings": np.array([*variants, weight_decay], np.float32),
                "gradient": gradient,
                "momentum": InOut(buffer),
                **masters(weight_type, parameter),
            },
            {"size": size},
        )
        reference.grad = torch.tensor(gradient, dtype=torch.float64)
        optimizer.step()
        now = updated(after)
        assert_close(now, reference.detach().numpy(), parameter, gradient, buffer)
        parameter, buffer = now, after["momentum"]
    if momentum > 0:
        assert_close(buffer, optimizer.state[reference]["momentum_buffer"].numpy(), gradient)
    else:
        assert not buffer.any()
