"""Batch normalisation with LIF and its gradient, and what its ranks tell each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

import torch
import torch.distributed as dist
from torch import Tensor

from ..._internal.checks import PerNeuron
from ..._internal.decorators import once_differentiable
from ...surrogate import Surrogate
from ..device.ops import traced
from ..device.program import gradient_source, parameter_of
from ..scan.layout import flat_state, laid_out, shaped
from ..scan.spike_bits import unpack_spikes
from . import channel_statistics, channel_sums
from . import launch as batch_norm_launch
from . import ops as batch_norm_ops
from .launch import BatchNormLifOptions, Gradients, Outputs
from .statistics import Statistics, grid_of, inner_of, ungrid

if TYPE_CHECKING:
    from ...functional.batch_norm import Group, Neighbours
    from ...functional.neuron import Neuron


class _Constants(NamedTuple):
    """Options of a call: all but its tensors."""

    layer: BatchNormLifOptions
    traced: bool
    group: Group
    neighbours: Neighbours | None
    initial: int  # how many states are given


def _forward(
    constants: _Constants,
    x: Tensor,
    residual: Tensor | None,
    scale: Tensor,
    shift: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    save: bool,
) -> tuple[Outputs, list[Tensor]]:
    """Return the outputs, and the states that they began with."""
    neighbours = constants.neighbours
    if neighbours is not None:
        received = x.new_zeros((2, x[0].numel()), dtype=torch.float32)
        if not neighbours.first:
            neighbours.fetch(received, -1)
        initial = list(received.unbind())
    run = batch_norm_ops.run_forward if constants.traced else batch_norm_launch.forward
    outputs = run(
        constants.layer,
        x,
        None if residual is None else laid_out(residual, x),
        scale,
        shift,
        initial,
        parameters,
        save,
    )
    if neighbours is not None and not neighbours.last:
        neighbours.send(torch.stack(outputs.final), 1)
    return outputs, initial


class _BatchNormLIF(torch.autograd.Function):
    """x, residual, weight, bias and states [N] to spikes, bits and states.

    x and the residual are [T, N] where somebody watches the operators, else [T, B, C, ...].
    """

    @staticmethod
    def forward(
        ctx: Any,
        constants: _Constants,
        count: Any,
        x: Tensor,
        residual: Tensor | None,
        residual_bits: Tensor | None,  # kept in place of the residual
        weight: Tensor | None,
        bias: Tensor | None,
        mean: Tensor,
        invstd: Tensor,
        scale: Tensor,
        shift: Tensor,
        *rest: Tensor,  # states, parameters
    ) -> tuple[Tensor | None, ...]:
        ctx.set_materialize_grads(False)
        initial, parameters = list(rest[: constants.initial]), list(rest[constants.initial :])
        outputs, initial = _forward(
            constants, x, residual, scale, shift, initial, parameters, save=True
        )
        saved = residual if residual_bits is None else residual_bits
        counted = count if isinstance(count, Tensor) else None
        ctx.save_for_backward(
            x, saved, weight, mean, invstd, scale, shift, counted, outputs.checkpoints,
            *initial, *parameters,
        )  # fmt: skip
        ctx.constants = constants
        ctx.count = None if counted is not None else count
        if outputs.bits is not None:
            ctx.mark_non_differentiable(outputs.bits)
        return (outputs.spikes, outputs.bits, *outputs.final)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        constants: _Constants = ctx.constants
        layer, neighbours = constants.layer, constants.neighbours
        x, saved, weight, mean, invstd, scale, shift, counted, checkpoints, *rest = (
            ctx.saved_tensors
        )
        count = ctx.count if counted is None else counted
        states = len(rest) - len(layer.tensor_indices)
        grad_spikes, _, *grad_final = grads
        after = _after(x, grad_final, neighbours)
        residual = saved
        if saved is not None and saved.dtype == torch.uint8:
            residual = unpack_spikes(saved, x.shape[1:].numel(), x.dtype)
        elif saved is not None:
            residual = laid_out(saved, x)
        needed = ctx.needs_input_grad
        asked = neighbours is not None and not neighbours.first
        run = batch_norm_ops.run_backward if constants.traced else batch_norm_launch.backward
        grads_of = run(
            layer,
            x,
            residual,
            scale,
            shift,
            mean,
            rest[:states],
            rest[states:],
            checkpoints,
            laid_out(grad_spikes, x) if grad_spikes is not None else torch.zeros_like(x),
            after,
            asked or any(needed[11 : 11 + constants.initial]),
        )
        if neighbours is not None and not neighbours.first:
            # Before the sums, in which every rank waits for every other.
            neighbours.send(torch.stack(grads_of.initial), -1)
        grad_x, grad_weight, grad_bias = _of_normalised(
            constants, grads_of, x, weight, Statistics(mean, invstd, scale, shift, count)
        )
        no_initial: list[Tensor | None] = [None] * constants.initial
        return (
            *(None, None, grad_x),
            *(grads_of.u if needed[3] else None, None),
            *(grad_weight if needed[5] else None, grad_bias if needed[6] else None),
            *(None, None, None, None),
            *(grads_of.initial[: constants.initial] or no_initial),
            *([None] * len(layer.tensor_indices)),
        )


def _after(
    x: Tensor, grads: Sequence[Tensor | None], neighbours: Neighbours | None
) -> list[Tensor]:
    """Return the gradients [N] of the states after the last step; none where they are zero."""
    if neighbours is None and all(grad is None for grad in grads):
        return []
    after = x.new_zeros((2, x.shape[1:].numel()), dtype=torch.float32)
    for own, grad in zip(after, grads):
        if grad is not None:
            own.copy_(grad)
    if neighbours is not None and not neighbours.last:
        neighbours.fetch(after, 1)
    return list(after.unbind())


def _of_normalised(
    constants: _Constants, gradients: Gradients, x: Tensor, weight: Tensor | None, by: Statistics
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of x, of the weight and of the bias; those of x through the statistics.

    That of x needs the sums over all ranks, those of the parameters are of this rank alone.
    """
    layer, group = constants.layer, constants.group
    channels, inner = layer.channels, layer.inner
    row, row_x = gradients.sums.unbind()
    whole = not constants.traced and all(
        channel_sums.fits(tensor, channels, inner) for tensor in (row, row_x, x, gradients.u)
    )
    if whole:
        partial_sums = channel_sums.pairs(row, row_x, channels, inner)
        if isinstance(by.count, float):
            saved = channel_statistics.gradients(
                x, partial_sums, by.mean, by.invstd, by.scale, by.count
            )
            grad_bias, grad_weight, slope, offset = saved.unbind()
            grad_x = channel_sums.line(gradients.u, x, by.scale, slope, offset, inner)
            return grad_x, grad_weight, grad_bias
        total, total_x = partial_sums.sum(0)
    else:
        total, total_x = gradients.sums.view(2, -1, channels, inner).sum((1, 3))
    grad_weight, grad_bias = total_x * by.invstd, total
    if by.count is not None and group is not None:
        both = torch.stack([total, total_x])
        dist.all_reduce(both, group=group)
        total, total_x = both.unbind()
    if whole and by.count is not None:
        slope = -by.scale * by.invstd.square() * total_x / by.count
        offset = -by.scale * total / by.count - slope * by.mean
        grad_x = channel_sums.line(gradients.u, x, by.scale, slope, offset, inner)
        return grad_x, grad_weight, grad_bias
    grid = grid_of(gradients.u, channels, inner)
    if by.count is None:
        grid = grid * by.scale.unsqueeze(-1)
    elif x.is_cuda and not constants.traced:
        counts = torch.as_tensor(by.count, dtype=torch.int32, device=x.device).view(1)
        values = grid_of(x, channels, inner)
        grid = torch.batch_norm_backward_elemt(
            grid, values, by.mean, by.invstd, weight, total, total_x, counts
        )
    else:
        slope = by.scale * by.invstd.square() * total_x / by.count
        offset = by.scale * total / by.count
        away = grid_of(x, channels, inner) - by.mean.unsqueeze(-1)
        grid = grid * by.scale.unsqueeze(-1) - offset.unsqueeze(-1) - away * slope.unsqueeze(-1)
    return ungrid(grid.to(x.dtype), x), grad_weight, grad_bias


