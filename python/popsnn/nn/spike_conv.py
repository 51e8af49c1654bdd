"""SpikeConv2d and SpikeMaxPool2d: layers over [T, B, C, H, W] that keep their input as bits."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, Tuple

import torch
from torch import Tensor, nn

from .._internal import checks
from .._internal.decorators import once_differentiable
from ..functional import bits as spike_bits
from ..functional.bits import BitSpikes, Spikes
from ._options import Check, Options

Pair = Tuple[int, int]


class _SavedSpikes:
    """Values that, with the saved tensor, restore the spikes [T, B, C, H, W]."""

    def __init__(self, x: Tensor) -> None:
        self.shape = tuple(x.shape)
        self.dtype = x.dtype
        self.channels_last = spike_bits.is_channels_last(x)

    def restore(self, saved: Tensor) -> Tensor:
        if saved.dim() > 2:
            return saved.to(self.dtype)
        return spike_bits.unpack(saved, self.shape, self.dtype, self.channels_last)


class _Convolution(torch.autograd.Function):
    """conv2d that keeps bits, or bytes, in place of its input."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,  # [T, B, C, H, W]
        saved: Tensor,  # uint8, bits [T, ceil(N / 8)] or bytes [T, B, C, H, W]
        weight: Tensor,  # [K, C / groups, R, S]
        geometry: tuple[Pair, Pair, Pair, int],
    ) -> Tensor:
        ctx.save_for_backward(saved, weight)
        ctx.spikes = _SavedSpikes(x)
        ctx.geometry = geometry
        return torch.conv2d(x.flatten(0, 1), weight, None, *geometry).unflatten(0, x.shape[:2])

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, grad: Tensor
    ) -> tuple[Tensor | None, Tensor | None, Tensor | None, None]:
        saved, weight = ctx.saved_tensors
        stride, padding, dilation, groups = ctx.geometry
        needed = ctx.needs_input_grad[0], ctx.needs_input_grad[2], False
        x = ctx.spikes.restore(saved).flatten(0, 1)
        grad_x, grad_weight, _ = torch.ops.aten.convolution_backward(
            grad.flatten(0, 1), x, weight, None,
            stride, padding, dilation, False, (0, 0), groups, needed,
        )  # fmt: skip
        if needed[0]:
            grad_x = grad_x.unflatten(0, grad.shape[:2])
        return grad_x, None, grad_weight, None


class SpikeConv2d(Options, nn.Conv2d):
    """A convolution of every step of x [T, B, C, H, W], without a bias.

    The gradient of the weight needs x again. Of `BitSpikes` this layer keeps the bits, and of
    whole numbers, where `counts` says that x holds nothing else, one byte each. Everything else is
    saved as it is.

    Parameters
    ----------
    in_channels, out_channels, kernel_size, stride, padding, dilation, groups
        As in `torch.nn.Conv2d`.
    counts : bool
        Whether x holds whole numbers from 0 to 255 alone.

    Raises
    ------
    ValueError
        Where x has another shape.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "counts": lambda _, name, value: checks.flag(name, "counts", value),
    }

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        *,
        counts: bool = False,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias=False
        )
        self.counts = counts

    def forward(self, x: Spikes) -> Tensor:
        """Return [T, B, K, H', W'] of the spikes `x` [T, B, C, H, W]."""
        spikes = _frames("SpikeConv2d", x)
        weight = self.weight
        dtype = _autocast_dtype(spikes.device)
        if dtype is not None:
            spikes, weight = spikes.to(dtype), weight.to(dtype)
        geometry: Any = self.stride, self.padding, self.dilation, self.groups
        if isinstance(x, BitSpikes):
            saved = x.bits
        elif self.counts:
            saved = spikes.detach().to(torch.uint8)
        else:
            y = torch.conv2d(spikes.flatten(0, 1), weight, None, *geometry)
            return y.unflatten(0, spikes.shape[:2])
        with torch.autocast(spikes.device.type, enabled=False):
            return _Convolution.apply(spikes, saved, weight, geometry)


class _MaxPool(torch.autograd.Function):
    """max_pool2d that keeps bits in place of its input and of the indices of its maxima."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, saved: Tensor, geometry: tuple[int, int, int]) -> Tensor:
        # x [T, B, C, H, W], saved uint8 [T, ceil(N / 8)]
        ctx.save_for_backward(saved)
        ctx.spikes = _SavedSpikes(x)
        ctx.geometry = geometry
        y = torch.max_pool2d(x.flatten(0, 1), *geometry)
        return y.unflatten(0, x.shape[:2])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (saved,) = ctx.saved_tensors
        with torch.enable_grad():
            x = ctx.spikes.restore(saved).requires_grad_()
            y = torch.max_pool2d(x.flatten(0, 1), *ctx.geometry)
        (grad_x,) = torch.autograd.grad(y, x, grad.flatten(0, 1))
        return grad_x, None, None


class SpikeMaxPool2d(Options):
    """Maximum over windows of every step of x [T, B, C, H, W]; keeps the bits of `BitSpikes`.

    Where several elements of a window spike, the first gets the gradient, as in
    `torch.nn.MaxPool2d`.

    Parameters
    ----------
    kernel_size : int
    stride : int, optional
        Default: `kernel_size`, as in `torch.nn.MaxPool2d`.
    padding : int
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "kernel_size": lambda _, name, value: checks.integer(name, "kernel_size", value, 1),
        "stride": lambda _, name, value: checks.integer(name, "stride", value, 1),
        "padding": lambda _, name, value: checks.integer(name, "padding", value, 0),
    }

    def __init__(self, kernel_size: int, stride: int | None = None, padding: int = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = self.kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, x: Spikes) -> Spikes:
        """Return [T, B, C, H', W'], as `BitSpikes` where `x` comes as such."""
        spikes = _frames("SpikeMaxPool2d", x)
        geometry = self.kernel_size, self.stride, self.padding
        if isinstance(x, BitSpikes):
            return spike_bits.with_bits(_MaxPool.apply(spikes, x.bits, geometry))
        y = torch.max_pool2d(spikes.flatten(0, 1), *geometry)
        return y.unflatten(0, spikes.shape[:2])

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


def _frames(operation: str, x: Spikes) -> Tensor:
    return checks.rank(operation, "x", spike_bits.dense(x), "[T, B, C, H, W]", 5)


def _autocast_dtype(device: torch.device) -> torch.dtype | None:
    """Return the type that autocast asks for, or None where it is off."""
    if hasattr(torch, "get_autocast_dtype"):
        on, dtype = torch.is_autocast_enabled(device.type), torch.get_autocast_dtype(device.type)
    elif device.type == "cuda":  # torch before 2.4
        on, dtype = torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype()
    else:
        on, dtype = torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype()
    return dtype if on else None
