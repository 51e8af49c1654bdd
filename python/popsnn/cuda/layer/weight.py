"""A layer's weights as its products take them, and their gradient on a side stream."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import products
from ..device.properties import capability
from ..device.side_stream import SideStream, keep_for_current, wait_for
from ..events.events import Lists
from .padded_rows import pad_rows, pad_weight

FEWEST_MULTIPLICATIONS = 1 << 32  # of a gradient of weights, for it to be made in planes
TENSOR_CORES = (8, 0)  # compute capability of those that multiply bfloat16
# Whether torch sums products of 16 bits in float32 and returns that.
WIDE_SUMS = tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 8)


class LayerWeight(NamedTuple):
    """Weights [N, M] of a layer; made by `layer_weight`."""

    weight: Tensor  # float32 [N, M]
    wide: Tensor  # [P of N, P of M], in the type of the products
    side: SideStream
    made: Optional[torch.cuda.Event]  # point from which on `weight` may be read, which is rounded
    ready: Optional[torch.cuda.Event]  # and `wide`

    def wait(self) -> Tensor:
        """Return `wide` once the current stream may read it."""
        wait_for(self.ready, self.wide)
        return self.wide

    def wait_for_weight(self) -> Tensor:
        """Return `weight` off the autograd graph, once the current stream may read it."""
        weight = self.weight.detach()
        wait_for(self.made, weight)
        return weight


def layer_weight(weight: Tensor, dtype: torch.dtype, side: SideStream) -> LayerWeight:
    """Pad and round weights, made in the side stream or by the caller before it, in that stream."""
    made = side.done()
    with side:
        wide = pad_weight(weight, dtype)
    return LayerWeight(weight, wide, side, made, side.done())


def gradient_of(
    prepared: LayerWeight,
    x: Tensor | Lists,
    before: Tensor | None,
    steps: int,
    batch: int,
    delay: int,
    *,
    spikes: bool,
) -> Tensor | None:
    """Return a tensor [T, B, P of N], without memory, whose gradient is that of the products.

    From that the gradient of the weights is made, in the side stream. None where none is needed.
    With `spikes` x is 0 or 1: its products with float32 are those of tensor cores where that takes
    less time.
    """
    if not (torch.is_grad_enabled() and prepared.weight.requires_grad):
        return None
    dtype = prepared.wide.dtype
    with prepared.side:
        multiplications = steps * batch * prepared.wide.numel()
        planes = spikes and pays(prepared.wide, multiplications)
        taken_as = torch.bfloat16 if planes else dtype
        rows = x.rows(taken_as) if isinstance(x, Lists) else x.detach()
        if before is not None:
            before = pad_rows(before.detach(), dtype)
        shape = (steps, batch, prepared.wide.shape[0])
        of_products: Tensor = _Gradient.apply(
            prepared.weight, rows, before, delay, planes, dtype, shape
        )
    return of_products


def pays(weight: Tensor, multiplications: int) -> bool:
    """Return whether a gradient of float32 takes less time in three planes on tensor cores."""
    return (
        weight.dtype == torch.float32
        and multiplications >= FEWEST_MULTIPLICATIONS
        and WIDE_SUMS
        and capability(weight.device) >= TENSOR_CORES
    )


class _Gradient(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        weight: Tensor,
        x: Tensor,
        before: Tensor | None,
        delay: int,
        planes: bool,
        dtype: torch.dtype,
        shape: tuple[int, int, int],
    ) -> Tensor:
        ctx.save_for_backward(x, before)
        ctx.delay, ctx.planes, ctx.shape = delay, planes, weight.shape
        return x.new_empty((), dtype=dtype).expand(shape)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, before = ctx.saved_tensors
        for tensor in (x, before, grad):
            if tensor is not None:
                keep_for_current(tensor)
        if ctx.planes:
            x = x.to(torch.bfloat16)  # only now: its steps may not have been made before
        gradient = products.weight_gradient(grad, x, before, ctx.delay, *ctx.shape)
        return gradient, None, None, None, None, None, None
