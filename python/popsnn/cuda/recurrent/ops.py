"""The operators `popsnn::recurrent_forward` and `popsnn::recurrent_backward`, over [T, B, N]."""

from __future__ import annotations

from typing import Any, List, Tuple

import torch
from torch import Tensor

from ..device import ops
from ..device.launch import multiprocessors
from ..device.products import outer
from .arguments import Cell, Tensors
from .cluster import launch as cluster
from .resident import launch as resident
from .resident import octet, pair
from .step import launch as step_launch
from .streamed import streamed

# Spikes, membrane [T, B, N], final states [B, N], spikes in bfloat16, extra states [T, B, N].
ForwardOutputs = Tuple[Tensor, Tensor, List[Tensor], Tensor, List[Tensor]]

ops.LIBRARY.define(
    "recurrent_forward(Tensor x, Tensor weight, Tensor[] initial, Tensor[] parameters, "
    "int[] slots, float[] values, str neuron, int states, bool membrane, bool extra, "
    "bool final, bool spikes16, bool exact) "
    "-> (Tensor spikes, Tensor membrane, Tensor[] final, Tensor spikes16, Tensor[] extra)"
)
ops.LIBRARY.define(
    "recurrent_backward(Tensor x, Tensor weight, Tensor[] initial, Tensor[] parameters, "
    "int[] slots, float[] values, Tensor membrane, Tensor[] extra, Tensor spikes16, "
    "Tensor? grad_spikes, Tensor? grad_membrane, Tensor[] grad_final, str neuron, str gradient, "
    "float surrogate, float grad_threshold, bool learn, bool grad_weight, bool grad_initial, "
    "bool exact) "
    "-> (Tensor grad_x, Tensor grad_weight, Tensor[] grad_initial, Tensor[] grad_parameters)"
)


def _forward_outputs(
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N]
    initial: list[Tensor],  # of [B, N]
    parameters: list[Tensor],  # of [N]
    slots: list[int],
    values: list[float],
    neuron: str,
    states: int,
    membrane: bool,
    extra: bool,
    final: bool,
    spikes16: bool,
    exact: bool,
) -> ForwardOutputs:
    shape: tuple[int, ...] = tuple(x.shape)
    if x.numel() and _forward_way(x, weight, exact, states, len(values)) == "streamed":
        shape = streamed.messages_shape(x)
    second = spikes16 and (x.dtype != torch.bfloat16 or shape != tuple(x.shape))
    return (
        torch.empty_like(x),
        x.new_empty(x.shape if membrane else 0, dtype=torch.float32),
        [x.new_empty(x.shape[1:], dtype=torch.float32) for _ in range(states * final)],
        x.new_empty(shape if second else 0, dtype=torch.bfloat16),
        [x.new_empty(x.shape, dtype=torch.float32) for _ in range((states - 2) * extra)],
    )


def _recurrent_forward(
    x: Tensor,
    weight: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    slots: list[int],
    values: list[float],
    neuron: str,
    states: int,
    membrane: bool,
    extra: bool,
    final: bool,
    spikes16: bool,
    exact: bool,
) -> ForwardOutputs:
    outputs = _forward_outputs(
        x, weight, initial, parameters, slots, values, neuron, states, membrane, extra, final,
        spikes16, exact,
    )  # fmt: skip
    spikes, trace, last, second, others = outputs
    if not x.numel():  # no step: the states stay what they were
        for index, one in enumerate(last):
            one.copy_(initial[index]) if initial else one.zero_()
        return outputs
    cell = Cell(neuron, states, values, parameters, slots)
    way = _forward_way(x, weight, exact, states, len(values))
    if way == "streamed":
        streamed.forward(cell, x, weight, initial, outputs, exact)
        return outputs
    tensors = Tensors(
        {"x": x, "spikes": spikes, "spikes16": second, "membrane": trace},
        {"initial": initial, "final": last, "extra": others},
    )
    if way == "step":
        step_launch.launch(cell, x, weight, tensors)
        return outputs
    weight = weight.contiguous()
    if way == "clusters":
        cluster.launch("forward", cell, x, weight, tensors)
    elif way == "octet":
        octet.launch(cell, x, weight, tensors)
    else:
        resident.launch(cell, x, weight, tensors)
    return outputs


def _backward_outputs(
    x: Tensor,  # [T, B, N]
    weight: Tensor,  # [N, N]
    initial: list[Tensor],  # of [B, N]
    parameters: list[Tensor],  # of [N]
    slots: list[int],
    values: list[float],
    membrane: Tensor,  # [T, B, N]
    extra: list[Tensor],  # of [T, B, N], states other than membrane and spikes
    spikes16: Tensor,  # [T, B, N]
    grad_spikes: Tensor | None,  # [T, B, N]
    grad_membrane: Tensor | None,  # [T, B, N]
    grad_final: list[Tensor],  # of [B, N]
    neuron: str,
    gradient: str,
    surrogate: float,
    grad_threshold: float,
    learn: bool,
    grad_weight: bool,
    grad_initial: bool,
    exact: bool,
) -> tuple[Tensor, Tensor, list[Tensor], list[Tensor]]:
    return (
        torch.empty_like(x),
        weight.new_empty(weight.shape if grad_weight else 0),
        _initial_gradients(x, extra, grad_initial),
        [torch.empty_like(one) for one in parameters if learn],
    )


