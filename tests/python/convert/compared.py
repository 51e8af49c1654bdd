"""Comparison of a library's model with the converted one: results, and gradients of all weights."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor, nn

from popsnn.convert.record import flat

STEPS, BATCH, NEURONS = 20, 3, 12


def currents(dtype: torch.dtype, gain: float = 1.5, size: int = NEURONS) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(STEPS, BATCH, size, generator=generator, dtype=torch.float64)
    return gain * (x + 0.3).to(dtype)


def compare(
    theirs: Callable[[Tensor], Any],
    model: nn.Module,
    ours: nn.Module,
    x: Tensor,
    error: float,
    spiking: bool = True,
) -> None:
    """Compare results of an input and the gradients of it and of all parameters.

    `theirs` calls `model`, and `ours` has the same parameters.
    """
    generator = torch.Generator().manual_seed(1)
    results = []
    for call in (theirs, ours):
        leaf = x.clone().requires_grad_()
        out = [each for each in flat(call(leaf)) if isinstance(each, Tensor)]
        generator.manual_seed(1)
        loss: Any = sum(
            (each * torch.randn(each.shape, generator=generator, dtype=x.dtype)).sum()
            for each in out
        )
        weights = [each for each in model.parameters() if each.requires_grad]
        grads = torch.autograd.grad(loss, [leaf, *weights], allow_unused=True)
        results.append((out, grads))
    (expected, expected_grads), (got, got_grads) = results
    assert len(got) == len(expected)
    assert {id(each) for each in ours.parameters()} <= {id(each) for each in model.parameters()}
    for one, other in zip(got, expected):
        assert one.shape == other.shape
        if torch.equal(other, other.round()):
            assert torch.equal(one, other.to(one.dtype))
            assert not spiking or 0.005 < float(other.detach().mean()) <= 1
        else:
            torch.testing.assert_close(one, other.to(one.dtype), rtol=error, atol=error)
    for one, other in zip(got_grads, expected_grads):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert float((one - other).norm()) <= error * max(float(other.norm()), 1e-3)
