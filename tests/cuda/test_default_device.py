"""Kernels under a default device, which many programs set to the GPU.

For the kernels that are compiled for a CPU it is one that has no values.
"""

from __future__ import annotations

from typing import Callable

import pytest
import torch
from tests.cuda.conftest import Engine

from popsnn import data, functional, nn
from popsnn.cuda.recurrent import arguments

WIDTH = 256


def layer(device: torch.device) -> list[torch.Tensor]:
    """Return what a recurrent layer leaves, forward and backward."""
    generator = torch.Generator("cpu").manual_seed(0)
    current = torch.rand(9, 4, WIDTH, generator=generator, device="cpu").to(device)
    weight = torch.randn(WIDTH, WIDTH, generator=generator, device="cpu").to(device) / 16
    out = functional.recurrent_lif(
        current.requires_grad_(),
        weight.requires_grad_(),
        weight_dtype=torch.bfloat16,
        backend="cuda",
    )
    out.spikes.sum().backward()
    assert current.grad is not None
    assert weight.grad is not None
    return [out.spikes, out.membrane, current.grad, weight.grad]


def network(device: torch.device) -> list[torch.Tensor]:
    """Return what a network leaves that trains on a batch of a dataset."""
    train, _ = data.randman(classes=3, samples=8, size=24, steps=6)
    with torch.device("cpu"):
        torch.manual_seed(0)
        hidden = nn.SparseLIF(24, 32, grad_threshold=0.5, gain=4.0, max_activity=0.1)
        net = nn.SNN(hidden, nn.LI(32, 3, delay=1)).to(device)
    net.backend = "cuda"
    order = torch.Generator("cpu").manual_seed(0)
    spikes, labels = next(train.batches(6, shuffle=True, generator=order))
    score = net(spikes.to(device)).mean(0)
    torch.nn.functional.cross_entropy(score, labels.to(device)).backward()
    torch.optim.SGD(net.parameters(), lr=0.1).step()
    return [score.detach(), net.dropped(), *net.state_dict().values()]


def check(way: Callable[[torch.device], list[torch.Tensor]], device: torch.device) -> None:
    with torch.device("cpu"):
        expected = way(device)
    with torch.device("cuda" if device.type == "cuda" else "meta"):
        result = way(device)
    for tensor, other in zip(result, expected):
        assert tensor.device == other.device
        torch.testing.assert_close(tensor, other)


def test_a_network_trains_the_same(layer_kernels: Engine) -> None:
    check(network, layer_kernels.device)
    assert layer_kernels.name == "cuda" or layer_kernels.launched


def test_a_recurrent_layer_is_the_same(gpu: torch.device, monkeypatch: pytest.MonkeyPatch) -> None:
    def first(device: torch.device) -> list[torch.Tensor]:
        monkeypatch.setattr(arguments, "_STATUS", {})  # as in a fresh process
        return layer(device)

    check(first, gpu)
