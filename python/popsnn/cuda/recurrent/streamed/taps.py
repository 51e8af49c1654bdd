"""A recurrent layer with a delay for each weight: a product for each tap of D + 1.

`cuda/popsnn/recurrent/streamed/taps.cuh` has the order: that of the longest delay comes first.
"""

from __future__ import annotations

from typing import Sequence

import torch
from torch import Tensor

from ...device.products import outer_of_each
from ...device.properties import has_copy_engine
from ..arguments import Cell, Tensors
from ..delays import Delays
from ..resident import taps as resident
from .launch import PLANES, STAGE_ROW, launch, pitch


def sent_shape(x: Tensor, longest: int) -> tuple[int, ...]:
    """Return the shape of spikes from D + 1 steps before the first on, [T + D + 1, B, pitch]."""
    return (x.shape[0] + longest + 1, x.shape[1], pitch(x.shape[2]))


def _padded(weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return weights [D + 1, N, N] as [D + 1, whole chunks, pitch], zeros beyond N."""
    taps, neurons, _ = weight.shape
    depth = STAGE_ROW // (4 if dtype == torch.float32 else 2)
    rows, columns = -(-neurons // depth) * depth, pitch(neurons)
    whole = weight.dtype == dtype and (rows, columns) == (neurons, neurons)
    if whole and weight.is_contiguous() and not weight.data_ptr() % 16:
        return weight
    padded = weight.new_zeros((taps, rows, columns), dtype=dtype)
    padded[:, :neurons, :neurons] = weight
    return padded


def _states(
    x: Tensor, cell: Cell, given: Sequence[Tensor], wanted: Sequence[Tensor]
) -> list[Tensor]:
    """Return states, or their gradients, [B, N] each, as they begin; in the `wanted` memory."""
    count = cell.options.states
    states = list(wanted) or [x.new_empty(x.shape[1:], dtype=torch.float32) for _ in range(count)]
    for index, state in enumerate(states):
        state.copy_(given[index]) if given else state.zero_()
    return states


def resident_forward(cell: Cell, x: Tensor, taps: int, multiprocessors: int) -> bool:
    """Return whether registers hold the weights of all taps forward."""
    options = cell.options
    fast = options.simple and not options.exact and has_copy_engine(x.device)
    return fast and resident.fits(x.shape[2], taps, multiprocessors)


def forward(
    cell: Cell,
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [D + 1, N, N]
    initial: Sequence[Tensor],  # of [B, N]
    outputs: tuple[Tensor, Tensor, list[Tensor], Tensor, list[Tensor]],
    delays: Delays,
    multiprocessors: int,
) -> None:
    """Write spikes, membrane, final states, sent spikes of `sent_shape`, states extra.

    In one kernel whose registers hold the weights, if they do, else they stream.
    """
    spikes, membrane, last, sent, extra = outputs
    if not sent.numel():
        sent = x.new_empty(sent_shape(x, delays.longest), dtype=cell.options.sixteen)
    before = sent[: delays.longest + 1]
    if delays.history is None:
        before.zero_()
    else:
        before[..., : x.shape[2]] = delays.history
    rows: dict[str, Tensor | None] = {"x": x, "spikes": spikes, "membrane": membrane}
    if resident_forward(cell, x, len(weight), multiprocessors):
        rows["spikes16"] = sent[delays.longest + 1 :]
        states = {"initial": initial, "final": last, "extra": extra}
        resident.launch(cell, x, weight, Tensors(rows, states), delays)
        return
    launch(
        "forward",
        cell,
        x,
        _padded(weight, cell.options.product),
        sent[None],
        Tensors(rows, {"extra": extra}),
        _states(x, cell, initial, last),
        delays=delays,
    )


def backward(
    cell: Cell,
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [D + 1, N, N]
    initial: Sequence[Tensor],  # of [B, N]
    rows: dict[str, Tensor | None],  # of [T, B, N], by their names in the arguments
    extra: Sequence[Tensor],  # of [T, B, N], states other than membrane and spikes
    grad_final: Sequence[Tensor],  # of [B, N]
    grad_initial: Sequence[Tensor],  # of [B, N], to write to; none, where not wanted
    sent: Tensor,  # of `sent_shape`
    learn: bool,
    grad_weight: bool,
    delays: Delays,
    grad_delays: Sequence[Tensor],  # of the history, to write to, behind one of nothing
) -> tuple[Tensor, list[Tensor]]:
    """Write the gradients of x and of the states; return those of weights and parameters."""
    steps, _, neurons = x.shape
    longest, dtype = delays.longest, cell.options.product
    planes = PLANES[dtype.itemsize]
    messages = x.new_empty((planes, *sent_shape(x, longest)), dtype=cell.options.sixteen)
    messages[:, steps:].zero_()
    wide = _padded(weight, dtype)
    learnt = launch(
        "backward",
        cell,
        x,
        wide,
        messages,
        Tensors(rows, {"initial": initial, "extra": extra}),
        _states(x, cell, grad_final, grad_initial),
        learn=learn,
        delays=delays,
    )
    grads = messages[:, :steps, :, :neurons]
    if grad_initial and delays.history is not None:
        before = torch.zeros_like(delays.history, dtype=torch.float64)
        few = grads[:, : longest + 1].double().sum(0)  # [at most D + 1, B, N]
        for tap, of_tap in enumerate(wide[:, :neurons, :neurons]):  # s[t - 1 - D + tap] acts on t
            arrived = few[: longest + 1 - tap]
            before[tap : tap + len(arrived)] += arrived @ of_tap.double()
        grad_delays[1].copy_(before)
    total = weight.new_empty(0)
    if grad_weight:
        of_weight = cell.weight_gradient(weight)
        product_dtype = of_weight if planes == 1 else torch.float32
        total = outer_of_each(grads[0], sent[..., :neurons], longest + 1, product_dtype)
        for plane in grads[1:]:
            total += outer_of_each(plane, sent[..., :neurons], longest + 1, product_dtype)
        total = total.to(of_weight)
    sums = [] if learnt is None else [learnt[row].sum(0) for row in cell.options.tensor_indices]
    return total, sums
