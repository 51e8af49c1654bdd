from __future__ import annotations

import torch
from torch.nn.functional import cross_entropy

from popsnn import SpikeTensor, nn
from popsnn.training import Recipe, objective


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
