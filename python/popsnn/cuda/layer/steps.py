"""A recurrent layer step by step: a product and a kernel each, its weights' gradient at the end."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Sequence

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import products
from . import launch as layer_launch
from .launch import DropSeed, Neurons
from .layer import LayerOutputs
from .padded_rows import pad_rows, pad_weight


class Late(NamedTuple):
    """Delays of a layer's own spikes.

    `product` returns the current [B, N] of spikes [D + 1, B, N], the last first, by weights [N, N]
    and taps.
    """

    product: Callable[[Tensor, Tensor, Tensor], Tensor]
    taps: Tensor  # [D + 1, N], or of each weight [D + 1, N, N]
    before: Tensor  # [D, B, N]: spikes before those of the state, oldest first


def recurrent_layer(
    neurons: Neurons,
    drop_seed: DropSeed,
    gain: float,
    current: Tensor,  # float32 [T, B, P]: of inputs and bias, scaled by the gain
    weight: Tensor,  # [N, N], to neuron i from neuron j at [i, j]
    initial: tuple[Tensor, ...],  # the neuron's states [B, N]
    parameters: tuple[Tensor, ...],  # of [N]
    late: Late | None = None,
) -> LayerOutputs:
    """Run neurons that have `current` and their own spikes of the step before; differentiable.

    `neurons` have the gain 1; `gain` scales the spikes' part. With delays a step has the products
    of torch, of weights in float32 that are rounded as those of the kernels are.
    """
    product = None if late is None else late.product
    delays = () if late is None else (late.taps, late.before.to(torch.float32))
    spikes, membrane, more, flags, counts, dropped = _Steps.apply(
        neurons, drop_seed, gain, torch.is_grad_enabled(), product, current, weight, *delays,
        *initial, *parameters,
    )  # fmt: skip
    return LayerOutputs(membrane, more, spikes, flags, counts, dropped)


class _Steps(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        neurons: Neurons,
        drop_seed: DropSeed,
        gain: float,
        saves: bool,
        product: Callable[[Tensor, Tensor, Tensor], Tensor] | None,
        current: Tensor,
        weight: Tensor,
        *rest: Tensor,
    ) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        kind, number = neurons.product, len(neurons.own)
        delays = rest[:2] if product is not None else ()
        rest = rest[len(delays) :]
        parameters = rest[number:]
        wide = pad_weight(weight, kind)
        membrane = current.clone()
        out = layer_launch.outputs(neurons, membrane, saves)
        first = [pad_rows(state, torch.float32) for state in rest[:number]]
        own = torch.empty_like(membrane[0])
        fired = first[-1].to(kind)
        before: Sequence[Tensor] = first
        rows = None
        if product is not None:
            taps, earlier = delays
            rows = _Rows(product, weight, kind, taps, earlier, first[-1])
        for t in range(len(membrane)):
            if rows is None:
                products.multiply(fired, wide.t(), own)
            else:
                own[:, : neurons.size] = rows.current(t, out.spikes)
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
        ctx.neurons, ctx.gain, ctx.product = neurons, gain, product
        ctx.save_for_backward(
            wide, membrane, out.spikes, out.flags, out.others, *first, *parameters, *delays, weight
        )
        ctx.mark_non_differentiable(out.flags, out.counts, out.dropped)
        more = layer_launch.carried(neurons, out)
        return out.spikes, membrane, more, out.flags, out.counts, out.dropped

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        wide, membrane, spikes, flags, others, *rest, weight = ctx.saved_tensors
        neurons = ctx.neurons._replace(spikes=torch.float32)  # the type of their gradients here
        gain, size, at, number = ctx.gain, neurons.size, neurons.membrane, len(neurons.own)
        needs = ctx.needs_input_grad[5:]
        needs_weight, needs = needs[1], needs[2:]
        rows = None
        if ctx.product is not None:
            *rest, taps, earlier = rest
            needs = needs[2:]
            rows = _Rows(ctx.product, weight, neurons.product, taps, earlier, rest[number - 1])
        first, parameters = rest[:number], rest[number:]
        out_grad_s, out_grad_v, grad_more = grads[:3]
        needs_initial, learn = needs[:number], any(needs[number:])
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
            grad = grads_of.initial
            if rows is None:
                products.multiply(products_grad[t], wide, back)
                grad[-1].add_(back, alpha=gain)
            else:
                own = gain * grads_of.product[0, :, :size].float()
                grad[-1][:, :size] += rows.backward(t, spikes, own)
            for total, parameter in zip(learnt, grads_of.parameters):
                total += parameter
        grad_weight: Tensor | None = None
        grad_delays: tuple[Tensor | None, ...] = ()
        if rows is not None:
            grad_weight, grad_delays = rows.grad_weight, rows.gradients()
        elif needs_weight:
            before_first = first[-1].to(neurons.product)
            grad_weight = products.weight_gradient(
                products_grad, spikes, before_first, 1, size, size
            )
            grad_weight *= gain
        return (
            *(None, None, None, None, None),
            products_grad.float(),
            grad_weight,
            *grad_delays,
            *(tensor[:, :size] if need else None for tensor, need in zip(grad, needs_initial)),
            *((tensor.sum(0) if learn else None) for tensor in learnt),
        )


class _Rows:
    """The spikes of D + 1 time steps that act on a step, and the gradients of all of them."""

    def __init__(
        self,
        product: Callable[[Tensor, Tensor, Tensor], Tensor],
        weight: Tensor,  # [N, N]
        kind: torch.dtype,  # that the weights are rounded to
        taps: Tensor,
        before: Tensor,  # [D, B, N]
        spikes: Tensor,  # [B, P], of the state
    ) -> None:
        size = weight.shape[0]
        self._product, self._size, self._latest = product, size, len(before)
        self._weight, self._taps = weight.to(kind).to(torch.float32), taps
        self._before = torch.cat([before, spikes[None, :, :size]])  # [D + 1, B, N]
        self._grads: list[Tensor] = []  # of the spikes that act on the step, the last first
        self.grad_weight: Tensor = torch.zeros_like(self._weight)
        self._grad_taps = torch.zeros_like(taps)

    def _of(self, t: int, spikes: Tensor) -> Tensor:
        """Return the spikes [D + 1, B, N] that act on step t, the last first."""
        first = max(0, t - self._latest - 1)
        own = spikes[first:t, :, : self._size].to(torch.float32)
        return torch.cat([self._before, own])[-self._latest - 1 :].flip(0)

    def current(self, t: int, spikes: Tensor) -> Tensor:
        """Return the current [B, N] that the spikes [T, B, P] before step t cause."""
        return self._product(self._of(t, spikes), self._weight, self._taps)

    def backward(self, t: int, spikes: Tensor, grad: Tensor) -> Tensor:
        """Take the gradient of `current` of step t, and return that of the spikes of t - 1."""
        inputs = [
            tensor.detach().requires_grad_()
            for tensor in (self._of(t, spikes), self._weight, self._taps)
        ]
        with torch.enable_grad():
            current = self._product(*inputs)
        of_rows, of_weight, of_taps = torch.autograd.grad(current, inputs, grad)
        self.grad_weight += of_weight
        self._grad_taps += of_taps
        later = [*self._grads[1:], torch.zeros_like(grad)] if self._grads else [0.0] * len(of_rows)
        self._grads = [own + more for own, more in zip(of_rows, later)]
        return self._grads[0]

    def gradients(self) -> tuple[Tensor, Tensor]:
        """Return the gradients of taps and of the spikes before those of the state."""
        last = self._grads[:0:-1]
        return self._grad_taps, torch.stack(last) if last else torch.zeros_like(self._before[1:])


def _states(neurons: Neurons, v: Tensor, others: Tensor, s: Tensor) -> list[Tensor]:
    """Return the neuron's states [B, P] after a step in its order; of `others` [states, B, P]."""
    own = others[: neurons.others - neurons.added].unbind()
    return [*own[: neurons.membrane], v, *own[neurons.membrane :], s]
