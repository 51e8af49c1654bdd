"""Neurons other than LIF in networks on the cuda engine, against the torch engine in float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.test_cuda_engine import error, on_cuda
from tests.python.extensions.adjoint_neurons import Bounded
from torch import Tensor

from popsnn.cuda.recurrent.recurrent import OLDEST
from popsnn.neurons import AdaptiveLIF
from popsnn.nn import LI, SNN, SparseNeurons
from popsnn.surrogate import SuperSpike

BF16 = torch.bfloat16


def network(seed: int, reset: str, detach: bool, options: dict[str, Any]) -> SNN:
    """A recurrent layer, a feed-forward one and a readout; all that can be learnt is."""
    torch.manual_seed(seed)
    model, surrogate = AdaptiveLIF(reset, detach), SuperSpike(2.0)
    values = {"threshold": 0.6 + torch.rand(21), "kappa": torch.rand(21), "rho": torch.rand(21)}
    first = SparseNeurons(
        12, 21, model, parameters=values, learn=AdaptiveLIF.parameters, recurrent=True, delay=1,
        grad_threshold=0.2, surrogate=surrogate, **options,
    )  # fmt: skip
    second = SparseNeurons(21, 9, model, learn=("kappa",), surrogate=surrogate, **options)
    with torch.no_grad():
        first.weight.normal_(0.3, 0.6)
        second.weight.normal_(0.3, 0.9)
    return SNN(first, second, LI(9, 4), backend="torch")


def passed(net: SNN, x: Tensor) -> tuple[list[Tensor], dict[str, Tensor]]:
    """Run x in two chunks; return the lists' ids, and outputs, states and gradients by name."""
    x = x.clone().requires_grad_()
    out, state, traces = net(x[:4], return_state=True, trace=True)
    again, end, more = net(x[4:], state, return_state=True, trace=True)
    result = {"out": torch.cat([out, again])}
    generator = torch.Generator().manual_seed(0)
    for index, layer in enumerate(end.layers):
        result.update({f"v {index}": layer.v, f"a {index}": torch.stack([*layer.more, layer.s])})
    loss = sum(
        (value * torch.randn(value.shape, generator=generator).to(value)).sum()
        for value in result.values()
    )
    loss.backward()
    result.update({name: parameter.grad for name, parameter in net.named_parameters()}, x=x.grad)
    lists = [trace.spikes.ids.cpu() for trace in (*traces, *more) if trace.spikes is not None]
    return lists, result


@pytest.mark.parametrize(
    ("reset", "detach", "options", "tolerance"),
    [
        ("subtract", False, {"bias": False}, 2e-4),
        # Gradients that enter products are rounded to bfloat16, 2^-9 of each.
        ("zero", True, {"weight_dtype": BF16, "gain": 0.7}, 2e-2),
    ],
    ids=["float32", "bfloat16"],
)
def test_adaptive_neurons(
    layer_kernels: Engine,
    reset: str,
    detach: bool,
    options: dict[str, Any],
    tolerance: float,
) -> None:
    if layer_kernels.name != "host" and torch.cuda.get_device_capability() < OLDEST:
        pytest.skip("recurrent kernels need compute capability 8.0")
    result = 0
    for seed in range(5):
        reference = network(seed, reset, detach, options).double()
        net = on_cuda(reference, layer_kernels)
        x = (torch.rand(9, 7, 12) < 0.4).double()
        lists, expected = passed(reference, x)
        mine, got = passed(net, x.float().to(layer_kernels.device))
        if not all(map(torch.equal, mine, lists)):  # a membrane near a threshold
            continue
        result += 1
        for name, value in expected.items():
            assert error(got[name], value) <= tolerance, name
        assert net.stats() == reference.stats()
    assert result > 1


def test_learnt_parameters_are_clamped_to_their_bounds(layer_kernels: Engine) -> None:
    torch.manual_seed(0)
    layer = SparseNeurons(12, 9, Bounded(), learn=Bounded.parameters)
    with torch.no_grad():
        layer.weight.normal_(0.3, 0.5)
        for name, bounds in Bounded.bounds.items():
            beyond = torch.tensor(bounds).clamp(-1e3, 1e3) + torch.tensor([-1.0, 1.0])
            getattr(layer, name)[:2] = beyond
    reference = SNN(layer, LI(9, 4), backend="torch").double()
    net = on_cuda(reference, layer_kernels)
    x = (torch.rand(9, 7, 12) < 0.4).double()
    grads = []
    for each, values in ((reference, x), (net, x.float().to(layer_kernels.device))):
        out = each(values)
        out.square().sum().backward()
        grads.append([out, *(parameter.grad for parameter in each.parameters())])
    for expected, got in zip(*grads):
        assert error(got, expected) <= 2e-4
    for name in Bounded.bounds:
        assert bool((getattr(reference.stack[0], name).grad[:2] == 0).any()), name
