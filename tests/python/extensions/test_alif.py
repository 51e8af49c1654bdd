"""Adaptive neurons on both engines: against `functional.adaptive_lif`, codelets against float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.python.engines.agreement import assert_agree
from tests.python.extensions.hand_written import ALIF as HandWritten
from torch import Tensor

import popsnn
from popsnn import functional, profiling
from popsnn.neurons import AdaptiveLIF
from popsnn.nn import LI, SNN, NeuronCycles, SparseNeurons
from popsnn.surrogate import ATan, Rectangle, Sigmoid, SuperSpike, Triangle

needs_ipu = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


def spikes(steps: int = 12, batch: int = 7, seed: int = 1) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(steps, batch, 12, generator=generator) < 0.4).float()


def network(model: AdaptiveLIF, backend: str = "ipu", device: str = "host", **options: Any) -> SNN:
    """Two adaptive layers and a readout, all that can be learnt is."""
    torch.manual_seed(3)
    options.setdefault(
        "surrogate", SuperSpike(2.0)
    )  # steep derivatives magnify what float32 rounds
    values = {"threshold": 0.6 + torch.rand(21), "kappa": torch.rand(21), "rho": torch.rand(21)}
    first = SparseNeurons(12, 21, model, parameters=values, learn=AdaptiveLIF.parameters, **options)
    second = SparseNeurons(21, 9, model, delay=1, learn=("kappa",), **options)
    with torch.no_grad():
        first.weight.normal_(0.3, 0.6)
        second.weight.normal_(0.3, 0.9)
    return SNN(first, second, LI(9, 4), backend=backend, device=device)


@needs_ipu
@pytest.mark.parametrize("detach_reset", [True, False])
@pytest.mark.parametrize("reset", ["zero", "subtract", "none"])
def test_codelet_is_the_reference(reset: str, detach_reset: bool) -> None:
    assert_agree(network(AdaptiveLIF(reset, detach_reset), grad_threshold=0.2), spikes())


@needs_ipu
@pytest.mark.parametrize(
    "options",
    [
        {"recurrent": True},
        {"max_activity": 0.2, "grad_threshold": 0.3, "recurrent": True},
        {"gain": 0.7, "bias": False},
        {"surrogate": Sigmoid(2.0)},
        {"surrogate": ATan()},
        {"surrogate": Triangle(3.0)},
        {"surrogate": Rectangle(2.0)},
        {"device": "ipu2:tiles=13"},
    ],
    ids=str,
)
def test_codelet_is_the_reference_with(options: dict[str, Any]) -> None:
    assert_agree(network(AdaptiveLIF("subtract"), **options), spikes())


@pytest.mark.parametrize("detach_reset", [True, False])
def test_definition_is_that_of_the_elementwise_neuron(detach_reset: bool) -> None:
    values = {"beta": 0.8, "threshold": 0.9, "rho": 0.7, "kappa": 0.4}
    model = AdaptiveLIF("subtract", detach_reset)
    layer = SparseNeurons(12, 21, model, parameters=values, gain=1.5).double()
    x = popsnn.SpikeTensor.from_dense(spikes().double())
    got = layer.run(x)
    grad = torch.randn(got.membrane.shape, dtype=torch.float64)
    (got.spikes.to_dense(torch.float64) * grad).sum().backward()
    weight = layer.weight.detach().clone().requires_grad_()
    expected = functional.adaptive_lif(
        1.5 * (spikes().double() @ weight.t()),
        reset="subtract",
        detach_reset=detach_reset,
        **values,  # type: ignore[arg-type]
    )
    (expected.spikes * grad).sum().backward()
    assert torch.equal(got.spikes.to_dense(torch.float64), expected.spikes)
    torch.testing.assert_close(got.membrane, expected.membrane)
    torch.testing.assert_close(got.state.more[0], expected.state.a)
    torch.testing.assert_close(layer.weight.grad, weight.grad)


def test_a_spike_raises_the_threshold() -> None:
    layer = SparseNeurons(1, 1, AdaptiveLIF(), parameters={"beta": 0.0, "kappa": 0.5}, bias=False)
    with torch.no_grad():
        layer.weight.fill_(1.2)
    assert layer(torch.ones(6, 1, 1)).to_dense().flatten().tolist() == [1, 0, 0, 0, 0, 0]


@needs_ipu
def test_a_step_of_training_on_the_device() -> None:
    nets = [network(AdaptiveLIF(), recurrent=True) for _ in range(2)]
    for net in nets:
        for layer in net.stack[:2]:
            for name in AdaptiveLIF.parameters:
                if isinstance(getattr(layer, name), torch.nn.Parameter):
                    value = getattr(layer, name).detach().clone()
                    delattr(layer, name)
                    layer.register_buffer(name, value)
    device = popsnn.optim.SGD(nets[0], lr=0.01)
    host = torch.optim.SGD(nets[1].parameters(), lr=0.01)
    for net, optimizer in zip(nets, (device, host)):
        net(spikes()).square().mean().backward()
        optimizer.step()
    for (name, tensor), other in zip(nets[0].state_dict().items(), nets[1].state_dict().values()):
        torch.testing.assert_close(tensor, other, msg=lambda m, name=name: f"{name}: {m}")


@pytest.mark.parametrize("backend", ["torch", pytest.param("ipu", marks=needs_ipu)])
def test_a_sequence_in_pieces_is_the_sequence(backend: str) -> None:
    net = network(AdaptiveLIF(), backend, recurrent=True)
    whole = net(spikes())
    first, state = net(spikes()[:5], return_state=True)
    second = net(spikes()[5:], state)
    assert torch.equal(torch.cat([first, second]), whole)
    short = state._replace(layers=(state.layers[0]._replace(more=()), *state.layers[1:]))
    with pytest.raises(
        ValueError,
        match=r"SNN: layer 0: state.more: expected the neuron's 1 states other than v and s, got 0",
    ):
        net(spikes()[5:], short)


@needs_ipu
def test_the_estimator_counts_in_a_profile() -> None:
    class Slow(HandWritten):
        cycles = NeuronCycles(step=1009, fires=3, near=1, grad=1028)

    def cycles(model: HandWritten) -> float:
        net = SNN(SparseNeurons(40, 30, model, max_activity=0.2, grad_threshold=0.5))
        device = "bow:tiles=15,bytes_per_tile=20000000"  # 2 neurons a tile
        report = profiling.profile(net, device, steps=3, batch=6, input_capacity=8)
        return report.cycles_per_timestep

    # one sample a worker, two neurons a sample: 2,000 bundles more each, a sixth of the cycles
    assert cycles(Slow()) - cycles(HandWritten()) == pytest.approx(2 * 2 * 1000 * 6)
