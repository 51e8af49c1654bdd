"""A layer over all its steps: one product, then its neurons, with their places in the list."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from . import events, layer_launch, products
from .events import Lists
from .layer_launch import Draw, Neurons
from .padded_rows import pad_rows, pad_weight


class LayerOutputs(NamedTuple):
    """What a layer did, rows padded to P; without `spikes` and lists where it is a readout."""

    membrane: Tensor  # float32 [T, B, P]
    spikes: Optional[Tensor]  # [T, B, P]
    marks: Tensor  # uint8 [T, B, P]: bit 0 fired, bit 1 listed
    counts: Tensor  # int32 [T, B, 2]
    dropped: Tensor  # int32 [T, B, 2]


def layer(
    neurons: Neurons,
    draw: Draw,
    delay: int,
    x: Tensor | Lists,  # [T, B, P of M], in the type of the products
    before: Tensor | None,  # [B, M], spikes before the first step
    weight: Tensor,  # [N, M]
    bias: Tensor | None,  # [N]
    initial: tuple[Tensor, ...],  # of [B, N]; none at rest
    parameters: tuple[Tensor, ...],  # of [N]
) -> LayerOutputs:
    """Run a layer; differentiable in every tensor."""
    lists, rows = (x, None) if isinstance(x, Lists) else (None, x)
    spikes, membrane, marks, counts, dropped = _Layer.apply(
        neurons, draw, delay, len(initial), lists, rows, before, weight, bias, *initial, *parameters
    )
    return LayerOutputs(membrane, spikes, marks, counts, dropped)


class _Layer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        neurons: Neurons,
        draw: Draw,
        delay: int,
        initial: int,
        lists: Lists | None,  # or x
        x: Tensor | None,
        before: Tensor | None,
        weight: Tensor,
        bias: Tensor | None,
        *rest: Tensor,
    ) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        first = None if before is None else pad_rows(before, neurons.product)
        rest = tuple(one.contiguous() for one in rest)
        wide: Tensor | None = None
        if x is not None or first is not None:
            wide = pad_weight(weight, neurons.product)
        if x is not None:
            assert wide is not None
            membrane = products.currents(x, first, wide, delay)
        else:
            assert lists is not None
            membrane = events.currents(lists, weight.detach(), delay, neurons.product)
            if first is not None:
                assert wide is not None
                products.multiply(first, wide.t(), membrane[0])
        absent = delay if first is None else 0
        out = layer_launch.forward(
            neurons, draw, membrane, absent, bias, rest[:initial], rest[initial:]
        )
        ctx.neurons, ctx.delay, ctx.initial, ctx.shape = neurons, delay, initial, weight.shape
        ctx.lists = lists
        ctx.save_for_backward(x, first, wide, bias, membrane, out.marks, *rest)
        ctx.mark_non_differentiable(out.marks, out.counts, out.dropped)
        return out.spikes if neurons.spiking else None, membrane, *out[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        x, before, weight, bias, membrane, marks, *rest = ctx.saved_tensors
        neurons, delay, initial = ctx.neurons, ctx.delay, ctx.initial
        grad_spikes, grad_membrane = (None if g is None else g.contiguous() for g in grads[:2])
        needs = ctx.needs_input_grad[5:]
        needs_initial, needs_parameters = needs[4 : 4 + initial], needs[4 + initial :]
        found = layer_launch.backward(
            neurons,
            membrane,
            marks,
            bias if needs[3] else None,
            rest[:initial],
            rest[initial:],
            grad_spikes,
            grad_membrane,
            any(needs_parameters),
            any(needs_initial),
        )
        nothing: list[Tensor | None] = [None]
        grad_x: Tensor | None = None
        grad_before: Tensor | None = None
        grad_weight: Tensor | None = None
        if needs[0] or needs[1]:
            grad_x, first = products.input_gradient(found.product, weight, delay)
            if needs[1]:
                grad_before = first[:, : ctx.shape[1]].float()
        if needs[2]:
            if ctx.lists is not None:
                x = ctx.lists.rows(neurons.product)
            grad_weight = products.weight_gradient(found.product, x, before, delay, *ctx.shape)
        return (
            *(None, None, None, None, None),
            grad_x if needs[0] else None,
            grad_before,
            grad_weight,
            found.bias,
            *(found.initial or nothing * initial),
            *(found.parameters or nothing * len(needs_parameters)),
        )
