"""Delays of a layer's input and of its own spikes on the cuda engine.

Of the input, axonal delays move the rows before the product, and dendritic delays its result.
Synaptic delays are a product for each tap in use, of weights that the tap scales. Of its own
spikes, the recurrent kernels have axonal and dendritic delays of whole steps, and synaptic delays.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

from .._internal.decorators import once_differentiable
from ..cuda.events.events import Dense, Lists
from ..cuda.layer.delayed import Spreading, delayed, delayed_off_graph, delays_unsupported
from ..cuda.layer.padded_rows import pad_rows
from ..cuda.layer.products import layer_product
from ..cuda.layer.steps import Late
from ..cuda.layer.weight import LayerWeight, LearntDelays, layer_weight
from ..cuda.recurrent.delays import Delays as KernelDelays
from ..cuda.recurrent.strategy import WHOLE
from ..functional import DelaySteps, SparseState
from ..nn._parts import rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.delays import Delays, lines_after
from ..nn.sparse_li import SparseLI


def unsupported_delay(layer: SparseLayer | SparseLI, device: torch.device) -> str | None:
    """Return why the kernels cannot delay a layer's input, or None where they can."""
    delays = layer.delay
    if not isinstance(delays, Delays) or delays.kind == "synaptic":
        return None
    return delays_unsupported(device, _spreading(delays.now()))


def _spreading(delay: DelaySteps) -> Spreading:
    return Spreading(*delay[2:])


def axonal(
    delays: Delays,
    weight: LayerWeight,
    x: Tensor | Lists | Dense,
    state: SparseState | None,
    dtype: torch.dtype,
) -> tuple[Tensor, LayerWeight]:
    """Return the input's rows [T, B, P of M], each neuron's delayed, in the products' type.

    The weight's gradient brings that of the delays where nothing else needs the rows' gradient, as
    in a first layer. Not in float32, whose product of the weight and slopes would take longer than
    that of terms of bfloat16 for the rows' gradient.
    """
    now, before = delays.now(), _before(state, dtype)
    rows = x.values if isinstance(x, Dense) else x if isinstance(x, Tensor) else x.rows(dtype)
    graph = torch.is_grad_enabled()
    learn = graph and now.spread != "none" and now.steps.requires_grad
    of_rows = graph and (rows.requires_grad or (before is not None and before.requires_grad))
    with_weight = learn and not of_rows and weight.weight.requires_grad and dtype == torch.bfloat16
    given = (now.steps, _spreading(now), before)
    if of_rows or (learn and not with_weight):
        return delayed(x.rows(dtype) if isinstance(x, Dense) else rows, *given), weight
    out = delayed_off_graph(rows, *given, dtype, spikes=isinstance(x, Dense), slopes=with_weight)
    if with_weight:
        weight = weight._replace(delays=LearntDelays(now.steps, out))
    return out[0], weight


def late_product(
    delays: Delays,
    weight: LayerWeight,
    x: Tensor | Lists,
    state: SparseState | None,
    dtype: torch.dtype,
) -> Tensor:
    """Return the product with dendritic or synaptic delays, float32 [T, B, P of N]."""
    now, before = delays.now(), _before(state, dtype)
    if delays.kind == "dendritic":
        earlier = None if before is None else layer_product(before, weight)
        return delayed(layer_product(x, weight), now.steps, _spreading(now), earlier)
    rows = x.rows(dtype) if isinstance(x, Lists) else x
    if before is None:
        before = rows.new_zeros((now.maximum, *rows.shape[1:]))
    line = torch.cat([before, rows])  # [D + T, B, P]
    weight.wait_for_weight()
    taps = now.taps()
    total: Tensor | None = None
    for k in delays.taps_in_use():
        of_tap = layer_weight(weight.weight * taps[k], dtype, weight.side, 0, weight.planes)
        product = layer_product(line[now.maximum - k : len(line) - k], of_tap)
        total = product if total is None else total + product
    assert total is not None
    return total


def lines_of(
    layer: SparseLayer | SparseLI,
    x: Tensor | Lists | Dense,  # [T, B, P of M]
    spikes: Tensor | None,  # [T, B, P of N]
    state: SparseState | None,
) -> tuple[Tensor | None, Tensor | None]:
    """Return `inputs` and `spikes` of a layer's state after the last step."""
    below = own = None
    if isinstance(layer.delay, Delays):
        most = layer.delay.maximum
        rows = x[-most:] if isinstance(x, Tensor) else x.last(most).rows(torch.float32)
        below = rows[..., : layer.in_features].float()
    if spikes is not None:
        own = spikes[..., : layer.out_features].float()
    return lines_after(layer, state, below, own)


def _before(state: SparseState | None, dtype: torch.dtype) -> Tensor | None:
    if state is None or state.inputs is None:
        return None
    return pad_rows(state.inputs, dtype)


def unsupported_recurrent_delay(delay: DelaySteps) -> str | None:
    """Return why the recurrent kernels cannot run these delays, or None where they can."""
    if delay.kind != "synaptic" and delay.spread not in WHOLE:
        return (
            "delay: expected whole steps, spread 'none' or 'straight_through', got spread "
            f"{delay.spread!r}: a step has several taps"
        )
    return None


