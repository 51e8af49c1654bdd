"""Parameters that are not finite, about which engines disagree."""

from __future__ import annotations

import re
from typing import Callable

import pytest
import torch
from torch import Tensor

from popsnn import SpikeTensor, nn


def network(engine: str, **options: object) -> nn.SNN:
    hidden = nn.SparseLIF(6, 8, recurrent=True, learn_beta=True, learn_threshold=True)
    late = nn.SparseLIF(8, 7, beta=torch.full((7,), 0.5))
    return nn.SNN(hidden, late, nn.LI(7, 3), backend=engine, **options)


@pytest.fixture(params=["dense", "compacted"])
def give(request: pytest.FixtureRequest) -> Callable[[Tensor], Tensor | SpikeTensor]:
    return SpikeTensor.from_dense if request.param == "compacted" else lambda x: x


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), float("nan")])
@pytest.mark.parametrize(
    ("layer", "name"),
    [
        (0, "weight"),
        (0, "recurrent_weight"),
        (0, "bias"),
        (0, "beta"),
        (0, "threshold"),
        (1, "beta"),
        (2, "weight"),
    ],
)
def test_a_parameter_that_is_not_finite_is_refused(
    engine: str,
    give: Callable[[Tensor], Tensor | SpikeTensor],
    layer: int,
    name: str,
    value: float,
) -> None:
    net = network(engine)
    with torch.no_grad():
        getattr(net.layers[layer], name).view(-1)[1] = value
    sentence = f"SNN: layer {layer}: {name}: expected finite values, got {value:g}"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(give(torch.zeros(2, 3, 6)))  # whose spikes no weight is read for


@pytest.mark.parametrize("name", ["weight", "recurrent_weight"])
def test_weights_that_are_not_finite_once_they_are_rounded(engine: str, name: str) -> None:
    hidden = nn.SparseLIF(6, 8, recurrent=True, weight_dtype=torch.float16)
    net = nn.SNN(hidden, nn.LI(8, 3), backend=engine)
    with torch.no_grad():
        getattr(hidden, name)[0, 0] = -65519.0
        net(torch.zeros(2, 3, 6))
        getattr(hidden, name)[0, 0] = -65520.0
    sentence = f"SNN: layer 0: {name}: expected finite values of torch.float16, got -inf"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        net(torch.zeros(2, 3, 6))


def test_large_values_are_finite(engine: str) -> None:
    net = network(engine)
    with torch.no_grad():
        net.layers[0].weight.fill_(3e38)
    assert net(torch.zeros(2, 3, 6)).shape == (2, 3, 3)


def test_unchecked_networks_run(engine: str) -> None:
    net = network(engine, check_input=False)
    with torch.no_grad():
        net.layers[0].weight[0, 0] = float("nan")
    _, traces = net(torch.ones(2, 3, 6), trace=True)
    assert bool(traces[0].membrane[..., 0].isnan().all())
    assert bool(traces[0].membrane[..., 1:].isfinite().all())