def batch_norm_lif(
    neuron: Neuron,
    x: Tensor,  # [T, B, C, ...], contiguous or channels-last
    weight: Tensor | None,  # [C]
    bias: Tensor | None,  # [C]
    by: Statistics,
    state: Sequence[Tensor] | None,  # of [B, C, ...]
    residual: Tensor | None,  # [T, B, C, ...], of the type of x
    residual_bits: Tensor | None,  # uint8 [T, ceil(N / 8)]
    *,
    group: Group,
    neighbours: Neighbours | None,
    beta: PerNeuron,
    threshold: PerNeuron,
    surrogate: Surrogate,
    grad_threshold: float | None,
    bits: bool,
    final: bool,
) -> tuple[Tensor, Tensor | None, Sequence[Tensor]]:
    """Return spikes [T, B, C, ...], their bits, and the states [B, C, ...] after them.

    The bits are None unless asked for, and the states none unless `final`.
    """
    order = None if x.is_contiguous() else [1, 3, 4, 2]
    inside = x.shape[1:] if order is None else torch.Size([x.shape[i] for i in order])
    is_traced = traced(x)
    fixed = (beta, threshold)
    parameters = [p.float().contiguous() for p in fixed if isinstance(p, Tensor)]
    layer = BatchNormLifOptions(
        str(neuron.translation().source),
        tuple(i for i, p in enumerate(fixed) if isinstance(p, Tensor)),
        tuple(0.0 if isinstance(p, Tensor) else float(p) for p in fixed),
        inner_of(x),
        x.shape[2],
        bits,
        final or neighbours is not None,
        gradient_source(neuron, surrogate, grad_threshold is not None),
        parameter_of(surrogate),
        -math.inf if grad_threshold is None else grad_threshold,
    )
    initial = [flat_state(value, order) for value in state or ()]
    if residual is not None and (is_traced or laid_out(residual, x) is not residual):
        residual_bits = None  # they lie in another order than x, or would be unpacked untraced
    if is_traced:  # the operators are over [T, N]
        x = _flat(x, order)
        residual = None if residual is None else _flat(residual, order)
    constants = _Constants(layer, is_traced, group, neighbours, len(initial))
    tensors = (x, residual, weight, bias, *initial)
    mean, invstd, scale, shift, count = by
    if torch.is_grad_enabled() and any(
        tensor is not None and tensor.requires_grad for tensor in tensors
    ):
        spikes, packed, *last = _BatchNormLIF.apply(
            constants, count, x, residual, residual_bits, weight, bias, mean, invstd, scale, shift,
            *initial, *parameters,
        )  # fmt: skip
    else:
        (spikes, packed, last, _), _ = _forward(
            constants, x, residual, scale, shift, initial, parameters, save=False
        )
    if is_traced:
        spikes = shaped(spikes, inside, order)
    states = [shaped(tensor.unsqueeze(0), inside, order).squeeze(0) for tensor in last if final]
    return spikes, packed if bits else None, states


def _flat(x: Tensor, order: list[int] | None) -> Tensor:
    x = x if order is None else x.permute(0, *order)
    return x.reshape(x.shape[0], -1)
