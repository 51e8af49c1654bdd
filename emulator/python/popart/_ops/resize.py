"""Scaled images: Resize and Upsample."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .registry import Node, numbers, op

_ROUNDED = {
    "round_prefer_floor": lambda p: torch.ceil(p - 0.5),
    "round_prefer_ceil": lambda p: torch.floor(p + 0.5),
    "floor": torch.floor,
    "ceil": torch.ceil,
    "pytorch": torch.floor,
}
_TRANSFORMS = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")


def _scales(node: Node, x: Tensor, inputs: tuple[Any, ...]) -> list[float]:
    """Return the scale of each dimension, of an attribute, of an input or from sizes."""
    sizes = None
    if node.type == "Upsample" and not inputs:
        scales = list(node.get("scales"))
    elif len(inputs) == 1:
        scales = inputs[0].tolist()
    else:
        scales = inputs[1].tolist() if inputs[1] is not None else []
        sizes = numbers(inputs[2]) if len(inputs) > 2 and inputs[2] is not None else []
        if bool(scales) == bool(sizes):
            raise node.error("expected either scales or sizes", "both" if scales else "none")
    if sizes:
        if len(sizes) != x.dim():
            raise node.error(f"expected {x.dim()} sizes", len(sizes))
        return [wanted / own for wanted, own in zip(sizes, x.shape)]
    if len(scales) != x.dim():
        raise node.error(f"expected {x.dim()} scales", len(scales))
    return [float(scale) for scale in scales]


@op("Resize", "Upsample")
def resize(node: Node, x: Tensor, *inputs: Tensor) -> Any:
    """Scale images by the nearest pixel, linearly or by cubic polynomials.

    The modes are by default those of PopART: before opset 11 torch's nearest pixel.
    """
    mode = node.get("mode", "nearest")
    if mode not in ("nearest", "linear", "cubic"):
        raise node.error("expected mode nearest, linear or cubic", mode)
    transform = node.get("coordinate_transformation_mode", "half_pixel")
    if transform not in _TRANSFORMS:
        raise node.error(
            f"expected coordinate_transformation_mode among {', '.join(_TRANSFORMS)}", transform
        )
    nearest = node.get("nearest_mode", "round_prefer_floor" if node.version >= 11 else "pytorch")
    if node.type == "Upsample":
        nearest = "pytorch"
    if nearest not in _ROUNDED:
        raise node.error(f"expected nearest_mode among {', '.join(_ROUNDED)}", nearest)
    if node.get("exclude_outside", 0):
        raise node.error("expected exclude_outside 0", node.get("exclude_outside"))
    by_torch = mode == "nearest" and nearest == "pytorch"
    scales = torch.tensor(_scales(node, x, inputs), dtype=torch.float32)
    for dim, scale in enumerate(scales):
        own = x.shape[dim]
        wanted = int(torch.floor(own * scale))
        if (own != wanted) if by_torch else scale != 1:
            place = _places("asymmetric" if by_torch else transform, own, wanted, scale)
            x = _sampled(x, dim, place, mode, nearest)
    return x


def _places(transform: str, own: int, wanted: int, scale: Tensor) -> Tensor:
    """Return where the pixels of an output lie along a dimension of the input.

    The size that the transforms see is not rounded to whole pixels.
    """
    steps = torch.arange(wanted, dtype=torch.float32)
    size = own * scale
    if transform == "asymmetric":
        return steps / scale
    if transform == "align_corners":
        return steps * (own - 1) / (size - 1) if size != 1 else torch.zeros_like(steps)
    if transform == "pytorch_half_pixel" and size <= 1:
        return torch.zeros_like(steps)
    return (steps + 0.5) / scale - 0.5


def _sampled(x: Tensor, dim: int, place: Tensor, mode: str, nearest: str) -> Tensor:
    last = x.shape[dim] - 1
    if mode == "nearest":
        return x.index_select(dim, _ROUNDED[nearest](place).clamp(0, last).long())
    low = torch.floor(place)
    part = place - low
    weights, first = (_cubic(part, -0.75), -1) if mode == "cubic" else ([1 - part, part], 0)
    shape = [-1 if i == dim else 1 for i in range(x.dim())]
    out = torch.zeros(())
    for i, weight in enumerate(weights):
        taken = x.index_select(dim, (low + first + i).clamp(0, last).long())
        out = out + taken * weight.reshape(shape)
    return out.to(x.dtype)


def _cubic(t: Tensor, a: float) -> list[Tensor]:
    def near(d: Tensor) -> Tensor:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Tensor) -> Tensor:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]
