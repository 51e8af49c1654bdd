"""Branches and skip connections around networks, next to the same in plain torch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from popsnn import SpikeTensor, functional, nn


class Skips(torch.nn.Module):
    """Two spiking blocks; the readout sees both, and so does a dense branch of torch."""

    def __init__(self, engine: str) -> None:
        super().__init__()
        self.first = nn.SNN(nn.SparseLIF(12, 20), backend=engine)
        self.second = nn.SNN(nn.SparseLIF(20, 16, recurrent=True), backend=engine)
        self.dense = nn.TimeDistributed(torch.nn.Linear(36, 16))
        self.lif = nn.LIF()
        self.readout = nn.SNN(nn.SparseLI(52, 4), backend=engine)

    def forward(self, x: Any) -> Tensor:
        first = self.first(x)
        second = self.second(first)
        both = SpikeTensor.cat([first, second], dim=2)  # a skip connection
        third = self.lif(self.dense(both) + second.to_dense())  # dense, with a residual
        out: Tensor = self.readout(torch.cat([both.to_dense(), third], 2))
        return out


def in_torch(net: Skips, x: Tensor) -> Tensor:
    """Return the same without engines and compacted spikes."""
    first, second, readout = (block.layers[0] for block in (net.first, net.second, net.readout))
    one = functional.lif(linear(x, first.weight, first.bias)).spikes
    current = linear(one, second.weight, second.bias)
    two = functional.recurrent_lif(current, second.recurrent_weight).spikes
    both = torch.cat([one, two], 2)
    three = functional.lif(net.dense[0](both) + two).spikes
    seen = torch.cat([both, three], 2)
    return functional.li(linear(seen, readout.weight, readout.bias)).membrane


def test_skip_connections_have_the_gradients_of_torch(engine: str) -> None:
    torch.manual_seed(0)
    net = Skips(engine)
    with torch.no_grad():
        for block in (net.first, net.second):
            block.layers[0].weight.mul_(1.5)
    x = (torch.rand(10, 6, 12) < 0.4).float()
    weight = torch.randn(10, 6, 4)
    results = []
    for out in (net(x), in_torch(net, x)):
        grads = torch.autograd.grad((out * weight).sum(), list(net.parameters()))
        results.append((out.detach(), *grads))
    for (name, _), got, expected in zip([("out", x), *net.named_parameters()], *results):
        norm = float(expected.norm())
        assert norm > 0, name
        assert float((got - expected).norm()) < 1e-4 * norm, name
    assert float(net.second.stats()[0].activity) > 0.01


def test_it_trains(engine: str) -> None:
    net = Skips(engine)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    x, labels = (torch.rand(8, 12, 12) < 0.4).float(), torch.arange(12) % 4
    losses = []
    for _ in range(30):
        loss = torch.nn.functional.cross_entropy(net(x).mean(0), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.5 * losses[0]
