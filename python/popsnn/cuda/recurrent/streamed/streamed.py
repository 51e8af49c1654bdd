"""A recurrent layer whose weights the registers of a GPU do not hold, forward and backward."""

from __future__ import annotations

from typing import Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad

from ...device.products import outer
from ..arguments import Capacity, Cell, Tensors
from ..delays import Delays
from ..step.launch import by_columns
from .launch import L2_BYTES, PLANES, launch, pitch


def messages_shape(x: Tensor) -> tuple[int, ...]:
    """Return the shape of what all neurons publish over all steps, [T, B, pitch]."""
    return (*x.shape[:2], pitch(x.shape[2]))


def _is_padded(x: Tensor, dtype: torch.dtype) -> bool:
    """Return whether `_padded` is the tensor itself."""
    whole = x.dtype == dtype and pitch(x.shape[-1]) == x.shape[-1]
    return whole and x.is_contiguous() and not x.data_ptr() % 16


def _padded(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Return [..., N] as [..., pitch] of another type, with zeros at the end, 16 bytes aligned."""
    missing = pitch(x.shape[-1]) - x.shape[-1]
    x = x.to(dtype).contiguous()
    if missing:
        return pad(x, (0, missing))
    return x.clone() if x.data_ptr() % 16 else x


def by_source(weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return weights [N, N] as [from, pitch] of another type, zeros beyond N."""
    from ..gathered.transposed import transposed  # importing popsnn loads as little as it can

    if by_columns(weight):
        return _padded(weight.t(), dtype)
    return transposed(weight, dtype, pitch(weight.shape[0]))


def _messages(x: Tensor, planes: int, dtype: torch.dtype, *shared: Tensor) -> Tensor:
    """Return memory for messages [planes, T, B, pitch]: that of a tensor which has the same."""
    shape = messages_shape(x)
    for tensor in shared:
        if planes == 1 and tensor.dtype == dtype and tuple(tensor.shape) == shape:
            return tensor[None]
    return x.new_empty((planes, *shape), dtype=dtype)


def _states(x: Tensor, cell: Cell) -> list[Tensor]:
    """Return memory for a neuron's states, or for their gradients, each [B, N]."""
    return [x.new_empty(x.shape[1:], dtype=torch.float32) for _ in range(cell.options.states)]


def forward(
    cell: Cell,
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N], by rows or by columns
    initial: Sequence[Tensor],  # of [B, N]
    outputs: tuple[Tensor, Tensor, list[Tensor], Tensor, list[Tensor]],
    gathered_weight: Tensor | None = None,  # `by_source`, to read those of neurons that fire alone
    delays: Delays | None = None,
    sums: Tensor | None = None,  # float32 [T, B, N], to write those before dendritic delays to
    capacity: Capacity | None = None,
) -> None:
    """Write spikes, membrane, final states, spikes [T, B, pitch] in 16 bits, states extra.

    Spikes in 16 bits are those that are sent, which axonal delays have delayed.
    """
    spikes, membrane, last, second, extra = outputs
    start = initial[-1] if initial else None
    line, fired = None, spikes
    shared: tuple[Tensor, ...] = (second, spikes)
    if delays is not None:
        line = delays.forward_line(x)
        if delays.axonal:
            fired, shared, start = line, (second,), delays.first
    dtype, sixteen = cell.options.product, cell.options.sixteen
    messages = _messages(x, 1, sixteen, *shared)
    states = last or _states(x, cell)
    for index, state in enumerate(states):
        state.copy_(initial[index]) if initial else state.zero_()
    columns = by_columns(weight)
    tensors = Tensors({"x": x, "spikes": fired, "membrane": membrane}, {"extra": extra})
    left = None
    if gathered_weight is not None:
        from ..gathered import launch as gathered

        left, _ = gathered.launch(
            "forward", cell, x, gathered_weight, messages, tensors, states, before=bool(initial)
        )
    # Rows stream faster than columns, by 4 to 13 %, but for weights of 16 bits that L2 holds.
    rows = _is_padded(weight, dtype) and (dtype != sixteen or weight.shape[0] ** 2 * 2 > L2_BYTES)
    if gathered_weight is None or rows:
        wide = _padded(weight.t() if columns else weight, dtype)
    else:
        columns, wide = True, gathered_weight
    launch(
        "forward",
        cell,
        x,
        wide,
        messages,
        tensors,
        states,
        before=None if start is None else _padded(start, sixteen),
        columns=columns,
        begin=left,
        delays=delays,
        line=line,
        capacity=capacity,
    )
    if delays is not None and line is not None:
        delays.write_outputs(line, spikes, sums)


