"""Layers inside of PopTorch models: they do what they do outside, on the emulated PopTorch."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn as torch_nn

from popsnn import SpikeTensor, nn, poptorch

pytestmark = pytest.mark.skipif(not poptorch.is_emulated, reason="numbers are the emulation's")


class Classifier(torch_nn.Module):
    """Dense frames [B, T, M] through neurons of all kinds to a loss."""

    def __init__(self, first: Any = (), second: Any = (("delay", 1),)) -> None:
        super().__init__()
        self.linear = torch_nn.Linear(12, 10)
        self.lif = nn.LIF(0.8, learn_beta=True)
        self.net = nn.SNN(
            nn.SparseLIF(10, 16, recurrent=True, learn_beta=True, **dict(first)),
            nn.SparseLIF(16, 12, learn_threshold=True, **dict(second)),
            nn.LI(12, 4),
            backend="torch",
        )
        torch_nn.init.normal_(self.linear.weight, 0.3, 0.4)
        for layer in self.net.stack:
            torch_nn.init.normal_(layer.weight, 0.2, 0.5)

    def forward(self, frames: torch.Tensor, labels: torch.Tensor) -> Any:
        out = self.net(self.lif(self.linear(frames.transpose(0, 1)))).mean(0)
        return out, torch_nn.functional.cross_entropy(out, labels)


def data(batch: int) -> tuple[torch.Tensor, torch.Tensor]:
    return (torch.rand(batch, 5, 12) < 0.5).float(), torch.randint(0, 4, (batch,))


LEARNT: Any = {"learn": True, "spread": "straight_through"}
DELAYS: Any = {  # of the first layer, of its own spikes, and of the second layer
    "fixed": [("axonal", 2, 1.0, {}), ("axonal", 3, 2.0, {}), ("dendritic", 3, 0.5, LEARNT)],
    "axonal": [("axonal", 2, 1.1, LEARNT), ("axonal", 3, 1.8, LEARNT), ("axonal", 3, 1.2, LEARNT)],
    "of weights": [("axonal", 2, 1.0, {}), ("synaptic", 3, 2.0, {}), ("synaptic", 3, 0.8, LEARNT)],
}


def classifier(delays: str | None) -> Classifier:
    if delays is None:
        return Classifier()
    first, own, second = (
        nn.Delays(kind, maximum, steps, **options)
        for kind, maximum, steps, options in DELAYS[delays]
    )
    return Classifier(first={"delay": first, "recurrent_delay": own}, second={"delay": second})


@pytest.mark.parametrize(
    ("replicas", "delays"), [(1, None), (2, None), *((2, delays) for delays in DELAYS)]
)
def test_training_is_that_of_torch(replicas: int, delays: str | None) -> None:
    model = classifier(delays)
    reference = copy.deepcopy(model).double()
    frames, labels = data(12)
    options = poptorch.Options()
    options.Training.gradientAccumulation(3)
    options.replicationFactor(replicas)
    sgd = poptorch.optim.SGD(model.parameters(), lr=0.1)
    training = poptorch.trainingModel(model, options=options, optimizer=sgd)
    of_reference = torch.optim.SGD(reference.parameters(), lr=0.1)
    for _ in range(3):
        training(frames, labels)
        of_reference.zero_grad()
        reference(frames.double(), labels)[1].backward()  # the mean over all is that of the parts
        of_reference.step()
    training.copyWeightsToHost()
    for (name, got), expected in zip(model.named_parameters(), reference.parameters()):
        assert torch.allclose(got.double(), expected, rtol=0, atol=1e-6), name


def test_spike_tensors_come_in_and_go_out() -> None:
    net = nn.SNN(nn.SparseLIF(12, 10), nn.SparseLIF(10, 6, max_activity=0.5), backend="torch")
    for layer in net.stack:
        torch_nn.init.normal_(layer.weight, 0.3, 0.5)
    x = SpikeTensor.from_dense((torch.rand(5, 4, 12) < 0.4).float(), 12)
    net.eval()
    expected = net(x)
    got = poptorch.inferenceModel(net)(x)
    assert isinstance(got, SpikeTensor)
    for name in ("ids", "counts", "dropped"):
        assert torch.equal(getattr(got, name), getattr(expected, name)), name


class WithDrops(torch_nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.SNN(nn.SparseLIF(6, 10, max_activity=0.2), nn.LI(10, 3), backend="torch")
        torch_nn.init.constant_(self.net.stack[0].weight, 1.0)

    def forward(self, x: torch.Tensor) -> Any:
        out = self.net(x.transpose(0, 1))
        return out.transpose(0, 1), self.net.dropped()


def test_drops_may_be_returned() -> None:
    model, x = WithDrops().eval(), torch.ones(2, 4, 6)
    expected, dropped_counts = model(x)
    out, dropped = poptorch.inferenceModel(model)(x)
    assert int(dropped_counts[0, 0]) > 0
    assert torch.equal(dropped, dropped_counts)
    assert torch.allclose(out, expected, rtol=0, atol=1e-6)


class Elementwise(torch_nn.Module):
    def __init__(self, neuron: torch_nn.Module) -> None:
        super().__init__()
        self.linear = torch_nn.Linear(6, 5)
        self.neuron = neuron

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.neuron(self.linear(x.transpose(0, 1)))
        return out.transpose(0, 1)


@pytest.mark.parametrize(
    "neuron",
    [nn.LIF, nn.IF, nn.PLIF, nn.SynapticLIF, nn.AdaptiveLIF],
    ids=lambda kind: kind.__name__,
)
def test_elementwise_neurons(neuron: Any) -> None:
    model = Elementwise(neuron()).eval()
    torch_nn.init.normal_(model.linear.weight, 0.4, 0.4)
    x = torch.rand(3, 4, 6)
    expected = model(x)
    assert bool(expected.any())
    assert torch.equal(poptorch.inferenceModel(model)(x), expected)
