"""Starter on every engine of this machine against its step in torch, in float64."""

from __future__ import annotations

import pytest
import torch
from starter import Starter

import popsnn
from popsnn import functional
from popsnn.nn import SNN, SparseLI, SparseNeurons

ENGINES = popsnn.backends()


def close(got: torch.Tensor, expected: torch.Tensor, name: str) -> None:
    """Compare what float32 gave with float64."""
    torch.testing.assert_close(
        got.detach().double().cpu(),
        expected.detach().double(),
        rtol=1e-4,
        atol=1e-5,  # for states near 1: larger states have larger rounding errors
        msg=lambda text: f"{name}: {text}",
    )


@pytest.mark.parametrize("detach_reset", [True, False])
@pytest.mark.parametrize("reset", ["zero", "subtract", "none"])
def test_kernels_can_be_made_of_the_step(reset: str, detach_reset: bool) -> None:
    """Translate the step, and run it on a GPU where there is one."""
    neuron = Starter(reset, detach_reset)
    assert neuron.cuda_source
    results = []
    runs = [("torch", "cpu", torch.float64)]
    if ENGINES["cuda"].available:
        runs.append(("cuda", "cuda", torch.float32))
    for backend, device, dtype in runs:
        generator = torch.Generator().manual_seed(0)
        x = torch.rand(8, 4, 20, generator=generator).to(device, dtype).requires_grad_()
        values = dict(zip(neuron.parameters, neuron.defaults))
        out = functional.scan("test", neuron, x, None, values, backend=backend)
        out.spikes.square().sum().backward()
        results.append({"spikes": out.spikes, "membrane": out.membrane, "x": x.grad})
    assert bool(results[0]["spikes"].detach().any()), "no neuron fired: give them more current"
    for name, value in results[-1].items():
        close(value, results[0][name], name)


@pytest.mark.skipif(not ENGINES["ipu"].available, reason=str(ENGINES["ipu"].reason))
@pytest.mark.parametrize("reset", ["zero", "subtract", "none"])
def test_ipu(reset: str) -> None:
    """Compare outputs and the gradients of inputs, weights and every parameter."""
    results = []
    for backend, dtype in (("torch", torch.float64), ("ipu", torch.float32)):
        torch.manual_seed(0)
        neurons = SparseNeurons(
            12,
            20,
            Starter(reset),
            recurrent=True,
            learn=Starter.parameters,
            grad_threshold=0.3,
            max_activity=0.5,
        )
        net = SNN(neurons, SparseLI(20, 4), backend=backend).to(dtype)
        x = (torch.rand(10, 6, 12) < 0.3).to(dtype).requires_grad_()
        out, traces = net(x, trace=True)
        out.square().mean().backward()
        gradients = {name: parameter.grad for name, parameter in net.named_parameters()}
        results.append({"out": out, "membrane": traces[0].membrane, "x": x.grad, **gradients})
    for name, value in results[1].items():
        close(value, results[0][name], name)