def recurrent_delays(
    delay: DelaySteps,
    before: Tensor | None,  # [D, B, N]
    spikes: Tensor | None,  # [B, N], of the state
    weight: Tensor,  # [N, N]
    weight_dtype: torch.dtype,  # that products take the weights as
) -> KernelDelays:
    """Return delays and what comes before the first step; differentiable.

    Axonal and dendritic delays are whole; synaptic delays are in `synaptic_weights`.
    """
    if delay.kind == "synaptic":
        options = ("synaptic", delay.maximum, False, False, weight.new_empty(0))
        if spikes is None:
            return KernelDelays(*options)
        return KernelDelays(*options, _history(delay, before, spikes))
    steps, learns = _kernel_steps(delay)
    learn = learns and torch.is_grad_enabled() and steps.requires_grad
    options = (delay.kind, delay.maximum, learn, not learns, steps)
    if spikes is None:
        return KernelDelays(*options)
    history = _history(delay, before, spikes)  # [D + 1, B, N]
    if delay.kind == "dendritic":
        # In float64: products of torch may be rounded more than those of the kernels.
        sums = linear(history[:-1].double(), rounded(weight, weight_dtype).double())
        return KernelDelays(*options, sums.float())
    taps = delay.taps(torch.float32).flip(0)  # [D + 1, N]
    return KernelDelays(*options, history, (taps.unsqueeze(1) * history).sum(0))


def _kernel_steps(delay: DelaySteps) -> tuple[Tensor, bool]:
    """Return the steps as float32, and whether they learn.

    Whole steps have no gradient, also where they ask for one.
    """
    steps, learns = delay.steps.to(torch.float32), delay.spread == "straight_through"
    return steps.clamp(delay.minimum, delay.maximum) if learns else steps.detach(), learns


def _history(delay: DelaySteps, before: Tensor | None, spikes: Tensor) -> Tensor:
    """Return the spikes before the first step, float32 [D + 1, B, N], oldest first."""
    spikes = spikes.to(torch.float32)
    if before is None:
        before = spikes.new_zeros((delay.maximum, *spikes.shape))
    return torch.cat([before.to(torch.float32), spikes[None]])


def synaptic_weights(
    delay: DelaySteps,
    weight: Tensor,  # [N, N]
    weight_dtype: torch.dtype,  # that products take the weights as
) -> tuple[Tensor, torch.dtype]:
    """Return weights by tap [D + 1, N, N], those of D steps first, and what products take them as.

    Differentiable. Taps that are neither 0 nor 1 make weights that take float32.
    """
    weight = weight if weight.dtype == weight_dtype else rounded(weight, weight_dtype)
    if delay.spread not in WHOLE:
        return delay.taps(torch.float32).flip(0) * weight.float(), torch.float32
    steps, learns = _kernel_steps(delay)
    by_tap: Tensor = _ByTap.apply(weight, steps, delay.maximum, learns)
    return by_tap, weight_dtype


class _ByTap(torch.autograd.Function):
    """Weights [N, N] in that of D + 1 matrices that their delay chooses, zeros in the others."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, steps: Tensor, longest: int, learnt: bool) -> Tensor:
        before = longest - (steps.round() if learnt else steps)
        at = before.clamp(0, longest).nan_to_num().long()  # [N, N]
        delayed = weight.masked_fill(at != before, math.nan)  # where steps are no delay
        by_tap = weight.new_zeros((longest + 1, *weight.shape)).scatter_(0, at[None], delayed[None])
        ctx.save_for_backward(at, weight if learnt else None)
        return by_tap

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        at, weight = ctx.saved_tensors
        at, longest = at[None], len(grad) - 1
        of_weight = grad.gather(0, at)[0] if ctx.needs_input_grad[0] else None
        of_steps = None
        if ctx.needs_input_grad[1]:
            longer = grad.gather(0, (at - 1).clamp_min(0)).masked_fill_(at == 0, 0.0)
            shorter = grad.gather(0, (at + 1).clamp_max(longest)).masked_fill_(at == longest, 0.0)
            of_steps = (longer.float() - shorter.float())[0] * weight.float() / 2
        return of_weight, of_steps, None, None


def late(layer: SparseLayer, state: SparseState) -> Late:
    """Return the delays of a layer's own spikes, where it runs step by step."""
    assert layer.recurrent_delay is not None
    delay, before = layer.recurrent_delay.now(), state.spikes
    if before is None:
        before = state.s.new_zeros((delay.maximum, *state.s.shape))
    return Late(_PRODUCTS[delay.kind], delay.taps(torch.float32), before)


def _axonal(rows: Tensor, weight: Tensor, taps: Tensor) -> Tensor:
    return linear((taps.unsqueeze(1) * rows).sum(0), weight)


def _dendritic(rows: Tensor, weight: Tensor, taps: Tensor) -> Tensor:
    return (taps.unsqueeze(1) * linear(rows, weight)).sum(0)


def _synaptic(rows: Tensor, weight: Tensor, taps: Tensor) -> Tensor:
    return torch.bmm(rows, (taps * weight).transpose(1, 2)).sum(0)


_PRODUCTS = {"axonal": _axonal, "dendritic": _dendritic, "synaptic": _synaptic}
