"""A recurrent layer step by step: a product and a kernel each, its weights' gradient at the end."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from ..device import products
from . import launch as layer_launch
from .launch import DropSeed, Neurons, Outputs
from .layer import LayerOutputs
from .padded_rows import pad_rows, pad_weight


def recurrent_layer(
    neurons: Neurons,
    drop_seed: DropSeed,
    gain: float,
    current: Tensor,  # float32 [T, B, P]: of inputs and bias, scaled by the gain
    weight: Tensor,  # [N, N], to neuron i from neuron j at [i, j]
    initial: tuple[Tensor, ...],  # v and s [B, N]
    parameters: tuple[Tensor, ...],  # of [N]
) -> LayerOutputs:
    """Run neurons that have `current` and their own spikes of the step before; differentiable.

    `neurons` have the gain 1; `gain` scales the spikes' part.
    """
    spikes, membrane, flags, counts, dropped = _Steps.apply(
        neurons, drop_seed, gain, current, weight, *initial, *parameters
    )
    return LayerOutputs(membrane, spikes, flags, counts, dropped)


class _Steps(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        neurons: Neurons,
        drop_seed: DropSeed,
        gain: float,
        current: Tensor,
        weight: Tensor,
        v: Tensor,
        s: Tensor,
        *parameters: Tensor,
    ) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        kind = neurons.product
        wide = pad_weight(weight, kind)
        membrane = current.clone()
        out = layer_launch.outputs(neurons, membrane)
        first_v, first_s = pad_rows(v, torch.float32), pad_rows(s, torch.float32)
        own = torch.empty_like(membrane[0])
        fired = first_s.to(kind)
        before_v, before_s = first_v, first_s
        for t in range(len(membrane)):
            products.multiply(fired, wide.t(), own)
            now = membrane[t : t + 1]
            now[0].add_(own, alpha=gain)
            layer_launch.forward_into(
                Outputs(*(tensor[t : t + 1] for tensor in out)),
                neurons,
                drop_seed._replace(first_step=drop_seed.first_step + t),
                now,
                0,
                None,
                (before_v, before_s),
                parameters,
                0,
                1,
            )
            fired = out.spikes[t]
            before_v, before_s = now[0], fired.float()
        ctx.neurons, ctx.gain = neurons, gain
        ctx.save_for_backward(first_v, first_s, wide, membrane, out.spikes, out.flags, *parameters)
        ctx.mark_non_differentiable(out.flags, out.counts, out.dropped)
        return out.spikes, membrane, *out[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        first_v, first_s, wide, membrane, spikes, flags, *parameters = ctx.saved_tensors
        gain, size = ctx.gain, ctx.neurons.size
        neurons = ctx.neurons._replace(spikes=torch.float32)  # the type of their gradients here
        out_grad_s, out_grad_v = grads[:2]
        needs = ctx.needs_input_grad[3:]
        learn = any(needs[4:])
        products_grad = torch.empty_like(membrane, dtype=neurons.product)
        grad_v, grad_s = torch.zeros_like(first_v), torch.zeros_like(first_s)
        back = torch.empty_like(first_s)
        learnt = [parameter.new_zeros((first_v.shape[0], size)) for parameter in parameters]
        for t in reversed(range(len(membrane))):
            if out_grad_v is not None:
                grad_v = grad_v + out_grad_v[t]
            if out_grad_s is not None:
                grad_s = grad_s + out_grad_s[t]
            before_v = membrane[t - 1] if t else first_v
            before_s = spikes[t - 1].float() if t else first_s
            grads_of = layer_launch.backward(
                neurons,
                membrane[t : t + 1],
                flags[t : t + 1],
                None,
                (before_v, before_s),
                parameters,
                grad_s.unsqueeze(0),
                grad_v.unsqueeze(0),
                learn,
                True,
            )
            products_grad[t] = grads_of.product[0]
            products.multiply(products_grad[t], wide, back)
            grad_v, grad_s = grads_of.initial
            grad_s.add_(back, alpha=gain)
            for total, parameter in zip(learnt, grads_of.parameters):
                total += parameter
        grad_weight: Tensor | None = None
        if needs[1]:
            before = first_s.to(neurons.product)
            grad_weight = products.weight_gradient(products_grad, spikes, before, 1, size, size)
            grad_weight *= gain
        return (
            *(None, None, None),
            products_grad.float(),
            grad_weight,
            grad_v[:, :size] if needs[2] else None,
            grad_s[:, :size] if needs[3] else None,
            *((tensor.sum(0) if learn else None) for tensor in learnt),
        )
