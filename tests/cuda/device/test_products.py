"""Products of 16 bits that are summed and returned in float32."""

from __future__ import annotations

import pytest
import torch

from popsnn.cuda.device import products

BF16, FP32 = torch.bfloat16, torch.float32


def test_products_of_older_torch_are_summed_in_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operands are converted, as those releases have no `out_dtype`."""
    monkeypatch.setattr(products, "WIDE_SUMS", False)
    grad, spikes = torch.randn(5, 3, 8).to(BF16), torch.randn(6, 3, 8).to(BF16)
    expected = torch.einsum("tbn,tbm->nm", grad.double(), spikes[1:].double())
    for got in (
        products.outer(grad, spikes[1:], FP32),
        products.outer_of_each(grad, spikes, 2, FP32)[1],
    ):
        torch.testing.assert_close(got.double(), expected, rtol=1e-6, atol=1e-6)
    rows, out = grad.flatten(0, 1), torch.zeros(8, 8)
    for _ in range(2):
        products.multiply(rows.t(), spikes[1:].flatten(0, 1), out, add=True)
    torch.testing.assert_close(out.double(), 2 * expected, rtol=1e-6, atol=1e-6)
