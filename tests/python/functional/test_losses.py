"""Losses against plain loops, their gradients against finite differences where they have any."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from popsnn import SpikeTensor, functional, nn


def spikes(seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(7, 4, 3, generator=generator) < 0.3).double()


LABELS = torch.tensor([0, 2, 1, 2])
LOSSES = ["count_loss", "rate_loss", "latency_loss", "step_loss"]


def test_counts_rates_and_membranes() -> None:
    x = spikes()
    assert functional.count_loss(x, LABELS) == cross_entropy(x.sum(0), LABELS)
    wanted = torch.tensor([[0.9, 0.1, 0.1], [0.1, 0.1, 0.9], [0.1, 0.9, 0.1], [0.1, 0.1, 0.9]])
    error = (x.mean(0) - wanted.double()).square().mean()
    assert torch.allclose(functional.rate_loss(x, LABELS, right=0.9, wrong=0.1), error)
    error = (x - wanted.double()).square().mean()
    got = functional.membrane_loss(x, LABELS, right=0.9, wrong=0.1)
    assert torch.allclose(got, error)


def test_first_spikes() -> None:
    x = spikes()
    x[:, 1, 1] = 0
    times = functional.first_spike_times(x)
    for b in range(4):
        for c in range(3):
            fired = x[:, b, c].nonzero().flatten().tolist()
            assert times[b, c] == (fired[0] if fired else 7)
    x.requires_grad_()
    (grad,) = torch.autograd.grad(functional.first_spike_times(x).sum(), x)
    assert torch.equal(grad.sum(0), torch.full((4, 3), -1.0, dtype=torch.float64))
    assert grad[6, 1, 1] == -1
    assert functional.latency_loss(x, LABELS) == cross_entropy(-times, LABELS)


def test_labels_of_steps() -> None:
    x = torch.randn(7, 4, 3, dtype=torch.float64)
    each = torch.randint(0, 3, (7, 4))
    each[:3] = -100
    wanted = torch.stack(
        [cross_entropy(x[t, b], each[t, b]) for t in range(3, 7) for b in range(4)]
    ).mean()
    assert torch.allclose(functional.step_loss(x, each), wanted)
    same = torch.stack([cross_entropy(x[t], LABELS) for t in range(7)]).mean()
    assert torch.allclose(functional.step_loss(x, LABELS), same)
    assert functional.step_loss(x, torch.full((7, 4), -100)) == 0


@pytest.mark.parametrize("name", LOSSES)
def test_compacted_spikes_and_a_network(name: str) -> None:
    loss = getattr(functional, name)
    x = spikes().float()
    assert torch.equal(loss(SpikeTensor.from_dense(x), LABELS), loss(x, LABELS))
    torch.manual_seed(0)
    net = nn.SNN(nn.SparseLIF(5, 3, grad_threshold=0.0, gain=2.0), backend="torch")
    inputs = (torch.rand(7, 4, 5) < 0.5).float()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    values = []
    for _ in range(30):
        optimizer.zero_grad()
        value = loss(net(inputs), LABELS)
        value.backward()
        optimizer.step()
        values.append(float(value.detach()))
    assert min(values[-5:]) < values[0]


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: functional.count_loss([1], LABELS), TypeError, "count_loss: expected spikes or"),
        (
            lambda: functional.count_loss(spikes()[0], LABELS),
            ValueError,
            r"\[T, B, C\] with a",
        ),
        (lambda: functional.rate_loss(spikes(), LABELS[:2]), ValueError, r"int64 of shape \(4,\)"),
        (lambda: functional.rate_loss(spikes(), LABELS.int()), ValueError, "got torch.int32"),
        (
            lambda: functional.rate_loss(spikes(), LABELS, right=2.0),
            ValueError,
            r"in \[0, 1\]",
        ),
        (lambda: functional.step_loss(spikes(), LABELS.expand(6, 4)), ValueError, r"\(7, 4\)"),
        (
            lambda: functional.latency_loss(spikes()[:0], LABELS),
            ValueError,
            "with a step and a sample",
        ),
        (lambda: functional.count_loss(spikes()[:, :0], LABELS[:0]), ValueError, "and a sample"),
        (lambda: functional.step_loss(spikes(), [1, 2, 0, 1]), TypeError, "labels: expected a ten"),
        (lambda: functional.membrane_loss(spikes().int(), LABELS), TypeError, "float tensor"),
    ],
)
def test_what_does_not_fit(call: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        call()
