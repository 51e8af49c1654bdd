"""The float64 gradients that the rows of delays are compared with."""

from __future__ import annotations

import pytest
import torch
from bench.delays import BETA, GATE, SHAPE, recurrent_error

from popsnn import functional
from popsnn.functional import DelaySteps


@pytest.mark.parametrize("kind", ["none", "axonal", "dendritic", "synaptic"])
def test_errors_are_those_of_the_gradients(kind: str) -> None:
    torch.manual_seed(0)
    x = torch.randn(9, 2, 6, dtype=torch.float64).requires_grad_()
    weight = torch.randn(6, 6, dtype=torch.float64).requires_grad_()
    grad, delay = torch.randn(9, 2, 6, dtype=torch.float64), None
    if kind != "none":
        steps = torch.randint(4, (6, 6) if kind == "synaptic" else (6,)).double()
        delay = DelaySteps(kind, steps, 3)
    out = functional.recurrent_lif(
        x, weight, beta=BETA, delay=delay, surrogate=SHAPE, grad_threshold=GATE, backend="torch"
    )
    got = torch.autograd.grad(out.spikes, (x, weight), grad)
    assert out.spikes.any()
    assert recurrent_error(x, weight, grad, delay, out.spikes, *got) < 1e-12
    assert recurrent_error(x, weight, grad, delay, out.spikes, got[0], 1.1 * got[1]) > 0.09
