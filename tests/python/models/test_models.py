from __future__ import annotations

from typing import Callable

import pytest
import torch
from torch import Tensor, nn

from popsnn import functional, models
from popsnn.models import sew_resnet, spiking_resnet
from popsnn.nn import BatchNorm, BatchNormLIF, SpikeConv2d, SpikeMaxPool2d

MAKERS = {
    "spiking_resnet18": (models.spiking_resnet18, 11_181_642, 17),
    "spiking_resnet34": (models.spiking_resnet34, 21_289_802, 33),
    "spiking_resnet50": (models.spiking_resnet50, 23_528_522, 49),
    "sew_resnet18": (models.sew_resnet18, 11_181_642, 20),
    "sew_resnet34": (models.sew_resnet34, 21_289_802, 36),
    "sew_resnet50": (models.sew_resnet50, 23_528_522, 53),
}


def plainly(module: nn.Module, x: Tensor) -> Tensor:
    """The meaning of a module, written with torch alone, over x [T, B, C, H, W]."""
    frames = x.flatten(0, 1)
    if isinstance(module, SpikeConv2d):
        weight, stride, padding = module.weight, module.stride, module.padding
        return nn.functional.conv2d(frames, weight, None, stride, padding).unflatten(0, x.shape[:2])
    if isinstance(module, SpikeMaxPool2d):
        return nn.functional.max_pool2d(frames, 3, 2, 1).unflatten(0, x.shape[:2])
    if isinstance(module, BatchNormLIF):
        return lif(module, normal(module, x))
    if isinstance(module, BatchNorm):
        return normal(module, x)
    if isinstance(module, nn.Identity):
        return x
    if isinstance(module, spiking_resnet.BasicBlock):
        hidden = plainly(module.neurons1, plainly(module.conv1, x))
        u = normal(module.neurons2, plainly(module.conv2, hidden))
        return lif(module.neurons2, u + plainly(module.shortcut, x))
    if isinstance(module, spiking_resnet.Bottleneck):
        hidden = plainly(module.neurons1, plainly(module.conv1, x))
        hidden = plainly(module.neurons2, plainly(module.conv2, hidden))
        u = normal(module.neurons3, plainly(module.conv3, hidden))
        return lif(module.neurons3, u + plainly(module.shortcut, x))
    if isinstance(module, sew_resnet.Block):
        a, s = plainly(module.convolutions, x), plainly(module.shortcut, x)
        return {"add": a + s, "and": a * s, "iand": (1 - a) * s}[module.connect]
    assert isinstance(module, nn.Sequential)
    for inner in module:
        x = plainly(inner, x)
    return x


def normal(module: BatchNorm, x: Tensor) -> Tensor:
    y = nn.functional.batch_norm(
        x.flatten(0, 1), None, None, module.weight, module.bias, True, 0.0, module.eps
    )
    return y.unflatten(0, x.shape[:2])


def lif(module: BatchNormLIF, u: Tensor) -> Tensor:
    return functional.lif(
        u, beta=module.beta, threshold=module.threshold, surrogate=module.surrogate
    ).spikes


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (models.spiking_resnet18, {"stem": "cifar"}),
        (models.spiking_resnet18, {"stem": "imagenet"}),
        (models.spiking_resnet50, {"stem": "cifar"}),
        (models.sew_resnet18, {"stem": "cifar", "connect": "add"}),
        (models.sew_resnet18, {"stem": "imagenet", "connect": "add"}),
        (models.sew_resnet18, {"stem": "cifar", "connect": "iand"}),
        (models.sew_resnet18, {"stem": "cifar", "connect": "and"}),
        (models.sew_resnet50, {"stem": "cifar", "connect": "add"}),
    ],
    ids=lambda value: value.__name__ if callable(value) else "-".join(value.values()),
)
@pytest.mark.parametrize("channels_last", [False, True])
def test_is_its_plain_network(
    make: Callable[..., models.SpikingResNet], options: dict[str, str], channels_last: bool
) -> None:
    net = make(5, in_channels=2, beta=0.7, threshold=0.8, surrogate="atan", **options).double()
    x = torch.randn(2, 2, 2, 16, 16).double()
    if channels_last:
        net = net.to(memory_format=torch.channels_last)
    parameters = list(net.parameters())
    logits = net(x)
    spikes = plainly(nn.Sequential(net.stem, net.blocks), x)
    expected = net.head(spikes.mean((-2, -1)))
    assert float(spikes.detach().mean()) > 0
    torch.testing.assert_close(logits, expected)
    grad = torch.randn_like(logits)
    ours = torch.autograd.grad(logits, parameters, grad)
    for tensor, other in zip(ours, torch.autograd.grad(expected, parameters, grad)):
        torch.testing.assert_close(tensor, other, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", MAKERS)
def test_has_the_parameters_and_neurons_of_its_source(name: str) -> None:
    make, size, neurons = MAKERS[name]
    with torch.device("meta"):
        net = make(10)
    assert sum(p.numel() for p in net.parameters()) == size
    assert sum(isinstance(m, BatchNormLIF) for m in net.modules()) == neurons


def test_learns() -> None:
    net = models.spiking_resnet18(2, in_channels=1, stem="cifar", threshold=0.5)
    labels = torch.tensor([0, 1, 0, 1])
    x = torch.randn(4, 4, 1, 8, 8) * 0.1
    x[:, labels == 1, :, :4] += 1.0
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    losses = []
    for _ in range(4):
        loss = nn.functional.cross_entropy(net(x).mean(0), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(
        ValueError, match="SpikingResNet: stem: expected one of imagenet, cifar, got 'mnist'"
    ):
        models.spiking_resnet18(stem="mnist")
    with pytest.raises(
        ValueError, match="SEWResNet: connect: expected one of add, and, iand, got 'or'"
    ):
        models.sew_resnet18(connect="or")
    with pytest.raises(ValueError, match="BatchNormLIF: reset: expected one of zero, subtract"):
        models.sew_resnet18(reset="soft")
