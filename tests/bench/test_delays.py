"""The float64 gradients that the rows of delays are compared with."""

from __future__ import annotations

import pytest
import torch
from bench.delays import BETA, GATE, SHAPE, recurrent_error

from popsnn import functional
from popsnn.functional import DelaySteps


@pytest.mark.parametrize(
    ("kind", "spread"),
    [
        ("none", "none"),
        ("axonal", "none"),
        ("axonal", "straight_through"),
        ("dendritic", "none"),
        ("dendritic", "straight_through"),
        ("synaptic", "none"),
    ],
)
def test_errors_are_those_of_the_gradients(kind: str, spread: str) -> None:
    torch.manual_seed(0)
    x = torch.randn(9, 2, 6, dtype=torch.float64).requires_grad_()
    weight = torch.randn(6, 6, dtype=torch.float64).requires_grad_()
    grad, delay = torch.randn(9, 2, 6, dtype=torch.float64), None
    if kind != "none":
        steps = torch.randint(4, (6, 6) if kind == "synaptic" else (6,)).double()
        delay = DelaySteps(kind, steps.requires_grad_(spread != "none"), 3, spread=spread)
    out = functional.recurrent_lif(
        x, weight, beta=BETA, delay=delay, surrogate=SHAPE, grad_threshold=GATE, backend="torch"
    )
    leaves = [x, weight]
    if delay is not None and spread != "none":
        leaves.append(delay.steps)
    got = torch.autograd.grad(out.spikes, leaves, grad)
    assert out.spikes.any()
    assert recurrent_error(x, weight, grad, delay, out.spikes, *got) < 1e-12
    for wrong in range(len(got)):
        scaled = [1.1 * g if index == wrong else g for index, g in enumerate(got)]
        assert recurrent_error(x, weight, grad, delay, out.spikes, *scaled) > 0.09
