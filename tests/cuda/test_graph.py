from __future__ import annotations

import copy
import re

import pytest
import torch
from tests.cuda.conftest import Engine
from torch.nn.functional import cross_entropy

from popsnn import SpikeTensor
from popsnn.cuda import CapturedStep
from popsnn.nn import LI, SNN, SparseLIF


def batch(seed: int) -> tuple[SpikeTensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    x = (torch.rand(12, 6, 20, generator=generator) < 0.3).float()
    labels = torch.randint(4, (6,), generator=generator)
    return SpikeTensor.from_dense(x, capacity=20).to("cuda"), labels.to("cuda")


def trainer(net: SNN):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2, fused=True, capturable=True)

    def step(x: SpikeTensor, labels: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad()
        loss = cross_entropy(net(x).mean(0), labels)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def test_a_captured_training_step_is_the_step(cuda_engine: Engine) -> None:
    hidden = SparseLIF(20, 40, delay=1, max_activity=0.1, grad_threshold=0.5)
    net = SNN(hidden, LI(40, 4), backend="cuda", check_input=False).to("cuda")
    with torch.no_grad():
        hidden.weight.mul_(3)
    other = copy.deepcopy(net)
    step, expected = trainer(net), trainer(other)
    captured = CapturedStep(step, *batch(0))
    for _ in range(3):
        expected(*batch(0))
    for seed in range(1, 5):
        loss = captured(*batch(seed))
        torch.testing.assert_close(loss, expected(*batch(seed)), rtol=1e-4, atol=1e-5)
        assert net.stats() == other.stats()
    assert net.stats()[0].dropped_spikes > 0
    for mine, of_other in zip(net.parameters(), other.parameters()):
        torch.testing.assert_close(mine, of_other, rtol=1e-3, atol=1e-4)


def test_inputs_that_are_not_as_the_examples(cuda_engine: Engine) -> None:
    captured = CapturedStep(lambda x: 2 * x, torch.zeros(3, device="cuda"))
    assert float(captured(torch.ones(3, device="cuda")).sum()) == 6.0
    with pytest.raises(ValueError, match="CapturedStep: inputs: expected 1 as of the examples"):
        captured()
    with pytest.raises(
        ValueError,
        match=re.escape("input 0: expected torch.float32 of shape (3,) as the example, got"),
    ):
        captured(torch.ones(4, device="cuda"))
    with pytest.raises(TypeError, match="input 0: expected a Tensor as the example, got SpikeT"):
        captured(batch(0)[0])
