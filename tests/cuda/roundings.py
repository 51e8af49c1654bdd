"""Distances that gradients move where some gradients of the reference are rounded.

The gradient of a parameter is a sum over steps and samples. Where its terms cancel, the sum is far
smaller than they are, and rounding them changes it by more than its own last bits.
"""

from __future__ import annotations

from typing import Callable
from unittest import mock

import torch

from popsnn.functional import sparse

Gradients = dict[str, torch.Tensor]

SAMPLES = 8  # perturbations that are drawn


def moved_by_float16(gradients: Callable[[], Gradients], exact: Gradients) -> dict[str, float]:
    """Return by how much each gradient moves at most, of several perturbations.

    Each changes all gradients of the products of recurrent weights by 2^-11 of themselves, which is
    float16's largest rounding, up or down.
    """
    generator = torch.Generator().manual_seed(0)

    def perturbed(grad: torch.Tensor) -> torch.Tensor:
        signs = torch.randint(0, 2, grad.shape, generator=generator).to(grad) * 2 - 1
        return grad * (1 + 2**-11 * signs)

    class Perturbed(sparse.RecurrentProduct):
        def __call__(self, spikes: torch.Tensor) -> torch.Tensor:
            product = super().__call__(spikes)
            if product.requires_grad:
                product.register_hook(perturbed)
            return product

    moved = dict.fromkeys(exact, 0.0)
    with mock.patch.object(sparse, "RecurrentProduct", Perturbed):
        for _ in range(SAMPLES):
            for name, grad in gradients().items():
                moved[name] = max(moved[name], float((grad - exact[name]).abs().max()))
    return moved
