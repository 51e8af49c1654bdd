"""Networks whose products may have the bits of TF32: `SNN(precision="tf32")`."""

from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.test_cuda_engine import HIDDEN, ROUNDED_TOLERANCE, compare, error
from torch import Tensor

from popsnn.cuda.device import planes, products
from popsnn.nn import SNN, Delays, SNNState, SparseLI, SparseLIF


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The terms of each number that is split, of small products too."""
    monkeypatch.setattr(products, "FEWEST_MULTIPLICATIONS", 0)
    monkeypatch.setattr(products, "FEWEST_NEURONS", 0)
    counts: list[int] = []
    split_planes = planes.split_planes

    def noted(x: Tensor, count: int = planes.PLANES) -> Tensor:
        counts.append(count)
        return split_planes(x, count)

    monkeypatch.setattr(planes, "split_planes", noted)
    return counts


@pytest.mark.parametrize("gain", [1.0, 2.0])
@pytest.mark.parametrize("max_activity", [None, 0.4])
def test_products_of_tf32(
    recurrent_layer_kernels: Engine,
    split: list[int],
    gain: float,
    max_activity: float | None,
) -> None:
    """Of weights that have few bits themselves: what is rounded is gradients alone."""
    engine = recurrent_layer_kernels
    hidden = {**HIDDEN, "recurrent": True, "gain": gain, "max_activity": max_activity}
    spec = {
        "sizes": [11, 23, 17, 5], "layers": [hidden, {**HIDDEN, "delay": 1}, {}], "steps": 7,
        "batch": 3, "density": 0.5, "device": "host", "state": True, "split": 3, "hidden": True,
        "precision": "tf32",
    }  # fmt: skip
    assert any(compare({**spec, "seed": seed}, engine, ROUNDED_TOLERANCE) for seed in range(9))
    capable = products.capability(engine.device) in products.TENSOR_CORES
    assert set(split) == ({2} if capable else set())


def test_tf32_takes_weights_with_fewer_bits(
    recurrent_layer_kernels: Engine, split: list[int]
) -> None:
    """Outputs differ from those of float32 by less than TF32 rounds, but differ."""
    torch.manual_seed(1)
    device = recurrent_layer_kernels.device
    layers = SparseLIF(16, 24, threshold=1e6, recurrent=True), SparseLI(24, 8)
    net = SNN(*layers, backend="cuda").to(device)
    x = (torch.rand(7, 3, 16) < 0.5).float().to(device)
    state = net.initial_state(3)
    first = state.layers[0]._replace(s=torch.ones(3, 24, device=device))  # no neuron fires later
    state = SNNState((first, *state.layers[1:]), 0)
    membranes = []
    for precision in ("float32", "tf32"):
        net.precision = precision
        membranes.append(net(x, state, trace=True)[1][0].membrane.detach())
    difference = error(membranes[1], membranes[0].cpu())
    assert 1e-6 < difference < 2**-10


def test_precision_is_of_layers_without_a_type_of_their_own(
    layer_kernels: Engine, split: list[int]
) -> None:
    """Gradients of layers of float16 have three terms as before; those of delays two, too."""
    if products.capability(layer_kernels.device) not in products.TENSOR_CORES:
        pytest.skip("products of terms: this GPU takes the CUDA cores")
    x = (torch.rand(4, 3, 16) < 0.5).float().to(layer_kernels.device).requires_grad_()
    late = Delays("synaptic", 2, learn=True)
    for options, of_gradients in (({"weight_dtype": torch.float16}, 3), ({"delay": late}, 2)):
        net = SNN(SparseLIF(16, 24, **options), backend="cuda", precision="tf32")
        split.clear()
        out = net.to(layer_kernels.device)(x, trace=True)[1][0].membrane
        forward = len(split)
        out.sum().backward()
        assert set(split[forward:]) == {of_gradients}


def test_a_weight_beyond_float16_is_refused_in_tf32(layer_kernels: Engine) -> None:
    torch.manual_seed(1)
    net = SNN(SparseLIF(16, 24, recurrent=True), SparseLI(24, 8), precision="tf32")
    first = net.layers[0]
    assert isinstance(first, SparseLIF)
    assert first.recurrent_weight is not None
    with torch.no_grad():
        first.weight[0, 0] = 1e6
        first.recurrent_weight[2, 3] = 1e6
    x = torch.zeros(2, 3, 16)
    net(x)  # the torch engine
    net = net.to(layer_kernels.device)
    net.backend = "cuda"
    sentence = "SNN: layer 0: recurrent_weight: expected finite values of torch.float16, got inf"
    x = x.to(layer_kernels.device)
    for gain, weight, refused in ((1.0, 1e6, True), (4.0, 4e4, True), (0.25, 1e5, False)):
        first.gain = gain
        with torch.no_grad():
            first.recurrent_weight[2, 3] = weight
        if not refused:
            net(x)
            continue
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            net(x)
        net.precision = "float32"
        net(x)
        net.precision = "tf32"
