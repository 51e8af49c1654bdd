"""The gradient of batch normalisation with LIF, and what its ranks tell each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

import torch
import torch.distributed as dist
from torch import Tensor

from .._check import PerNeuron
from ..surrogate import Surrogate
from . import channel_sums, launch
from .batch_norm_launch import Layer, launch_backward, launch_forward
from .spike_bits import unpack_spikes
from .temporal_scan import aligned, gradient_source, parameter_of

if TYPE_CHECKING:
    from ..functional.batch_norm import Group, Neighbours
    from ..functional.neuron import Neuron


class Statistics(NamedTuple):
    """What x is normalised with, and of how many values; `values` is None where it is constant."""

    mean: Tensor  # [C]
    invstd: Tensor  # [C]
    values: Tensor | None  # [1]


class Options(NamedTuple):
    """What a call is but for the tensors that have gradients."""

    layer: Layer
    statistics: Statistics
    group: Group
    neighbours: Neighbours | None
    bits: bool
    order: tuple[int, ...]  # of the dimensions of x in memory

    def rows(self, x: Tensor) -> Tensor:
        """Return `x` [T, B, C, ...] as it lies in memory, [T, N]; a copy if it lies otherwise."""
        return aligned(x.permute(0, *self.order).contiguous().flatten(1))

    def shaped(self, rows: Tensor, x: Tensor) -> Tensor:
        """Return `rows` [T, N] as [T, B, C, ...], the shape and memory of `x`."""
        back = sorted(range(len(self.order)), key=lambda place: self.order[place])
        inside = [x.shape[i] for i in self.order]
        return rows.unflatten(1, inside).permute(0, *(1 + place for place in back))


def moments(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return count [1], mean [C] and sum of squared distances [C] of `x` [F, C, ...]."""
    count = x.new_full((1,), x.numel() / x.shape[1], dtype=torch.float32)
    rows = _channel_rows(x)
    if rows is not None:
        shift = rows[0].float()  # near enough to the mean for squares not to cancel
        total, square = channel_sums.squares(rows, shift)
        away = total / count
        return count, shift + away, (square - total * away).clamp_min(0)
    if x.is_cuda:
        mean, invstd = torch.batch_norm_stats(x, 0.0)
        return count, mean, invstd.pow(-2) * count
    axes = [axis for axis in range(x.dim()) if axis != 1]
    var, mean = torch.var_mean(x.float(), axes, correction=0)
    return count, mean, var * count


def _channel_rows(x: Tensor) -> Tensor | None:
    """Return `x` [F, C, ...] as it lies in memory, [R, C], where its channels lie last."""
    last = x.movedim(1, -1)
    if not last.is_contiguous():
        return None
    rows = last.reshape(-1, x.shape[1])
    return rows if channel_sums.fits(rows) else None


def input_gradient(
    grad: Tensor,  # [F, C, ...], of the normalised x
    x: Tensor,  # [F, C, ...]
    statistics: Statistics,
    weight: Tensor | None,  # [C]
    total: Tensor,  # [C], of grad over all ranks
    total_x: Tensor,  # [C], of grad times (x - mean) over all ranks
) -> Tensor:
    """Return the gradient of x, through the statistics too where they have a count."""
    mean, invstd, count = statistics
    scale = invstd if weight is None else invstd * weight
    rows, grads = _channel_rows(x), _channel_rows(grad)
    if count is not None and rows is not None and grads is not None:
        slope = -scale * invstd.square() * total_x / count
        offset = -scale * total / count - slope * mean
        line = channel_sums.line(grads, rows, scale, slope, offset)
        last = x.movedim(1, -1)
        return line.view(last.shape).movedim(-1, 1)
    if count is not None and x.is_cuda:
        counts = count.to(torch.int32)
        result: Tensor = torch.batch_norm_backward_elemt(
            grad, x, mean, invstd, weight, total, total_x, counts
        )
        return result

    def wide(values: Tensor) -> Tensor:
        return values.view(-1, *[1] * (x.dim() - 2))

    if count is None:
        return (grad * wide(scale)).to(x.dtype)
    slope = total_x / count * invstd.square()
    return ((grad - wide(total / count) - (x - wide(mean)) * wide(slope)) * wide(scale)).to(x.dtype)


