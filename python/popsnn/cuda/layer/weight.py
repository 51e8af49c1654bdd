"""A layer's weights as its products take them, and their gradient on a side stream."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import products
from ..device.side_stream import SideStream, keep_for_current, wait_for
from ..events.events import Lists
from .padded_rows import pad_rows, pad_weight


class LearntDelays(NamedTuple):
    """Delays of a layer's input whose gradient is made with that of the weight."""

    steps: Tensor  # [M], differentiable
    both: Tensor  # [2, T, B, P of M]: the delayed rows, and their derivative by the delays


class LayerWeight(NamedTuple):
    """Weights [N, M] of a layer; made by `layer_weight`."""

    weight: Tensor  # float32 [N, M]
    wide: Tensor  # [P of N, P of M], in the type of the products
    terms: Optional[Tensor]  # bfloat16 [terms, P of N, P of M], whose sum is `wide`
    planes: int  # terms that products take of a gradient, and of `wide` with it
    side: SideStream
    made: Optional[torch.cuda.Event]  # point from which on `weight` may be read, which is rounded
    ready: Optional[torch.cuda.Event]  # and `wide`, and its terms
    delays: Optional[LearntDelays] = None

    def wait(self) -> Tensor:
        """Return `wide` once the current stream may read it."""
        wait_for(self.ready, self.wide)
        return self.wide

    def wait_for_terms(self) -> Tensor | None:
        """Return `terms` once the current stream may read them."""
        if self.terms is not None:
            wait_for(self.ready, self.terms)
        return self.terms

    def wait_for_weight(self) -> Tensor:
        """Return `weight` off the autograd graph, once the current stream may read it."""
        weight = self.weight.detach()
        wait_for(self.made, weight)
        return weight


def layer_weight(
    weight: Tensor,
    dtype: torch.dtype,
    side: SideStream,
    term_count: int = 0,
    planes: int = products.PLANES,
) -> LayerWeight:
    """Pad and round weights, made in the side stream or by the caller before it, in that stream.

    `term_count`: terms of bfloat16 that have the bits of the weights, to multiply; default: none.
    """
    made = side.done()
    with side:
        wide = pad_weight(weight, dtype)
        terms = None
        if term_count:
            from ..device.planes import split_planes  # importing popsnn loads as little as it can

            terms = split_planes(wide, term_count)
    return LayerWeight(weight, wide, terms, planes, side, made, side.done())


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

    From that the gradient of the weights is made, in the side stream, and with `prepared.delays`
    that of the delays, of whose rows x is. None where none is needed.
    With `spikes` x is 0 or 1: its products with float32 are those of tensor cores where that takes
    less time.
    """
    if not (torch.is_grad_enabled() and prepared.weight.requires_grad):
        return None
    wide, dtype = prepared.wide, prepared.wide.dtype
    with prepared.side:
        shape = (steps, batch, wide.shape[0])
        if prepared.delays is not None:
            assert before is None
            assert not delay
            learnt = prepared.delays
            with_delays: Tensor = _GradientWithDelays.apply(
                prepared.weight, learnt.steps, learnt.both, wide, shape
            )
            return with_delays
        terms = spikes and products.takes_terms(dtype, wide.device, steps * batch, *wide.shape)
        taken_as = torch.bfloat16 if terms else dtype
        rows = x.rows(taken_as) if isinstance(x, Lists) else x.detach()
        if before is not None:
            before = pad_rows(before.detach(), dtype)
        of_products: Tensor = _Gradient.apply(
            *(prepared.weight, rows, before, delay, terms, prepared.planes, dtype, shape)
        )
    return of_products


class _Gradient(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        weight: Tensor,
        x: Tensor,
        before: Tensor | None,
        delay: int,
        terms: bool,
        planes: int,  # of the gradient, in a product of terms
        dtype: torch.dtype,
        shape: tuple[int, int, int],
    ) -> Tensor:
        ctx.save_for_backward(x, before)
        ctx.delay, ctx.terms, ctx.planes, ctx.shape = delay, terms, planes, weight.shape
        return x.new_empty((), dtype=dtype).expand(shape)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, before = ctx.saved_tensors
        for tensor in (x, before, grad):
            if tensor is not None:
                keep_for_current(tensor)
        if ctx.terms:
            x = x.to(torch.bfloat16)  # only now: its steps may not have been made before
        neurons, inputs = ctx.shape
        gradient = products.weight_gradient(grad, x, before, ctx.delay, neurons, inputs, ctx.planes)
        return gradient, None, None, None, None, None, None, None


class _GradientWithDelays(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        weight: Tensor,
        steps: Tensor,
        both: Tensor,
        wide: Tensor,
        shape: tuple[int, int, int],
    ) -> Tensor:
        ctx.save_for_backward(both, wide)
        ctx.shape, ctx.type = weight.shape, steps.dtype
        return both.new_empty(()).expand(shape)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        from .delay_gradient import weight_and_delay_gradient  # importing popsnn loads little

        both, wide = ctx.saved_tensors
        for tensor in (both, wide, grad):
            keep_for_current(tensor)
        neurons, inputs = ctx.shape
        of_weight, of_steps = weight_and_delay_gradient(grad, both, wide, neurons, inputs)
        return of_weight, of_steps.to(ctx.type), None, None, None
