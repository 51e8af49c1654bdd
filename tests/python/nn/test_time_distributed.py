"""Steps one by one are what all of them at once must give."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from popsnn import SpikeTensor, nn


def x(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("steps", [1, 4])
def test_every_step_goes_through_the_modules(steps: int) -> None:
    modules = [torch.nn.Conv2d(2, 3, 3), torch.nn.AvgPool2d(2), torch.nn.Flatten()]
    folded = nn.TimeDistributed(*modules)
    current = x(steps, 5, 2, 8, 8).requires_grad_()
    each = torch.stack([torch.nn.Sequential(*modules)(step) for step in current])
    got = folded(current)
    assert torch.allclose(got, each, atol=1e-6)
    weight = torch.randn_like(each)
    grads = [
        torch.autograd.grad(
            (out * weight).sum(), [current, *folded.parameters()], retain_graph=True
        )
        for out in (got, each)
    ]
    for mine, theirs in zip(*grads):
        assert torch.allclose(mine, theirs, atol=1e-4)


def test_memory_format_and_no_modules() -> None:
    images = x(3, 2, 4, 6, 6).flatten(0, 1).to(memory_format=torch.channels_last)
    current = images.unflatten(0, (3, 2))
    out = nn.TimeDistributed(torch.nn.Conv2d(4, 4, 1))(current)
    assert out.flatten(0, 1).is_contiguous(memory_format=torch.channels_last)
    assert torch.equal(nn.TimeDistributed()(current), current)


def test_a_network_and_compacted_spikes() -> None:
    spikes = (x(6, 3, 10) > 0.5).float()
    net = torch.nn.Sequential(nn.TimeDistributed(torch.nn.Linear(10, 4)), nn.LIF())
    assert torch.equal(net(SpikeTensor.from_dense(spikes)), net(spikes))
    assert "(0): Linear(in_features=10" in repr(net)


@pytest.mark.parametrize(
    ("modules", "given", "error", "sentence"),
    [
        ([], [1.0], TypeError, "x: expected a tensor, got list"),
        ([], x(4, 3), ValueError, r"x: expected shape \[T, B, ...\], got \(4, 3\): one step x of"),
        ([], x(4), ValueError, r"got \(4,\)$"),
        ([torch.nn.Flatten(0)], x(4, 3, 2), ValueError, r"for T \* B = 12, got \(24,\)"),
        ([torch.nn.LSTM(2, 2)], x(4, 3, 2), ValueError, "got tuple"),
    ],
)
def test_what_does_not_fit(modules: Any, given: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=f"^TimeDistributed: .*{sentence}"):
        nn.TimeDistributed(*modules)(given)
