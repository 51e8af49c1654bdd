"""The backward pass of a scan: its outputs and its launch.

As in `scan.py`, a launch is found out once and cached.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, List, NamedTuple, Optional, Sequence

import torch
from torch import Tensor

from ..device import launch, module
from ..device.options import encode
from ..device.program import (
    THREADS,
    arguments_kind,
    backward_source,
    backward_vectors,
    chunk,
    history_bytes,
    maps_source,
    ring_bytes,
    segment_vectors,
)
from . import segments

if TYPE_CHECKING:
    from .scan import ScanOptions


class Gradients(NamedTuple):
    """Outputs of the backward pass; empty where they were not asked for."""

    x: Tensor  # [T, ...] in the memory order of x
    others: List[Tensor]  # likewise, of the other inputs
    initial: List[Tensor]  # of [N]
    parameters: List[Tensor]  # flat


def backward(
    scan: ScanOptions,
    x: Tensor,  # [T, ...], dense, time outermost
    others: Sequence[Tensor],  # inputs other than the first, each as x
    initial: Sequence[Tensor],  # of [N]
    parameters: Sequence[Tensor],  # flat
    checkpoints: Tensor | None,  # [(chunks - 1) * kept, N]
    grad_spikes: Tensor | None,  # as x, in its memory order; or one step for all of them
    grad_membrane: Tensor | None,  # likewise, one step where the other is
    grad_final: Sequence[Tensor],  # of [N]
    learn: bool,
    grad_initial: bool,
) -> Gradients:
    """Run a neuron backward; gradients that are None are zero."""
    grad_x = torch.empty_like(x)
    grad_others = [torch.empty_like(x) for _ in others]
    steps = x.shape[0]
    neurons = x.shape[1:].numel()
    float32 = torch.float32
    before = [x.new_empty(neurons, dtype=float32) for _ in range(scan.states * grad_initial)]
    if not x.numel():
        for index, tensor in enumerate(before):
            tensor.copy_(grad_final[index]) if grad_final else tensor.zero_()
        return Gradients(
            grad_x,
            grad_others,
            before,
            [torch.zeros_like(parameter) for parameter in parameters if learn],
        )
    start = address = x.data_ptr()
    if others:
        address |= launch.addresses(others)
    form, rows = "none", steps
    if grad_spikes is not None:
        address |= grad_spikes.data_ptr()
        form = "spikes"
        rows = grad_spikes.shape[0]
    if grad_membrane is not None:
        address |= grad_membrane.data_ptr()
        form = "membrane" if grad_spikes is None else "both"
        rows = grad_membrane.shape[0]
    shards = segments.most(neurons * x.element_size(), scan.saved, steps, x.device)
    maps, call, count = _backward_calls(
        scan, x.dtype, x.device, steps, neurons, address & 15, learn, form, shards
    )
    arguments = arguments_kind(scan.inputs).from_buffer_copy(call.template)
    arguments.x = start
    arguments.grad_x = grad_x.data_ptr()
    if others:
        launch.point(arguments.other_x, others)
        launch.point(arguments.grad_other_x, grad_others)
    arguments.grad_stride = neurons if rows == steps else 0
    if grad_spikes is not None:
        arguments.grad_spikes = grad_spikes.data_ptr()
    if grad_membrane is not None:
        arguments.grad_membrane = grad_membrane.data_ptr()
    if checkpoints is not None:
        arguments.checkpoints = launch.pointer(checkpoints)
    if initial:
        initial = launch.aligned(initial)
        launch.point(arguments.initial, initial)
    if grad_final:
        grad_final = launch.aligned(grad_final)
        launch.point(arguments.grad_final, grad_final)
    if before:
        launch.point(arguments.grad_initial, before)
    learnt: List[Tensor] = []
    if parameters:
        launch.fill_tensors(arguments, scan.tensor_indices, scan.inners, parameters)
        if learn:
            learnt = [x.new_empty((count, neurons), dtype=float32) for _ in parameters]
            for row, tensor in zip(scan.tensor_indices, learnt):
                arguments.grad_parameter[row] = tensor.data_ptr()
    if maps is not None:
        numbers = segments.numbers(scan.carried)
        workspace = x.new_empty((count - 1, numbers, neurons), dtype=float32)
        arguments.maps = workspace.data_ptr()
        maps.launch(arguments)
    call.launch(arguments)
    # Sums in torch and not by atomic additions: the same numbers in every run.
    sums = [
        tensor.view(-1, parameter.numel(), inner).sum((0, 2))
        for tensor, parameter, inner in zip(learnt, parameters, scan.inners)
    ]
    return Gradients(grad_x, grad_others, before, sums)


class BackwardCalls(NamedTuple):
    """Kernels of the backward pass."""

    maps: Optional[module.Call]  # of a backward pass over several time shards
    backward: module.Call
    segments: int


@lru_cache(maxsize=launch.CACHED_CALLS)
def _backward_calls(
    scan: ScanOptions,
    dtype: torch.dtype,
    device: torch.device,
    steps: int,
    neurons: int,
    start: int,
    learn: bool,
    grads: str,
    shards: int,
) -> BackwardCalls:
    size, saved = dtype.itemsize, scan.saved
    shared = (scan.neuron, scan.gradient, dtype, launch.mask(scan.tensor_indices))
    source = backward_source(*shared, learn, grads, saved, scan.carried, scan.inputs)
    chunks = -(-steps // chunk(saved))
    if shards == 1:
        possible = backward_vectors(size, saved, learn)
    else:
        possible = segment_vectors(size, saved, learn, scan.inputs)
    enough = launch.THREADS_PER_MULTIPROCESSOR if shards == 1 else segments.THREADS
    vector = launch.vector(neurons, size, start, device, possible, shards, enough)
    blocks = launch.blocks(neurons, vector)
    ring = THREADS * ring_bytes(vector, size)
    bytes_of_block = ring + THREADS * history_bytes(vector, saved, steps)
    count, of_each = segments.split(blocks, chunks, shards, bytes_of_block, device)
    template = scan.template(steps, neurons, count, of_each)
    backward_call = module.Call(
        launch.load(source, device),
        f"scan_backward_{vector}",
        blocks * count,
        bytes_of_block,
        template,
    )
    maps = None
    if count > 1:
        maps = module.Call(
            launch.load(maps_source(*shared, grads, saved, scan.carried, scan.inputs), device),
            f"segment_maps_{vector}",
            blocks * (count - 1),
            ring,
            template,
        )
    return BackwardCalls(maps, backward_call, count)


def run_backward(
    scan: ScanOptions,
    x: Tensor,
    others: Sequence[Tensor],
    initial: List[Tensor],
    parameters: List[Tensor],
    checkpoints: Tensor,
    grad_spikes: Optional[Tensor],
    grad_membrane: Optional[Tensor],
    grad_final: List[Tensor],
    learn: bool,
    grad_initial: bool,
) -> Gradients:
    """Run the operator over x [T, N]."""
    result = torch.ops.popsnn.scan_backward(
        x, others, initial, parameters, checkpoints, grad_spikes, grad_membrane, grad_final,
        encode(*scan), learn, grad_initial,
    )  # fmt: skip
    return Gradients(*result)