class _BatchNormLIF(torch.autograd.Function):
    """x and residual [T, B, C, ...], weight, bias [C] and states [N] to spikes, bits, states."""

    @staticmethod
    def forward(
        ctx: Any,
        options: Options,
        x: Tensor,
        residual: Tensor | None,
        residual_bits: Tensor | None,  # kept in place of the residual
        weight: Tensor | None,
        bias: Tensor | None,
        *initial: Tensor,
    ) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        neighbours = options.neighbours
        if neighbours is not None:
            received = x.new_zeros((2, x[0].numel()), dtype=torch.float32)
            if not neighbours.first:
                neighbours.fetch(received, -1)
            initial = tuple(received.unbind())
        mean, invstd, _ = options.statistics
        scale = invstd if weight is None else invstd * weight
        shift = -mean * scale if bias is None else bias - mean * scale
        spikes, bits, final, checkpoints = launch_forward(
            options.layer,
            options.rows(x),
            None if residual is None else options.rows(residual),
            scale,
            shift,
            initial,
            bits=options.bits,
            save=any(ctx.needs_input_grad),
        )
        if neighbours is not None and not neighbours.last:
            neighbours.send(torch.stack(final), 1)
        ctx.options = options
        kept = residual if residual_bits is None else residual_bits
        ctx.save_for_backward(x, kept, weight, scale, shift, checkpoints, *initial)
        ctx.mark_non_differentiable(bits)
        return (options.shaped(spikes, x), bits, *final)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        options: Options = ctx.options
        neighbours = options.neighbours
        x, kept, weight, scale, shift, checkpoints, *initial = ctx.saved_tensors
        grad_spikes, _, *grad_final = grads
        rows = options.rows(x)
        after = rows.new_zeros((2, rows.shape[1]), dtype=torch.float32)
        for own, grad in zip(after, grad_final):
            if grad is not None:
                own.copy_(grad)
        if neighbours is not None and not neighbours.last:
            neighbours.fetch(after, 1)
        residual = kept
        if kept is not None and kept.dtype == torch.uint8:
            residual = unpack_spikes(kept, rows.shape[1], x.dtype)
        elif kept is not None:
            residual = options.rows(kept)
        grad_u, total, total_x, grad_initial = launch_backward(
            options.layer,
            rows,
            residual,
            scale,
            shift,
            options.statistics.mean,
            initial,
            checkpoints,
            torch.zeros_like(rows) if grad_spikes is None else options.rows(grad_spikes),
            after.unbind(),
        )
        if neighbours is not None and not neighbours.first:
            # Before the sums, in which every rank waits for every other.
            neighbours.send(torch.stack(grad_initial), -1)
        grad_weight, grad_bias = total_x * options.statistics.invstd, total
        if options.statistics.values is not None and options.group is not None:
            both = torch.stack([total, total_x])
            dist.all_reduce(both, group=options.group)
            total, total_x = both.unbind()
        grad_normal = options.shaped(grad_u, x)
        grad_x = input_gradient(
            grad_normal.flatten(0, 1), x.flatten(0, 1), options.statistics, weight, total, total_x
        )
        needed = ctx.needs_input_grad
        given = neighbours is None and len(initial) > 0
        return (
            None,
            grad_x.unflatten(0, x.shape[:2]),
            grad_normal if needed[2] else None,
            None,
            grad_weight if needed[4] else None,
            grad_bias if needed[5] else None,
            *(grad_initial if given else ()),
        )


def batch_norm_lif(
    neuron: Neuron,
    x: Tensor,  # [T, B, C, ...], contiguous or channels-last
    weight: Tensor | None,  # [C]
    bias: Tensor | None,  # [C]
    statistics: Statistics,
    state: Sequence[Tensor] | None,  # of [B, C, ...]
    residual: Tensor | None,  # [T, B, C, ...]
    residual_bits: Tensor | None,  # uint8 [T, ceil(N / 8)]
    *,
    group: Group,
    neighbours: Neighbours | None,
    beta: PerNeuron,
    threshold: PerNeuron,
    surrogate: Surrogate,
    grad_threshold: float | None,
    bits: bool,
) -> tuple[Tensor, Tensor, list[Tensor]]:
    """Return spikes [T, B, C, ...], their bits, and the states [B, C, ...] after them."""
    contiguous = tuple(range(1, x.dim()))
    order = contiguous if x.is_contiguous() else (1, *contiguous[2:], 2)  # or channels-last
    channel = order.index(2)
    inner = math.prod(x.shape[i] for i in order[channel + 1 :])
    values = [0.0 if isinstance(p, Tensor) else float(p) for p in (beta, threshold)]
    tensors = [p.float().contiguous() for p in (beta, threshold) if isinstance(p, Tensor)]
    slots = [i for i, p in enumerate((beta, threshold)) if isinstance(p, Tensor)]
    layer = Layer(
        neuron=str(neuron.cuda_source),
        gradient=gradient_source(neuron, surrogate, grad_threshold is not None),
        surrogate=parameter_of(surrogate),
        gate=-math.inf if grad_threshold is None else grad_threshold,
        parameters=launch.Parameters(values, tensors, slots, [inner] * len(slots)),
        inner=inner,
    )
    options = Options(layer, statistics, group, neighbours, bits, order)
    initial = [options.rows(one.float().unsqueeze(0)).squeeze(0) for one in state or ()]
    if residual is not None and not residual.permute(0, *order).is_contiguous():
        residual_bits = None  # they lie in another order than x
    spikes, packed, *final = _BatchNormLIF.apply(
        options, x, residual, residual_bits, weight, bias, *initial
    )
    return spikes, packed, [options.shaped(one.unsqueeze(0), x).squeeze(0) for one in final]
