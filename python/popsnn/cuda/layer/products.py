"""A layer's product over all steps alone, and its neurons alone: what delays come between."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import products
from ..device.side_stream import keep_for_current
from ..events import events
from ..events.events import Lists
from . import launch as layer_launch
from .launch import DropSeed, Neurons
from .layer import LayerOutputs
from .padded_rows import pad_rows
from .weight import LayerWeight, gradient_of


class Current(NamedTuple):
    """A product over all steps, and where its gradient goes."""

    values: Tensor  # float32 [T, B, P of N]; differentiable where `gradient` is None
    gradient: Optional[Tensor]  # [T, B, P of N], of 16 bits and without memory


def layer_product(x: Tensor | Lists, weight: LayerWeight) -> Tensor:
    """Return W x of all steps, float32 [T, B, P of N]; differentiable.

    Parameters
    ----------
    x : Tensor [T, B, P of M] or Lists
        In the type of the products.
    weight : LayerWeight
        Of [N, M].
    """
    return layer_current(x, weight, 0, None, None, narrow=False, spikes=False).values


def layer_current(
    x: Tensor | Lists,  # [T, B, P of M], in the type of the products
    weight: LayerWeight,  # [N, M]
    delay: int,
    before: Tensor | None,  # [B, M], spikes before the first step
    lists: Lists | None,  # of the spikes in rows x, where to add up weights takes less time
    *,
    narrow: bool,
    spikes: bool,  # whether x is 0 or 1
) -> Current:
    """Return W x of all steps, or of the step before each with a delay of 1.

    With `narrow` the gradient has the type of the products, 16 bits, and is never converted.
    """
    lists, rows = (x, None) if isinstance(x, Lists) else (lists, x)
    steps, batch, _ = x.ids.shape if isinstance(x, Lists) else x.shape
    of_products = gradient_of(weight, x, before, steps, batch, delay, spikes=spikes)
    weight = weight._replace(weight=weight.weight.detach())
    values, gradient = _Product.apply(narrow, delay, lists, weight, rows, before, of_products)
    return Current(values, gradient)


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        narrow: bool,
        delay: int,
        lists: Lists | None,  # of x, or instead of x
        weight: LayerWeight,
        x: Tensor | None,
        before: Tensor | None,
        of_products: Tensor | None,
    ) -> tuple[Tensor, Tensor | None]:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(weight.wide)
        ctx.narrow, ctx.delay, ctx.size = narrow, delay, weight.weight.shape[1]
        ctx.planes = weight.planes
        dtype = weight.wide.dtype
        first = None if before is None else pad_rows(before, dtype)
        if lists is not None:
            out = events.currents(lists, weight.wait_for_weight(), delay, dtype)
        else:
            assert x is not None
            out = x.new_empty((*x.shape[:2], weight.wide.shape[0]), dtype=torch.float32)
            terms = weight.wait_for_terms()
            products.currents(out, x, None, weight.wait(), delay, 0, len(x), terms)
        if first is None:
            out[:delay].zero_()
        else:
            products.multiply(first, weight.wait().t(), out[0])
        if not narrow:
            return out, None
        ctx.mark_non_differentiable(out)
        return out, out.new_empty((), dtype=dtype).expand(out.shape)

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, grad: Tensor | None, narrow: Tensor | None = None
    ) -> tuple[Tensor | None, ...]:
        (wide,) = ctx.saved_tensors
        *_, needs_x, needs_before, needs_weight = ctx.needs_input_grad
        given = narrow if ctx.narrow else grad
        if given is None:
            return (None,) * 7
        given = given.to(wide.dtype).contiguous()
        of_x = of_before = None
        if needs_x or needs_before:
            keep_for_current(wide)
            of_x, first = products.input_gradient(given, wide, ctx.delay, needs_before, ctx.planes)
            if first is not None:
                of_before = first[:, : ctx.size].float()
        return (
            *(None, None, None, None),
            of_x if needs_x else None,
            of_before,
            given if needs_weight else None,
        )


def layer_neurons(
    neurons: Neurons,
    drop_seed: DropSeed,
    current: Tensor,  # float32 [T, B, P]
    bias: Tensor | None,  # [N]
    initial: tuple[Tensor, ...],  # the neuron's states, [B, N]; none at rest
    parameters: tuple[Tensor, ...],  # of [N]
) -> LayerOutputs:
    """Run a layer's neurons, whose input is `gain` times the sum of current and bias."""
    batch = current.shape[1]
    each = [parameter.expand(batch, -1) for parameter in parameters]
    biases = None if bias is None else bias.expand(batch, -1)
    neurons = neurons._replace(product=torch.float32)  # the type of the current's gradient
    spikes, membrane, more, flags, counts, dropped = _Neurons.apply(
        *(neurons, drop_seed, len(initial), torch.is_grad_enabled(), current, biases),
        *(*initial, *each),
    )
    return LayerOutputs(membrane, more, spikes, flags, counts, dropped)


class _Neurons(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        neurons: Neurons,
        drop_seed: DropSeed,
        initial: int,
        saves: bool,
        current: Tensor,
        biases: Tensor | None,  # [B, N], of all samples alike, as are the parameters in `rest`
        *rest: Tensor,
    ) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        states = [tensor.contiguous() for tensor in rest[:initial]]
        parameters = [tensor[0].contiguous() for tensor in rest[initial:]]
        bias = None if biases is None else biases[0].contiguous()
        membrane = current.clone()
        out = layer_launch.outputs(neurons, membrane, saves)
        layer_launch.forward_into(
            out, neurons, drop_seed, membrane, 0, bias, states, parameters, 0, len(membrane)
        )
        ctx.neurons, ctx.initial = neurons, initial
        ctx.save_for_backward(bias, membrane, out.flags, out.others, *states, *parameters)
        ctx.mark_non_differentiable(out.flags, out.counts, out.dropped)
        more = layer_launch.carried(neurons, out)
        spikes = out.spikes if neurons.spiking else None
        return spikes, membrane, more, out.flags, out.counts, out.dropped

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        bias, membrane, flags, others, *rest = ctx.saved_tensors
        grad_spikes, grad_membrane, grad_more = grads[:3]
        needs_current, needs_bias, *needs = ctx.needs_input_grad[4:]
        needs_initial, needs_parameters = needs[: ctx.initial], needs[ctx.initial :]
        results = layer_launch.backward(
            ctx.neurons,
            membrane,
            flags,
            others,
            bias if needs_bias else None,
            rest[: ctx.initial],
            rest[ctx.initial :],
            grad_spikes,
            grad_membrane,
            () if grad_more is None else grad_more.unbind(),
            any(needs_parameters),
            any(needs_initial),
        )
        nothing: list[Tensor | None] = [None]
        return (
            *(None, None, None, None),
            results.product if needs_current else None,
            results.biases,
            *(results.initial or nothing * ctx.initial),
            *(results.parameters or nothing * len(needs_parameters)),
        )
