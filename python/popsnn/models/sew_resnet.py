"""SEW ResNet: the shortcut joins the spikes themselves, "spike-element-wise".

    block(s) = g(LIF(BN(conv(LIF(BN(conv(s)))))), shortcut(s))

with g(a, s) = a + s, a s ("and") or (1 - a) s ("iand"), and a LIF in a shortcut that changes shape.
Fang et al., "Deep Residual Learning in Spiking Neural Networks" (NeurIPS 2021, arXiv 2102.04159).
With "add" a block passes whole numbers on, as many as blocks before it in its stage, plus one.
"""

from __future__ import annotations

from typing import Any, Sequence

from torch import Tensor, nn

from .._internal import checks
from ..functional import bits as spike_bits
from ..functional.bits import Spikes
from ..nn import BatchNormLIF, SpikeConv2d
from ._resnet import ResNet

EXPANSION = 4
CONNECTIONS = ("add", "and", "iand")


class Shortcut(nn.Sequential):
    """A 1x1 convolution with its normalisation and neurons, where a block changes shape."""

    def __init__(
        self, channels: int, width: int, stride: int, counts: bool, neuron: dict[str, Any]
    ) -> None:
        super().__init__(
            SpikeConv2d(channels, width, 1, stride, counts=counts), BatchNormLIF(width, **neuron)
        )


class Block(nn.Module):
    """Base of the blocks: joins what the convolutions give with the shortcut."""

    def __init__(
        self,
        channels: int,
        width: int,
        stride: int,
        connect: str,
        neuron: dict[str, Any],
    ) -> None:
        super().__init__()
        self.connect = connect
        changes = stride != 1 or channels != width
        counts = connect == "add"
        self.shortcut = (
            Shortcut(channels, width, stride, counts, neuron) if changes else nn.Identity()
        )

    def join(self, a: Tensor, x: Spikes) -> Spikes:
        """Return g of `a` [T, B, C, H', W'] and the shortcut of `x` [T, B, channels, H, W]."""
        s = spike_bits.dense(self.shortcut(x))
        if self.connect == "add":
            return a + s
        return spike_bits.with_bits(a * s if self.connect == "and" else (1 - a) * s)


class BasicBlock(Block):
    """Two 3x3 convolutions."""

    def __init__(
        self, channels: int, width: int, stride: int, connect: str, neuron: dict[str, Any]
    ) -> None:
        super().__init__(channels, width, stride, connect, neuron)
        self.convolutions = nn.Sequential(
            SpikeConv2d(channels, width, 3, stride, 1, counts=connect == "add"),
            BatchNormLIF(width, bits=True, **neuron),
            SpikeConv2d(width, width, 3, 1, 1),
            BatchNormLIF(width, **neuron),
        )

    def forward(self, x: Spikes) -> Spikes:
        """Return [T, B, width, H', W'] of `x` [T, B, channels, H, W]."""
        return self.join(self.convolutions(x), x)


class Bottleneck(Block):
    """A 1x1, a 3x3 and a 1x1 convolution; the stride is that of the 3x3 one."""

    def __init__(
        self, channels: int, width: int, stride: int, connect: str, neuron: dict[str, Any]
    ) -> None:
        wide = EXPANSION * width
        super().__init__(channels, wide, stride, connect, neuron)
        self.convolutions = nn.Sequential(
            SpikeConv2d(channels, width, 1, counts=connect == "add"),
            BatchNormLIF(width, bits=True, **neuron),
            SpikeConv2d(width, width, 3, stride, 1),
            BatchNormLIF(width, bits=True, **neuron),
            SpikeConv2d(width, wide, 1),
            BatchNormLIF(wide, **neuron),
        )

    def forward(self, x: Spikes) -> Spikes:
        """Return [T, B, 4 width, H', W'] of `x` [T, B, channels, H, W]."""
        return self.join(self.convolutions(x), x)


class SEWResNet(ResNet):
    """SEW ResNet over x [T, B, C, H, W]; its logits [T, B, classes] are averaged over T.

    Parameters
    ----------
    blocks : sequence of 4 int
        Blocks a stage.
    bottleneck : bool
        Whether a block has three convolutions.
    num_classes, in_channels : int
    connect : {"add", "and", "iand"}
        How a block joins its spikes with those of the shortcut.
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
        connect: str = "add",
        stem: str = "imagenet",
        **neuron: Any,
    ) -> None:
        checks.flag("SEWResNet", "bottleneck", bottleneck)
        checks.choice("SEWResNet", "connect", connect, CONNECTIONS)
        kind = Bottleneck if bottleneck else BasicBlock

        def block(channels: int, width: int, stride: int) -> nn.Module:
            return kind(channels, width, stride, connect, neuron)

        super().__init__(
            "SEWResNet",
            block,
            EXPANSION if bottleneck else 1,
            blocks,
            num_classes,
            in_channels,
            stem,
            connect != "add",
            neuron,
        )


def sew_resnet18(num_classes: int = 1000, **options: Any) -> SEWResNet:
    """Return a `SEWResNet` of 2, 2, 2 and 2 basic blocks."""
    return SEWResNet((2, 2, 2, 2), False, num_classes, **options)


def sew_resnet34(num_classes: int = 1000, **options: Any) -> SEWResNet:
    """Return a `SEWResNet` of 3, 4, 6 and 3 basic blocks."""
    return SEWResNet((3, 4, 6, 3), False, num_classes, **options)


def sew_resnet50(num_classes: int = 1000, **options: Any) -> SEWResNet:
    """Return a `SEWResNet` of 3, 4, 6 and 3 bottleneck blocks."""
    return SEWResNet((3, 4, 6, 3), True, num_classes, **options)
