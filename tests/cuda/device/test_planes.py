from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.test_cuda_engine import HIDDEN, compare

from popsnn import SpikeTensor
from popsnn.cuda.device import planes, products
from popsnn.cuda.device.products import weight_gradient
from popsnn.nn import SNN, SparseLI, SparseLIF


def test_three_planes_are_the_number(kernels: Engine) -> None:
    scale = torch.tensor(2.0).pow(torch.randint(-60, 60, (7, 5, 8)))
    x = (torch.randn(7, 5, 8) * scale).to(kernels.device)
    terms = planes.split_planes(x)
    assert terms.shape == (3, 7, 5, 8)
    assert terms.dtype == torch.bfloat16
    assert torch.equal(terms.double().sum(0), x.double())
    assert planes.split_planes(x[:0]).shape == (3, 0, 5, 8)
    assert torch.equal(planes.split_planes(x, 2), terms[:2])
    view = torch.randn(33, device=kernels.device)[1:]  # a parameter of a flat buffer
    assert torch.equal(planes.split_planes(view).double().sum(0), view.double())
    turned = x.transpose(0, 1)
    assert torch.equal(planes.split_planes(turned).double().sum(0), turned.double())


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("carried", [False, True])
def test_a_gradient_in_planes_is_that_of_float32(
    layer_kernels: Engine, delay: int, carried: bool
) -> None:
    """Also of one step, and of spikes before the first that are no 0 or 1."""
    for steps in (1, 4):
        grad, x = torch.randn(steps, 3, 16), (torch.rand(steps, 3, 24) < 0.3).float()
        before = torch.rand(3, 24) if carried and delay else None
        expected = torch.einsum("tbn,tbm->nm", grad[delay:].double(), x[: steps - delay].double())
        if before is not None:
            expected += grad[0].double().t() @ before.double()
        device = layer_kernels.device
        of = None if before is None else before.to(device)
        got = weight_gradient(grad.to(device), x.to(device, torch.bfloat16), of, delay, 13, 21)
        assert got.dtype == torch.float32
        torch.testing.assert_close(got.cpu().double(), expected[:13, :21], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("weight_dtype", [None, torch.float16])
@pytest.mark.parametrize("delay", [0, 1])
def test_networks_whose_products_are_in_terms(
    layer_kernels: Engine,
    monkeypatch: pytest.MonkeyPatch,
    delay: int,
    weight_dtype: torch.dtype | None,
) -> None:
    monkeypatch.setattr(products, "FEWEST_MULTIPLICATIONS", 0)
    monkeypatch.setattr(products, "FEWEST_NEURONS", 0)
    hidden = {**HIDDEN, "delay": delay, "weight_dtype": weight_dtype}
    spec = {
        "sizes": [11, 23, 16, 5], "layers": [{**hidden, "recurrent": True}, hidden, {}],
        "steps": 7, "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3,
        "hidden": True,
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, layer_kernels) for seed in range(9))
    assert layer_kernels.name == "cuda" or "split_planes" in layer_kernels.launched


@pytest.mark.parametrize("weight_dtype", [None, torch.float16])
def test_lists_in_terms_are_rows_in_float32(
    layer_kernels: Engine, monkeypatch: pytest.MonkeyPatch, weight_dtype: torch.dtype | None
) -> None:
    torch.manual_seed(2)
    layer = SparseLIF(40, 24, grad_threshold=0.3, gain=4.0, weight_dtype=weight_dtype)
    net = SNN(layer, SparseLI(24, 5), backend="cuda").to(layer_kernels.device)
    dense = (torch.rand(6, 3, 40) < 0.3).float().to(layer_kernels.device)
    x = SpikeTensor.from_dense(dense, capacity=30)
    results = []
    monkeypatch.setattr(products, "FEWEST_NEURONS", 0)
    for fewest in (1 << 60, 0):
        monkeypatch.setattr(products, "FEWEST_MULTIPLICATIONS", fewest)
        net.zero_grad()
        layer_kernels.launched.clear()
        out = net(x)
        out.square().sum().backward()
        results.append((out.detach(), *(parameter.grad for parameter in net.parameters())))
        if layer_kernels.name == "host":
            # Of two weights and two gradients, and of both for the gradient between the layers.
            assert layer_kernels.launched.count("split_planes") == (6 if fewest == 0 else 0)
    for mine, expected in zip(*results):
        torch.testing.assert_close(mine, expected, rtol=1e-5, atol=1e-5)


def test_the_launcher_has_the_numbers_of_the_header() -> None:
    numbers = constants(header("device/planes"))
    assert numbers["kPlanesThreads"] == planes.THREADS
    assert numbers["kPlanesOfFloat"] == planes.PLANES


def test_compiles() -> None:
    assert most_spilt(planes.source(), "sm_80") == 0
