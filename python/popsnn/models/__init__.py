"""Deep spiking networks over [T, B, C, H, W], one file a family."""

from __future__ import annotations

from .sew_resnet import SEWResNet, sew_resnet18, sew_resnet34, sew_resnet50
from .spiking_resnet import (
    SpikingResNet,
    spiking_resnet18,
    spiking_resnet34,
    spiking_resnet50,
)

__all__ = [
    "SEWResNet",
    "SpikingResNet",
    "sew_resnet18",
    "sew_resnet34",
    "sew_resnet50",
    "spiking_resnet18",
    "spiking_resnet34",
    "spiking_resnet50",
]
