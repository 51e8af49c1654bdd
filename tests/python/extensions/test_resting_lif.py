"""A model whose parameter moves a neuron at rest: its gradient begins before the first input."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor

import popsnn
from popsnn import optim
from popsnn.functional.neuron import Fire, Parameters, States
from popsnn.nn import LI, SNN, NeuronCycles, NeuronModel, SparseNeurons

pytestmark = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


with pytest.warns(DeprecationWarning, match="^RestingLIF: expected a subclass of popsnn.Neuron"):

    class RestingLIF(NeuronModel):
        states = ("v", "s")
        parameters = ("beta", "rest", "threshold")
        defaults = (0.9, 0.3, 1.0)
        decays = ("beta",)
        codelet = "resting_lif.hpp"
        struct = "RestingLif"
        cycles = NeuronCycles(step=6, fires=1, near=1, grad=19)

        def step(self, x: Tensor, state: States, parameters: Parameters, fire: Fire) -> States:
            v, s = state
            beta, rest, threshold = parameters
            v = rest + beta * (self.after_reset(v, s, threshold) - rest) + x
            return v, fire(v, threshold)


@pytest.mark.parametrize(
    "device", ["host", "host:checkpoint_interval=2", "host:replicas=2", "ipu2:tiles=5,ipus=2"]
)
@pytest.mark.parametrize("steps", [1, 5])
def test_gradient_of_the_first_step_counts(steps: int, device: str) -> None:
    torch.manual_seed(1)
    hidden = SparseNeurons(12, 20, RestingLIF(), learn=RestingLIF.parameters, grad_threshold=0.2)
    with torch.no_grad():
        hidden.weight.normal_(0.3, 0.6)
    net = SNN(hidden, LI(20, 4, delay=1), backend="ipu", device=device)
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    x = (torch.rand(steps + 1, 3, 12) < 0.4).float()
    net(x).square().sum().backward()
    reference(x.double()).square().sum().backward()
    for (name, got), expected in zip(net.named_parameters(), reference.parameters()):
        bound = 1e-5 * float(expected.grad.abs().max())
        assert bound > 0, name
        torch.testing.assert_close(
            got.grad.double(),
            expected.grad,
            rtol=0,
            atol=bound,
            msg=lambda m, name=name: f"{name}: {m}",
        )


@pytest.mark.parametrize("learn", [("rest",), RestingLIF.parameters])
def test_the_device_learns_what_torch_learns(learn: tuple[str, ...]) -> None:
    torch.manual_seed(1)
    hidden = SparseNeurons(12, 20, RestingLIF(), learn=learn, grad_threshold=0.2)
    net = SNN(hidden, LI(20, 4), backend="ipu")
    reference = copy.deepcopy(net)
    for each, optimizer in (
        (net, optim.Adam(net, lr=0.01)),
        (reference, torch.optim.Adam(reference.parameters(), lr=0.01)),
    ):
        for seed in range(4):
            generator = torch.Generator().manual_seed(seed)
            optimizer.zero_grad()
            each(
                (torch.rand(5, 3, 12, generator=generator) < 0.4).float()
            ).square().sum().backward()
            optimizer.step()
    state = net.state_dict()
    for name, expected in reference.state_dict().items():
        torch.testing.assert_close(
            state[name], expected, rtol=1e-4, atol=1e-6, msg=lambda m, name=name: f"{name}: {m}"
        )
