from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch.nn.functional import cross_entropy

from popsnn import SpikeTensor, nn
from popsnn.training import ActivityCost, Recipe, objective


def test_scores_follow_their_definition() -> None:
    out = torch.randn(5, 3, 4, dtype=torch.float64)
    assert torch.equal(objective.scores(out, "mean"), out.mean(0))
    assert torch.equal(objective.scores(out, "max"), out.max(0).values)
    dense = (torch.rand(5, 3, 4) < 0.5).float()
    spikes = SpikeTensor.from_dense(dense)
    assert torch.allclose(objective.scores(spikes, "rate"), dense.sum(0))


def test_loss_and_its_gradient_follow_their_definition() -> None:
    net = nn.SNN(nn.SparseLIF(6, 8), nn.SparseLIF(8, 5), nn.LI(5, 3), backend="torch").double()
    x = (torch.rand(4, 2, 6) < 0.5).double()
    labels = torch.tensor([0, 2])
    recipe = Recipe(label_smoothing=0.2, activity_weight=3.0, activity_target=0.1)
    out, traces = net(x, trace=True)
    loss, scores = objective.loss(recipe, out, labels, traces[:-1])
    assert torch.equal(scores, out.mean(0))
    loss.backward()
    grads = [p.grad.clone() for p in net.parameters()]
    net.zero_grad()

    out, traces = net(x, trace=True)
    expected = cross_entropy(out.mean(0), labels, label_smoothing=0.2)
    for trace in traces[:-1]:
        rate = trace.spikes.to_dense().mean((0, 1))
        expected = expected + 3.0 * (rate - 0.1).clamp_min(0).square().mean()
    expected.backward()
    assert torch.allclose(loss, expected)
    for grad, p in zip(grads, net.parameters()):
        assert torch.allclose(grad, p.grad)


def test_the_cost_of_activity_is_of_a_rate_above_the_target() -> None:
    net = nn.SNN(nn.SparseLIF(6, 8), nn.LI(8, 3), backend="torch").double()
    cost = ActivityCost(3.0, target=0.1, epochs=4, schedule="cosine")
    _, traces = net((torch.rand(9, 4, 6) < 0.7).double(), trace=True)
    rate = traces[0].spikes.to_dense().mean((0, 1))
    expected = 3.0 * (rate - 0.1).clamp_min(0).square().mean()
    assert float(expected.detach()) > 0
    assert torch.allclose(cost(traces), expected)
    assert torch.allclose(cost(traces, cost.factor(2)), 0.5 * expected)
    assert float(ActivityCost(3.0, target=1.0)(traces).detach()) == 0.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"weight": -1.0}, "ActivityCost: weight: expected a number from 0 on, got -1"),
        ({"target": 2.0}, "ActivityCost: target: expected a number in [0, 1], got 2"),
        (
            {"schedule": "step"},
            "ActivityCost: schedule: expected one of linear, cosine, got 'step'",
        ),
    ],
)
def test_a_cost_out_of_range_is_refused(options: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        ActivityCost(**{"weight": 1.0, **options})
