"""A layer over all its steps: one product, then its neurons with their capacity."""

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
from .overlapped import OverlappedLayers, Stage
from .padded_rows import pad_rows
from .weight import LayerWeight, gradient_of


class LayerOutputs(NamedTuple):
    """Outputs of a layer, rows padded to P; without `spikes` and counts where it is a readout."""

    membrane: Tensor  # float32 [T, B, P]
    more: Optional[Tensor]  # float32 [states, B, P]: those other than v and s after the last step
    spikes: Optional[Tensor]  # [T, B, P]
    flags: Tensor  # uint8 [T, B, P]: bit 0 fired, bit 1 active
    counts: Tensor  # int32 [T, B, 2]
    dropped: Tensor  # int32 [T, B, 2]


def layer(
    neurons: Neurons,
    drop_seed: DropSeed,
    delay: int,
    x: Tensor | Lists,  # [T, B, P of M], in the type of the products
    before: Tensor | None,  # [B, M], spikes before the first step
    weight: LayerWeight,  # [N, M]
    bias: Tensor | None,  # [N]
    initial: tuple[Tensor, ...],  # the neuron's states, [B, N]; none at rest
    parameters: tuple[Tensor, ...],  # of [N]
    overlapped: OverlappedLayers,
    lists: Lists | None = None,  # of the spikes in rows x, where to add up weights takes less time
    *,
    spikes: bool = False,  # whether x is 0 or 1
) -> LayerOutputs:
    """Run a layer; differentiable. What it returns is for `overlapped` alone until that waits."""
    lists, rows = (x, None) if isinstance(x, Lists) else (lists, x)
    steps, batch, _ = x.ids.shape if isinstance(x, Lists) else x.shape
    of_products = gradient_of(weight, x, before, steps, batch, delay, spikes=spikes)
    with weight.side:  # where autograd then sums their gradients over the samples
        each = [parameter.expand(batch, -1) for parameter in parameters]
        biases = None if bias is None else bias.expand(batch, -1)
    weight = weight._replace(weight=weight.weight.detach())
    stage = overlapped.stage(steps, layer_launch.forward_blocks(neurons, batch))
    out, membrane, more, flags, counts, dropped = _Layer.apply(
        *(neurons, drop_seed, delay, len(initial), lists, weight, stage, torch.is_grad_enabled()),
        *(rows, before, of_products, biases, *initial, *each),
    )
    return LayerOutputs(membrane, more, out, flags, counts, dropped)


class _Layer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        neurons: Neurons,
        drop_seed: DropSeed,
        delay: int,
        initial: int,
        lists: Lists | None,  # of x, or instead of x
        weight: LayerWeight,
        stage: Stage,
        saves: bool,
        x: Tensor | None,
        before: Tensor | None,
        of_products: Tensor | None,
        biases: Tensor | None,  # [B, N], of all samples alike, as are the parameters in `rest`
        *rest: Tensor,
    ) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        first = None if before is None else pad_rows(before, neurons.product)
        states = [tensor.contiguous() for tensor in rest[:initial]]
        parameters = [tensor[0].contiguous() for tensor in rest[initial:]]
        bias = None if biases is None else biases[0].contiguous()
        absent = delay if first is None else 0
        if lists is None:
            assert x is not None
            shape = (*x.shape[:2], weight.wide.shape[0])
            membrane = x.new_empty(shape, dtype=torch.float32)
        else:
            membrane = events.currents(lists, weight.wait_for_weight(), delay, neurons.product)
            if first is not None:
                products.multiply(first, weight.wait().t(), membrane[0])
        out = layer_launch.outputs(neurons, membrane, saves)
        stage.begin(x, first, membrane, *out, bias, *states, *parameters)
        for chunk, (begin, end) in enumerate(stage.chunks):
            with stage.product(chunk):
                if lists is None:
                    assert x is not None
                    products.currents(
                        membrane,
                        x,
                        first,
                        weight.wait(),
                        delay,
                        begin,
                        end,
                        weight.wait_for_terms(),
                    )
            with stage.neurons():
                layer_launch.forward_into(
                    out, neurons, drop_seed, membrane, absent, bias, states, parameters, begin, end
                )
        ctx.neurons, ctx.delay, ctx.initial = neurons, delay, initial
        ctx.size, ctx.planes = weight.weight.shape[1], weight.planes
        ctx.save_for_backward(
            weight.wide, bias, membrane, out.flags, out.others, *states, *parameters
        )
        ctx.mark_non_differentiable(out.flags, out.counts, out.dropped)
        more = layer_launch.carried(neurons, out)
        spikes = out.spikes if neurons.spiking else None
        return spikes, membrane, more, out.flags, out.counts, out.dropped

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        wide, bias, membrane, flags, others, *rest = ctx.saved_tensors
        neurons, initial = ctx.neurons, ctx.initial
        grad_spikes, grad_membrane, grad_more = grads[:3]
        needs_x, needs_before, needs_weight, needs_bias, *needs = ctx.needs_input_grad[8:]
        needs_initial, needs_parameters = needs[:initial], needs[initial:]
        results = layer_launch.backward(
            neurons,
            membrane,
            flags,
            others,
            bias if needs_bias else None,
            rest[:initial],
            rest[initial:],
            grad_spikes,
            grad_membrane,
            () if grad_more is None else grad_more.unbind(),
            any(needs_parameters),
            any(needs_initial),
        )
        nothing: list[Tensor | None] = [None]
        grad_x: Tensor | None = None
        grad_before: Tensor | None = None
        if needs_x or needs_before:
            keep_for_current(wide)
            grad_x, first = products.input_gradient(
                results.product, wide, ctx.delay, needs_before, ctx.planes
            )
            if first is not None:
                grad_before = first[:, : ctx.size].float()
        return (
            *(None, None, None, None, None, None, None, None),
            grad_x if needs_x else None,
            grad_before,
            results.product if needs_weight else None,
            results.biases,
            *(results.initial or nothing * initial),
            *(results.parameters or nothing * len(needs_parameters)),
        )
