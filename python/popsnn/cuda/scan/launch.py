"""One scan over the time axis: its outputs and its launch, forward and backward.

What follows from a scan's options, shape and alignment alone (the kernel, its grid, most of its
arguments) is found out once and kept. A call then writes the pointers of its tensors and launches.
"""

from __future__ import annotations

from functools import lru_cache
from typing import List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import Tensor

from ..device import launch
from ..device.program import (
    THREADS,
    ScanArguments,
    backward_source,
    backward_vectors,
    chunk,
    forward_ring_bytes,
    forward_source,
    history_bytes,
    maps_source,
    ring_bytes,
    segment_vectors,
)
from . import segments


class ScanOptions(NamedTuple):
    """Options of a scan: all but its tensors."""

    neuron: str  # C++ that declares `Neuron`
    states: int
    saved: int  # of them, those that backward needs
    tensor_indices: Tuple[int, ...]  # which parameters are tensors
    inners: Tuple[int, ...]  # neuron n has the element (n // inner) % numel
    values: Tuple[float, ...]  # of the others
    form: str  # of the spikes
    membrane: bool
    final: bool
    carried: int = 0  # the states whose gradient goes on from step to step, as bits
    gradient: str = ""  # C++ that declares `Gradient`
    surrogate: float = 0.0
    grad_threshold: float = 0.0


class Outputs(NamedTuple):
    """Outputs of the forward pass; None where they were not asked for."""

    spikes: Optional[Tensor]  # [T, ...] in the memory order of x, or uint8 [T, ceil(N / 8)]
    membrane: Optional[Tensor]  # [T, ...] in the memory order of x
    final: List[Tensor]  # of [N]
    checkpoints: Optional[Tensor]  # [(chunks - 1) * kept, N]


class Gradients(NamedTuple):
    """Outputs of the backward pass; empty where they were not asked for."""

    x: Tensor  # [T, ...] in the memory order of x
    initial: List[Tensor]  # of [N]
    parameters: List[Tensor]  # flat


def forward(
    scan: ScanOptions,
    x: Tensor,  # [T, ...], dense, time outermost
    initial: Sequence[Tensor],  # of [N]
    parameters: Sequence[Tensor],  # flat
    save: bool,
) -> Outputs:
    """Run a neuron forward over the N elements of each step; `save` what backward needs."""
    steps = x.shape[0]
    neurons = x.shape[1:].numel()
    float32 = torch.float32
    spikes: Tensor | None = None
    if scan.form == "float":
        spikes = torch.empty_like(x)
    elif scan.form == "int8":
        spikes = torch.empty_like(x, dtype=torch.int8)
    elif scan.form == "bits":
        spikes = x.new_empty((steps, -(-neurons // 8)), dtype=torch.uint8)
    membrane = torch.empty_like(x) if scan.membrane else None
    final = [x.new_empty(neurons, dtype=float32) for _ in range(scan.states)] if scan.final else []
    checkpoints = None
    if save:
        chunks = -(-steps // chunk(scan.saved))
        if chunks > 1:
            checkpoints = x.new_empty(((chunks - 1) * scan.saved, neurons), dtype=float32)
    if not x.numel():  # no step: the states stay what they were
        for index, tensor in enumerate(final):
            tensor.copy_(initial[index]) if initial else tensor.zero_()
        return Outputs(spikes, membrane, final, checkpoints)
    start = x.data_ptr()
    call = _forward_call(scan, x.dtype, x.device, steps, neurons, start & 15)
    arguments = ScanArguments.from_buffer_copy(call.template)
    arguments.x = start
    if spikes is not None:
        arguments.spikes = spikes.data_ptr()
    if membrane is not None:
        arguments.membrane = membrane.data_ptr()
    if checkpoints is not None:
        arguments.checkpoints = checkpoints.data_ptr()
    if initial:
        initial = launch.aligned(initial)
        launch.point(arguments.initial, initial)
    if final:
        launch.point(arguments.final, final)
    if parameters:
        launch.fill_tensors(arguments, scan.tensor_indices, scan.inners, parameters)
    call.launch(arguments)
    return Outputs(spikes, membrane, final, checkpoints)


def backward(
    scan: ScanOptions,
    x: Tensor,  # [T, ...], dense, time outermost
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
    steps = x.shape[0]
    neurons = x.shape[1:].numel()
    float32 = torch.float32
    before = [x.new_empty(neurons, dtype=float32) for _ in range(scan.states * grad_initial)]
    if not x.numel():
        for index, tensor in enumerate(before):
            tensor.copy_(grad_final[index]) if grad_final else tensor.zero_()
        return Gradients(
            grad_x, before, [torch.zeros_like(parameter) for parameter in parameters if learn]
        )
    start = address = x.data_ptr()
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
    arguments = ScanArguments.from_buffer_copy(call.template)
    arguments.x = start
    arguments.grad_x = grad_x.data_ptr()
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
    return Gradients(grad_x, before, sums)


@lru_cache(maxsize=launch.CACHED_CALLS)
def _forward_call(
    scan: ScanOptions,
    dtype: torch.dtype,
    device: torch.device,
    steps: int,
    neurons: int,
    start: int,
) -> launch.Call:
    size = dtype.itemsize
    source = forward_source(
        scan.neuron, dtype, launch.mask(scan.tensor_indices), scan.form, scan.membrane
    )
    if scan.form == "bits":
        vector, suffix = 8, "bits_any" if neurons % 8 or start % 16 else "bits"
    else:
        vector = launch.vector(neurons, size, start, device)
        suffix = str(vector)
    return launch.Call(
        launch.load(source, device),
        f"scan_forward_{suffix}",
        launch.blocks(neurons, vector),
        THREADS * forward_ring_bytes(vector, size, steps),
        _template(scan, steps, neurons),
    )


class BackwardCalls(NamedTuple):
    """Kernels of the backward pass."""

    maps: Optional[launch.Call]  # of a backward pass over several time shards
    backward: launch.Call
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
    source = backward_source(*shared, learn, grads, saved, scan.carried)
    chunks = -(-steps // chunk(saved))
    possible = (backward_vectors if shards == 1 else segment_vectors)(size, saved, learn)
    enough = launch.THREADS_PER_MULTIPROCESSOR if shards == 1 else segments.THREADS
    vector = launch.vector(neurons, size, start, device, possible, shards, enough)
    blocks = launch.blocks(neurons, vector)
    ring = THREADS * ring_bytes(vector, size)
    bytes_of_block = ring + THREADS * history_bytes(vector, saved, steps)
    count, of_each = segments.split(blocks, chunks, shards, bytes_of_block, device)
    template = _template(scan, steps, neurons, count, of_each)
    backward_call = launch.Call(
        launch.load(source, device),
        f"scan_backward_{vector}",
        blocks * count,
        bytes_of_block,
        template,
    )
    maps = None
    if count > 1:
        maps = launch.Call(
            launch.load(maps_source(*shared, grads, saved, scan.carried), device),
            f"segment_maps_{vector}",
            blocks * (count - 1),
            ring,
            template,
        )
    return BackwardCalls(maps, backward_call, count)


def _template(
    scan: ScanOptions, steps: int, neurons: int, count: int = 1, segment_chunks: int = 0
) -> bytes:
    arguments = ScanArguments(
        neurons=neurons,
        steps=steps,
        surrogate=scan.surrogate,
        grad_threshold=scan.grad_threshold,
        segments=count,
        segment_chunks=segment_chunks,
    )
    arguments.scalar[: len(scan.values)] = list(scan.values)
    return bytes(arguments)
