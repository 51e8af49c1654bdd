"""A recurrent layer step by step: a product and a kernel each, its weights' gradient at the end."""

from __future__ import annotations

from typing import Any, Sequence

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from ..device import products
from . import launch as layer_launch
from .launch import DropSeed, Neurons
from .layer import LayerOutputs
from .padded_rows import pad_rows, pad_weight


def recurrent_layer(
    neurons: Neurons,
    drop_seed: DropSeed,
    gain: float,
    current: Tensor,  # float32 [T, B, P]: of inputs and bias, scaled by the gain
    weight: Tensor,  # [N, N], to neuron i from neuron j at [i, j]
    initial: tuple[Tensor, ...],  # the neuron's states [B, N]
    parameters: tuple[Tensor, ...],  # of [N]
) -> LayerOutputs:
    """Run neurons that have `current` and their own spikes of the step before; differentiable.

    `neurons` have the gain 1; `gain` scales the spikes' part.
    """
    spikes, membrane, more, flags, counts, dropped = _Steps.apply(
        neurons, drop_seed, gain, torch.is_grad_enabled(), current, weight, *initial, *parameters
    )
    return LayerOutputs(membrane, more, spikes, flags, counts, dropped)


class _Steps(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        neurons: Neurons,
        drop_seed: DropSeed,
        gain: float,
        saves: bool,
        current: Tensor,
        weight: Tensor,
        *rest: Tensor,
    ) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        kind, number = neurons.product, len(neurons.own)
        parameters = rest[number:]
        wide = pad_weight(weight, kind)
        membrane = current.clone()
        out = layer_launch.outputs(neurons, membrane, saves)
        first = [pad_rows(state, torch.float32) for state in rest[:number]]
        own = torch.empty_like(membrane[0])
        fired = first[-1].to(kind)
        before: Sequence[Tensor] = first
        for t in range(len(membrane)):
            products.multiply(fired, wide.t(), own)
            now, result = membrane[t : t + 1], out.steps(t, t + 1)
            now[0].add_(own, alpha=gain)
            layer_launch.forward_into(
                result,
                neurons,
                drop_seed._replace(first_step=drop_seed.first_step + t),
                now,
                0,
                None,
                before,
                parameters,
                0,
                1,
            )
            fired = out.spikes[t]
            before = _states(neurons, now[0], out.others[t], fired.float())
        ctx.neurons, ctx.gain = neurons, gain
        ctx.save_for_backward(
            wide, membrane, out.spikes, out.flags, out.others, *first, *parameters
        )
        ctx.mark_non_differentiable(out.flags, out.counts, out.dropped)
        more = layer_launch.carried(neurons, out)
        return out.spikes, membrane, more, out.flags, out.counts, out.dropped

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        wide, membrane, spikes, flags, others, *rest = ctx.saved_tensors
        neurons = ctx.neurons._replace(spikes=torch.float32)  # the type of their gradients here
        gain, size, at, number = ctx.gain, neurons.size, neurons.membrane, len(neurons.own)
        first, parameters = rest[:number], rest[number:]
        out_grad_s, out_grad_v, grad_more = grads[:3]
        needs = ctx.needs_input_grad[4:]
        needs_initial, learn = needs[2 : 2 + number], any(needs[2 + number :])
        products_grad = torch.empty_like(membrane, dtype=neurons.product)
        grad = [torch.zeros_like(state) for state in first]
        if grad_more is not None:
            grad[:-1] = [*grad_more[:at], grad[at], *grad_more[at:]]
        back = torch.empty_like(first[-1])
        learnt = [parameter.new_zeros((len(first[-1]), size)) for parameter in parameters]
        for t in reversed(range(len(membrane))):
            if out_grad_v is not None:
                grad[at] = grad[at] + out_grad_v[t]
            if out_grad_s is not None:
                grad[-1] = grad[-1] + out_grad_s[t]
            before = first
            if t:
                before = _states(neurons, membrane[t - 1], others[t - 1], spikes[t - 1].float())
            grads_of = layer_launch.backward(
                neurons,
                membrane[t : t + 1],
                flags[t : t + 1],
                others[t : t + 1],
                None,
                before,
                parameters,
                grad[-1].unsqueeze(0),
                grad[at].unsqueeze(0),
                [*grad[:at], *grad[at + 1 : -1]],
                learn,
                True,
            )
            products_grad[t] = grads_of.product[0]
            products.multiply(products_grad[t], wide, back)
            grad = grads_of.initial
            grad[-1].add_(back, alpha=gain)
            for total, parameter in zip(learnt, grads_of.parameters):
                total += parameter
        grad_weight: Tensor | None = None
        if needs[1]:
            before_first = first[-1].to(neurons.product)
            grad_weight = products.weight_gradient(
                products_grad, spikes, before_first, 1, size, size
            )
            grad_weight *= gain
        return (
            *(None, None, None, None),
            products_grad.float(),
            grad_weight,
            *(tensor[:, :size] if need else None for tensor, need in zip(grad, needs_initial)),
            *((tensor.sum(0) if learn else None) for tensor in learnt),
        )


def _states(neurons: Neurons, v: Tensor, others: Tensor, s: Tensor) -> list[Tensor]:
    """Return the neuron's states [B, P] after a step in its order; of `others` [states, B, P]."""
    own = others[: neurons.others - neurons.added].unbind()
    return [*own[: neurons.membrane], v, *own[neurons.membrane :], s]
