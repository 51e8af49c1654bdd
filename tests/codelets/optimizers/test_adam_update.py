from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.codelets.cases import (
    InOut,
    RunVertex,
    assert_close,
    generators,
    masters,
    on_grid,
    updated,
    weight_types,
)

UPDATES = 3


@given(
    weight_type=weight_types,
    size=st.integers(1, 70),
    learning_rate=st.sampled_from((1e-3, 0.25)),
    betas=st.sampled_from(((0.9, 0.999), (0.0, 0.5))),
    epsilon=st.sampled_from((1e-8, 1e-2)),
    weight_decay=st.sampled_from((0.0, 0.125)),
    decoupled=st.booleans(),
    rng=generators,
)
def test_follows_torch(
    run_vertex: RunVertex,
    weight_type: str,
    size: int,
    learning_rate: float,
    betas: tuple[float, float],
    epsilon: float,
    weight_decay: float,
    decoupled: bool,
    rng: np.random.Generator,
) -> None:
    # What the device computes with are the settings in fp32.
    beta1, beta2 = (float(np.float32(beta)) for beta in betas)
    # Gradients that cancel against the decay leave nothing or much more than rounding: where
    # there is only rounding its sign alone would be the update's.
    parameter = on_grid(rng, size)
    moments = np.zeros((2, size), np.float32)
    gradients = []
    reference = torch.tensor(parameter, dtype=torch.float64, requires_grad=True)
    kind = torch.optim.AdamW if decoupled else torch.optim.Adam
    decay, shrink = (0.0, 1 - learning_rate * weight_decay) if decoupled else (weight_decay, 1.0)
    optimizer = kind(
        [reference], lr=learning_rate, betas=(beta1, beta2), eps=epsilon, weight_decay=weight_decay
    )
    for n in range(1, UPDATES + 1):
        step_size = learning_rate / (1 - beta1**n)
        root_correction = 1 / np.sqrt(1 - beta2**n)
        settings = [step_size, beta1, beta2, epsilon, root_correction, decay, shrink]
        gradient = on_grid(rng, size)
        gradients.append(gradient)
        after = run_vertex(
            f"AdamUpdate<{weight_type}>",
            {
                "settings": np.array(settings, np.float32),
                "gradient": gradient,
                "first_moment": InOut(moments[0]),
                "second_moment": InOut(moments[1]),
                **masters(weight_type, parameter),
            },
            {"size": size},
        )
        moments = np.stack([after["first_moment"], after["second_moment"]])
        reference.grad = torch.tensor(gradient, dtype=torch.float64)
        optimizer.step()
        scale = np.full(size, learning_rate)
        now = updated(after)
        assert_close(now, reference.detach().numpy(), parameter, scale)
        parameter = now
    # All gradients are in it, and the decay of all parameters: they may cancel.
    assert_close(moments[0], optimizer.state[reference]["exp_avg"].numpy(), *gradients, parameter)
    assert_close(moments[1], optimizer.state[reference]["exp_avg_sq"].numpy())
