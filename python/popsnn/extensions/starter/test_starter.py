"""Starter's codelet against its step in torch, which autograd differentiates, in float64."""

from __future__ import annotations

import copy

import pytest
import torch
from starter import Starter

import popsnn
from popsnn.nn import SNN, SparseLI, SparseNeurons

IPU = popsnn.backends()["ipu"]


def run(net: SNN, x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return all that a forward and a backward pass leave."""
    x = x.clone().requires_grad_()
    out, traces = net(x, trace=True)
    out.square().mean().backward()
    gradients = {name: parameter.grad for name, parameter in net.named_parameters()}
    membrane = {"membrane": traces[0].membrane, "spikes": traces[0].spikes.to_dense()}
    return {"out": out, **membrane, "x": x.grad, **gradients}


@pytest.mark.skipif(not IPU.available, reason=str(IPU.reason))
@pytest.mark.parametrize("detach_reset", [True, False])
@pytest.mark.parametrize("reset", ["zero", "subtract", "none"])
def test_codelet_is_the_reference(reset: str, detach_reset: bool) -> None:
    """Compare outputs and the gradients of inputs, weights and every parameter."""
    torch.manual_seed(0)
    neurons = SparseNeurons(
        12,
        20,
        Starter(reset, detach_reset),
        recurrent=True,
        learn=Starter.parameters,
        grad_threshold=0.3,
        max_activity=0.5,
    )
    net = SNN(neurons, SparseLI(20, 4), backend="ipu")
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    x = (torch.rand(10, 6, 12) < 0.3).float()
    got, expected = run(net, x), run(reference, x.double())
    peak = float(expected["membrane"].detach().max())
    fired = bool(expected["spikes"].detach().any())
    assert fired, f"no neuron fired, membranes reach {peak:g}: give SparseNeurons a larger gain"
    for name, value in expected.items():
        torch.testing.assert_close(
            got[name].double(),
            value,
            rtol=1e-4,
            atol=1e-5,  # for states near 1: larger states have larger rounding errors
            msg=lambda text, name=name: f"{name}: {text}",
        )
