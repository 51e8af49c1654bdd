"""Parts of the spiking ResNets: stem, four stages, head (He et al., 2016, arXiv 1512.03385)."""

from __future__ import annotations

from typing import Any, Callable, Sequence, cast

from torch import Tensor, nn

from .._internal import checks
from ..functional.bits import Spikes, dense
from ..nn import BatchNormLIF, SpikeConv2d, SpikeMaxPool2d

STEMS = ("imagenet", "cifar")
WIDTHS = (64, 128, 256, 512)

Block = Callable[[int, int, int], nn.Module]
"""Makes a block from its input channels, its width and its stride."""


class ResNet(nn.Module):
    """A residual network over x [T, B, C, H, W] whose blocks pass spikes on.

    Parameters
    ----------
    name : str
        For error messages.
    block : Block
    expansion : int
        Output channels of a block per width.
    blocks : sequence of 4 int
        Blocks a stage.
    num_classes, in_channels : int
    stem : {"imagenet", "cifar"}
        A 7x7 convolution of stride 2 with 3x3 pooling of stride 2, or a 3x3 convolution alone.
    bits : bool
        Whether the stem gives `BitSpikes`.
    neuron : dict
        Options of every `BatchNormLIF`.
    """

    def __init__(
        self,
        name: str,
        block: Block,
        expansion: int,
        blocks: Sequence[int],
        num_classes: int,
        in_channels: int,
        stem: str,
        bits: bool,
        neuron: dict[str, Any],
    ) -> None:
        super().__init__()
        checks.choice(name, "stem", stem, STEMS)
        checks.integer(name, "num_classes", num_classes, 1)
        checks.integer(name, "in_channels", in_channels, 1)
        pooled = stem == "imagenet"
        kernel, stride, padding = (7, 2, 3) if pooled else (3, 1, 1)
        self.stem = nn.Sequential(
            SpikeConv2d(in_channels, WIDTHS[0], kernel, stride, padding),
            BatchNormLIF(WIDTHS[0], bits=bits, **neuron),
            *([SpikeMaxPool2d(3, 2, 1)] if pooled else []),
        )
        stages: list[nn.Module] = []
        channels = WIDTHS[0]
        for stage, (width, count) in enumerate(zip(WIDTHS, blocks)):
            for index in range(count):
                stages.append(block(channels, width, 2 if stage and not index else 1))
                channels = width * expansion
        self.blocks = nn.Sequential(*stages)
        self.head = nn.Linear(channels, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits [T, B, classes] of every step of `x` [T, B, C, H, W].

        Their mean over T is the network's answer.
        """
        spikes = dense(cast(Spikes, self.blocks(self.stem(x))))
        return cast(Tensor, self.head(spikes.mean((-2, -1))))
