"""Spiking ResNet: the shortcut adds to the membrane's input, and every activation is a spike.

    block(s) = LIF(BN(conv(LIF(BN(conv(s))))) + shortcut(s))

This is the layout of Zheng et al., "Going Deeper With Directly-Trained Larger Spiking Neural
Networks" (AAAI 2021, arXiv 2011.05280), the "Spiking ResNet" that Fang et al. (2021) compare with,
and the network that Li et al. train in "Towards Scalable GPU-Accelerated SNN Training via Temporal
Fusion" (ICANN 2024, arXiv 2408.00280) with 32 steps and the stem of ImageNet at any image size.
"""

from __future__ import annotations

from typing import Any, Sequence, cast

from torch import nn

from .._internal import checks
from ..functional.bits import Spikes
from ..nn import BatchNorm, BatchNormLIF, SpikeConv2d
from ._resnet import ResNet

EXPANSION = 4


class Shortcut(nn.Sequential):
    """A 1x1 convolution and its normalisation, where a block changes shape."""

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__(SpikeConv2d(channels, width, 1, stride), BatchNorm(width))


class BasicBlock(nn.Module):
    """Two 3x3 convolutions."""

    def __init__(self, channels: int, width: int, stride: int, neuron: dict[str, Any]) -> None:
        super().__init__()
        self.conv1 = SpikeConv2d(channels, width, 3, stride, 1)
        self.neurons1 = BatchNormLIF(width, bits=True, **neuron)
        self.conv2 = SpikeConv2d(width, width, 3, 1, 1)
        self.neurons2 = BatchNormLIF(width, bits=True, **neuron)
        changes = stride != 1 or channels != width
        self.shortcut = Shortcut(channels, width, stride) if changes else nn.Identity()

    def forward(self, x: Spikes) -> Spikes:
        """Return the spikes [T, B, width, H', W'] of the spikes `x` [T, B, channels, H, W]."""
        hidden = self.neurons1(self.conv1(x))
        return cast(Spikes, self.neurons2(self.conv2(hidden), self.shortcut(x)))


class Bottleneck(nn.Module):
    """A 1x1, a 3x3 and a 1x1 convolution; the stride is that of the 3x3 one."""

    def __init__(self, channels: int, width: int, stride: int, neuron: dict[str, Any]) -> None:
        super().__init__()
        wide = EXPANSION * width
        self.conv1 = SpikeConv2d(channels, width, 1)
        self.neurons1 = BatchNormLIF(width, bits=True, **neuron)
        self.conv2 = SpikeConv2d(width, width, 3, stride, 1)
        self.neurons2 = BatchNormLIF(width, bits=True, **neuron)
        self.conv3 = SpikeConv2d(width, wide, 1)
        self.neurons3 = BatchNormLIF(wide, bits=True, **neuron)
        changes = stride != 1 or channels != wide
        self.shortcut = Shortcut(channels, wide, stride) if changes else nn.Identity()

    def forward(self, x: Spikes) -> Spikes:
        """Return the spikes [T, B, 4 width, H', W'] of the spikes `x` [T, B, channels, H, W]."""
        hidden = self.neurons2(self.conv2(self.neurons1(self.conv1(x))))
        return cast(Spikes, self.neurons3(self.conv3(hidden), self.shortcut(x)))


class SpikingResNet(ResNet):
    """Spiking ResNet over x [T, B, C, H, W]; its logits [T, B, classes] are averaged over T.

    Parameters
    ----------
    blocks : sequence of 4 int
        Blocks a stage.
    bottleneck : bool
        Whether a block has three convolutions.
    num_classes, in_channels : int
    stem : {"imagenet", "cifar"}
        A 7x7 convolution of stride 2 with 3x3 pooling of stride 2, or a 3x3 convolution alone.
    **neuron
        Options of every `popsnn.nn.BatchNormLIF`, such as `beta`, `threshold` and `surrogate`.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    def __init__(
        self,
        blocks: Sequence[int],
        bottleneck: bool,
        num_classes: int = 1000,
        *,
        in_channels: int = 3,
        stem: str = "imagenet",
        **neuron: Any,
    ) -> None:
        checks.flag("SpikingResNet", "bottleneck", bottleneck)
        kind = Bottleneck if bottleneck else BasicBlock

        def block(channels: int, width: int, stride: int) -> nn.Module:
            return kind(channels, width, stride, neuron)

        super().__init__(
            "SpikingResNet",
            block,
            EXPANSION if bottleneck else 1,
            blocks,
            num_classes,
            in_channels,
            stem,
            True,
            neuron,
        )


def spiking_resnet18(num_classes: int = 1000, **options: Any) -> SpikingResNet:
    """Return a `SpikingResNet` of 2, 2, 2 and 2 basic blocks."""
    return SpikingResNet((2, 2, 2, 2), False, num_classes, **options)


def spiking_resnet34(num_classes: int = 1000, **options: Any) -> SpikingResNet:
    """Return a `SpikingResNet` of 3, 4, 6 and 3 basic blocks."""
    return SpikingResNet((3, 4, 6, 3), False, num_classes, **options)


def spiking_resnet50(num_classes: int = 1000, **options: Any) -> SpikingResNet:
    """Return a `SpikingResNet` of 3, 4, 6 and 3 bottleneck blocks."""
    return SpikingResNet((3, 4, 6, 3), True, num_classes, **options)
