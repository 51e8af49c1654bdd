from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.test_cuda_engine import GRADIENT_TOLERANCE, HIDDEN, compare

from popsnn.cuda.device.products import weight_gradient
from popsnn.cuda.layer import planes
from popsnn.cuda.layer import weight as layer_weight


def test_three_planes_are_the_number(kernels: Engine) -> None:
    scale = torch.tensor(2.0).pow(torch.randint(-60, 60, (7, 5, 8)))
    x = (torch.randn(7, 5, 8) * scale).to(kernels.device)
    terms = planes.split_planes(x)
    assert terms.shape == (3, 7, 5, 8)
    assert terms.dtype == torch.bfloat16
    assert torch.equal(terms.double().sum(0), x.double())
    assert planes.split_planes(x[:0]).shape == (3, 0, 5, 8)


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("carried", [False, True])
def test_a_gradient_in_planes_is_that_of_float32(
    layer_kernels: Engine, delay: int, carried: bool
) -> None:
    """Also of one step, and of spikes before the first that are no 0 or 1."""
    for steps in (1, 4):
        grad = torch.randn(steps, 3, 16, device=layer_kernels.device)
        x = (torch.rand(steps, 3, 24, device=layer_kernels.device) < 0.3).float()
        before = torch.rand(3, 24, device=layer_kernels.device) if carried and delay else None
        got = weight_gradient(grad, x.bfloat16(), before, delay, 13, 21)
        expected = weight_gradient(grad.double(), x.double(), None, delay, 13, 21)
        if before is not None:
            expected = expected + (grad[0].double().t() @ before.double())[:13, :21]
        assert got.dtype == torch.float32
        torch.testing.assert_close(got.double(), expected.double(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("delay", [0, 1])
def test_networks_whose_gradients_are_in_planes(
    layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch, delay: int
) -> None:
    monkeypatch.setattr(layer_weight, "FEWEST_MULTIPLICATIONS", 0)
    hidden = {**HIDDEN, "delay": delay}
    spec = {
        "sizes": [11, 23, 16, 5], "layers": [{**hidden, "recurrent": True}, hidden, {}],
        "steps": 7, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, layer_kernels, GRADIENT_TOLERANCE) for seed in range(9))
    assert layer_kernels.name == "cuda" or "split_planes" in layer_kernels.launched


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    numbers = constants(header("layer/planes"))
    assert numbers["kPlanesThreads"] == planes.THREADS
    assert numbers["kPlanesOfFloat"] == planes.PLANES


def test_compiles() -> None:
    assert most_spilt(planes.source(), "sm_80") == 0