def _recurrent_backward(
    x: Tensor,
    weight: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    slots: list[int],
    values: list[float],
    membrane: Tensor,
    extra: list[Tensor],
    spikes16: Tensor,
    grad_spikes: Tensor | None,
    grad_membrane: Tensor | None,
    grad_final: list[Tensor],
    neuron: str,
    gradient: str,
    surrogate: float,
    grad_threshold: float,
    learn: bool,
    grad_weight: bool,
    grad_initial: bool,
    exact: bool,
) -> tuple[Tensor, Tensor, list[Tensor], list[Tensor]]:
    weight = weight.contiguous()
    grad_x = torch.empty_like(x)
    before = _initial_gradients(x, extra, grad_initial)
    if not x.numel():
        for index, one in enumerate(before):
            one.copy_(grad_final[index]) if grad_final else one.zero_()
        nothing = torch.zeros_like(weight) if grad_weight else weight.new_empty(0)
        return grad_x, nothing, before, [torch.zeros_like(one) for one in parameters if learn]
    rows = {
        "membrane": membrane,
        "grad_spikes": torch.zeros_like(x) if grad_spikes is None else grad_spikes,
        "grad_membrane": grad_membrane,
        "grad_x": grad_x,
    }
    states = 2 + len(extra)
    cell = Cell(neuron, states, values, parameters, slots, gradient, surrogate, grad_threshold)
    way = _way(x, exact, states, len(values))
    if way == "streamed":
        total, sums = streamed.backward(
            cell, x, weight, initial, rows, extra, grad_final, before, spikes16, learn,
            grad_weight, exact,
        )  # fmt: skip
        return grad_x, total, before, sums
    sixteen = x.dtype == torch.bfloat16
    grad_x16 = grad_x if sixteen else x.new_empty(
        x.shape if grad_weight or grad_initial else 0, dtype=torch.bfloat16
    )  # fmt: skip
    rows["grad_x16"] = None if sixteen else grad_x16
    tensors = Tensors(
        rows,
        {"initial": initial, "grad_final": grad_final, "grad_initial": before, "extra": extra},
    )
    learnt = None  # [launches or clusters, parameters, N]
    if way == "clusters":
        learnt = cluster.launch("backward", cell, x, weight, tensors, learn=learn)
    else:
        learnt = pair.launch(cell, x, weight, tensors, learn=learn)
    if grad_initial:  # the spikes before step 0 act through the weights too
        before[-1] += torch.mm(grad_x16[0], weight.to(torch.bfloat16)).float()
    total = weight.new_empty(0)
    if grad_weight:
        total = outer(grad_x16[1:], spikes16[:-1], weight.dtype)
        if initial:
            total += outer(grad_x16[:1], initial[-1].to(torch.bfloat16)[None], weight.dtype)
    sums = [] if learnt is None else [learnt[:, slot].sum(0) for slot in slots]
    return grad_x, total, before, sums


def _initial_gradients(x: Tensor, extra: list[Tensor], wanted: bool) -> list[Tensor]:
    """Return memory for the gradients of the states before the first step, if they are wanted."""
    count = (2 + len(extra)) * wanted
    return [x.new_empty(x.shape[1:], dtype=torch.float32) for _ in range(count)]


def _way(x: Tensor, exact: bool, states: int, parameters: int) -> str:
    """Return how a layer runs: the fastest way that has room for its weights.

    The kernels of "resident" are for neurons as LIF is.
    """
    steps, _, neurons = x.shape
    count = multiprocessors(x.device)
    if cluster.in_clusters(neurons, steps, exact, count):
        return "clusters"
    simple = max(states, parameters) <= 2
    return "resident" if simple and resident.fits(neurons, steps, exact, count) else "streamed"


def _forward_way(x: Tensor, weight: Tensor, exact: bool, states: int, parameters: int) -> str:
    """Return how a layer runs forward: a single step as none does back."""
    if step_launch.fits(x, weight, exact):
        return "step"
    way = _way(x, exact, states, parameters)
    few = x.shape[1] <= octet.MOST_SAMPLES
    return "octet" if few and way == "resident" else way


ops.register(
    {
        "recurrent_forward": (_recurrent_forward, _forward_outputs),
        "recurrent_backward": (_recurrent_backward, _backward_outputs),
    },
)


def recurrent_forward(*arguments: Any) -> ForwardOutputs:
    """Run the operator of this name, or its kernel at once where nobody is watching."""
    watched = ops.watched(arguments[0])
    run = torch.ops.popsnn.recurrent_forward if watched else _recurrent_forward
    result: ForwardOutputs = run(*arguments)
    return result


def recurrent_backward(*arguments: Any) -> tuple[Tensor, Tensor, list[Tensor], list[Tensor]]:
    """Run the operator of this name, or its kernel at once where nobody is watching."""
    watched = ops.watched(arguments[0])
    run = torch.ops.popsnn.recurrent_backward if watched else _recurrent_backward
    result: tuple[Tensor, Tensor, list[Tensor], list[Tensor]] = run(*arguments)
    return result
