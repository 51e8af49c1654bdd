"""Gradients of a weight and of its inputs' delays, against their definition in float64."""

from __future__ import annotations

import pytest
import torch
from tests.cuda import host_kernels
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt

from popsnn.cuda.device import products, properties
from popsnn.cuda.layer.delay_gradient import (
    IN_CLUSTERS,
    SINGLE,
    THREADS,
    Division,
    source,
    weight_and_delay_gradient,
)

BF16 = torch.bfloat16


@pytest.mark.parametrize(
    ("steps", "batch", "neurons", "inputs"),
    [(5, 3, 13, 6), (0, 3, 13, 6), (4, 1, 1, 1), (9, 2, 1400, 41), (2, 2, 64, 300)],
)
@pytest.mark.parametrize("clusters", [True, False])
def test_delays_learn_with_the_weight(
    kernels: Engine,
    monkeypatch: pytest.MonkeyPatch,
    clusters: bool,
    steps: int,
    batch: int,
    neurons: int,
    inputs: int,
) -> None:
    """As if the gradient of the delayed rows were multiplied with their derivatives."""
    if kernels.name == "host":
        monkeypatch.setattr(products, "multiply_each", host_kernels.multiply_each)
    if clusters and not properties.has_copy_engine(kernels.device):
        pytest.skip("the GPU has no clusters")
    monkeypatch.setattr(properties, "has_copy_engine", lambda _: clusters)
    torch.manual_seed(0)
    rows, columns = (-(-size // 8) * 8 for size in (neurons, inputs))
    grad = torch.randn(steps, batch, rows).to(kernels.device, BF16)
    weight = torch.randn(rows, columns).to(kernels.device, BF16)
    both = torch.randn(2, steps, batch, columns).to(kernels.device, BF16)
    runs = [weight_and_delay_gradient(grad, both, weight, neurons, inputs) for _ in range(2)]
    assert all(torch.equal(*pair) for pair in zip(*runs))
    delayed, slopes = both.double().cpu()
    wide = grad.double().cpu()
    of_weight = torch.einsum("tbn,tbm->nm", wide, delayed)[:neurons, :inputs]
    of_delays = (wide @ weight.double().cpu() * slopes).sum((0, 1))[:inputs]
    for got, expected in zip(runs[0], (of_weight, of_delays)):
        largest = max(1.0, float(expected.abs().max()))
        torch.testing.assert_close(got.double().cpu(), expected, rtol=1e-5, atol=1e-5 * largest)


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    assert constants(header("layer/delay_gradient"))["kDelayGradientThreads"] == THREADS


@pytest.mark.parametrize(
    ("architecture", "division"), [("sm_80", SINGLE), ("sm_90", SINGLE), ("sm_90a", IN_CLUSTERS)]
)
def test_compiles(architecture: str, division: Division) -> None:
    assert most_spilt(source(BF16, division), architecture) == 0