def backward(
    cell: Cell,
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N]
    initial: Sequence[Tensor],  # of [B, N]
    rows: dict[str, Tensor | None],  # of [T, B, N], by their names in the arguments
    extra: Sequence[Tensor],  # of [T, B, N], states other than membrane and spikes
    grad_final: Sequence[Tensor],  # of [B, N]
    grad_initial: Sequence[Tensor],  # of [B, N], to write to; none, where not wanted
    spikes16: Tensor,  # [T, B, pitch]
    learn: bool,
    grad_weight: bool,
    gathered_weight: Tensor | None = None,  # `by_source`, to read those of active neurons alone
    delays: Delays | None = None,
    undelayed: Tensor | None = None,  # float32 [T, B, N]: sums before learnt dendritic delays
    grad_delays: Sequence[Tensor] = (),  # of steps, history and first spikes, to write to
    capacity: Capacity | None = None,
) -> tuple[Tensor, list[Tensor]]:
    """Write the gradients of x and of the states; return those of weights and parameters."""
    neurons = x.shape[2]
    grad_x = rows["grad_x"]
    assert grad_x is not None
    later = delays is not None and not delays.axonal  # gradients of x are sent
    dtype, sixteen = cell.options.product, cell.options.sixteen
    shared = () if later or cell.options.half else (grad_x,)  # of float16 they are scaled
    messages = _messages(x, PLANES[dtype.itemsize], sixteen, *shared)
    line = None if delays is None else delays.grad_line(x)
    states = grad_initial or _states(x, cell)
    for index, state in enumerate(states):
        state.copy_(grad_final[index]) if grad_final else state.zero_()
    tensors = Tensors(rows, {"initial": initial, "extra": extra})
    left = gradients = None
    if gathered_weight is not None:
        from ..gathered import launch as gathered

        left, gradients = gathered.launch(
            "backward", cell, x, gathered_weight, messages, tensors, states, learn=learn
        )
    columns = gathered_weight is not None
    wide = _padded(weight, dtype) if gathered_weight is None else gathered_weight
    learnt = launch(
        "backward", cell, x, wide, messages, tensors, states, learn=learn, columns=columns,
        begin=left, delays=delays, line=line, capacity=capacity,
    )  # fmt: skip
    planes, spikes = messages[..., :neurons], spikes16[..., :neurons]
    start = initial[-1] if initial else None  # the spikes that act on step 0 through the weights
    back = grad_initial[-1] if grad_initial else None
    if delays is not None and line is not None:
        delays.write_gradients(grad_delays, line, spikes, undelayed)
        if delays.axonal:
            start = delays.first
            back = None if start is None else grad_delays[2].zero_()
    if back is not None:
        back.add_(planes[:, 0].double().sum(0) @ weight.to(dtype).double())
    total = weight.new_empty(0)
    if grad_weight:
        pairs = [(plane[1:], spikes[:-1]) for plane in planes]
        if start is not None:
            pairs += [(plane[:1], start.to(sixteen)[None]) for plane in planes]
        of_weight = cell.weight_gradient(weight)
        total = outer(*pairs[0], of_weight if len(pairs) == 1 else torch.float32)
        for pair in pairs[1:]:
            total += outer(*pair, torch.float32)
        total = total.to(of_weight)
    sums = [] if learnt is None else [learnt[row].sum(0) for row in cell.options.tensor_indices]
    if gradients is not None:
        sums = [a + gradients[row].sum(0) for a, row in zip(sums, cell.options.tensor_indices)]
    return total, sums
