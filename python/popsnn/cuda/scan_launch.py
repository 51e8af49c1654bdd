"""One scan over the time axis: its outputs and its launch, forward and backward.

What follows from a scan's options, shape and alignment alone (the kernel, its grid, most of its
arguments) is found out once and kept. A call then writes the pointers of its tensors and launches.
"""

from __future__ import annotations

from functools import lru_cache
from typing import List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import Tensor

from . import launch
from .program import (
    CHUNK,
    THREADS,
    ScanArguments,
    backward_lanes,
    backward_source,
    forward_source,
    history_bytes,
    ring_bytes,
)


class Scan(NamedTuple):
    """What a scan is but for its tensors."""

    neuron: str  # C++ that declares `Neuron`
    states: int
    kept: int  # of them, those that backward needs
    slots: Tuple[int, ...]  # which parameters are tensors
    inners: Tuple[int, ...]  # neuron n has the element (n // inner) % numel
    values: Tuple[float, ...]  # of the others
    form: str  # of the spikes
    membrane: bool
    final: bool
    gradient: str = ""  # C++ that declares `Gradient`
    surrogate: float = 0.0
    gate: float = 0.0


class Outputs(NamedTuple):
    """What forward gives; None where it was not asked for."""

    spikes: Optional[Tensor]  # [T, ...] in the memory order of x, or uint8 [T, ceil(N / 8)]
    membrane: Optional[Tensor]  # [T, ...] in the memory order of x
    final: List[Tensor]  # of [N]
    checkpoints: Optional[Tensor]  # [(chunks - 1) * kept, N]


class Gradients(NamedTuple):
    """What backward gives; empty where it was not asked for."""

    x: Tensor  # [T, ...] in the memory order of x
    initial: List[Tensor]  # of [N]
    parameters: List[Tensor]  # flat


def forward(
    scan: Scan,
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
        chunks = -(-steps // (CHUNK * scan.kept))
        if chunks > 1:
            checkpoints = x.new_empty(((chunks - 1) * scan.kept, neurons), dtype=float32)
    if not x.numel():  # no step: the states stay what they were
        for index, one in enumerate(final):
            one.copy_(initial[index]) if initial else one.zero_()
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
        launch.fill_tensors(arguments, scan.slots, scan.inners, parameters)
    call.launch(arguments)
    return Outputs(spikes, membrane, final, checkpoints)


def backward(
    scan: Scan,
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
    """Run a neuron backward; gradients that are not given are zero."""
    grad_x = torch.empty_like(x)
    steps = x.shape[0]
    neurons = x.shape[1:].numel()
    float32 = torch.float32
    before = [x.new_empty(neurons, dtype=float32) for _ in range(scan.states * grad_initial)]
    if not x.numel():
        for index, one in enumerate(before):
            one.copy_(grad_final[index]) if grad_final else one.zero_()
        return Gradients(grad_x, before, [torch.zeros_like(one) for one in parameters if learn])
    start = near = x.data_ptr()
    given, rows = "none", steps
    if grad_spikes is not None:
        near |= grad_spikes.data_ptr()
        given = "spikes"
        rows = grad_spikes.shape[0]
    if grad_membrane is not None:
        near |= grad_membrane.data_ptr()
        given = "membrane" if grad_spikes is None else "both"
        rows = grad_membrane.shape[0]
    call = _backward_call(scan, x.dtype, x.device, steps, neurons, near & 15, learn, given)
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
        launch.fill_tensors(arguments, scan.slots, scan.inners, parameters)
        if learn:
            learnt = [x.new_empty(neurons, dtype=float32) for _ in parameters]
            for slot, one in zip(scan.slots, learnt):
                arguments.grad_parameter[slot] = one.data_ptr()
    call.launch(arguments)
    # Sums in torch and not by atomic additions: the same numbers in every run.
    sums = [
        one.view(-1, parameter.numel(), inner).sum((0, 2))
        for one, parameter, inner in zip(learnt, parameters, scan.inners)
    ]
    return Gradients(grad_x, before, sums)


@lru_cache(maxsize=launch.KEPT_CALLS)
def _forward_call(
    scan: Scan, dtype: torch.dtype, device: torch.device, steps: int, neurons: int, start: int
) -> launch.Call:
    size = dtype.itemsize
    source = forward_source(scan.neuron, dtype, launch.mask(scan.slots), scan.form, scan.membrane)
    if scan.form == "bits":
        lanes, suffix = 8, "bits_any" if neurons % 8 or start % 16 else "bits"
    else:
        lanes = launch.lanes(neurons, size, start, device)
        suffix = str(lanes)
    return launch.Call(
        launch.load(source, device),
        f"scan_forward_{suffix}",
        launch.blocks(neurons, lanes),
        THREADS * ring_bytes(lanes, size, steps),
        _template(scan, steps, neurons),
    )


@lru_cache(maxsize=launch.KEPT_CALLS)
def _backward_call(
    scan: Scan,
    dtype: torch.dtype,
    device: torch.device,
    steps: int,
    neurons: int,
    start: int,
    learn: bool,
    given: str,
) -> launch.Call:
    size = dtype.itemsize
    source = backward_source(
        scan.neuron, scan.gradient, dtype, launch.mask(scan.slots), learn, given, scan.kept
    )
    possible = backward_lanes(size, scan.kept, learn)
    lanes = launch.lanes(neurons, size, start, device, possible)
    per_thread = ring_bytes(lanes, size) + history_bytes(lanes, scan.kept, steps)
    return launch.Call(
        launch.load(source, device),
        f"scan_backward_{lanes}",
        launch.blocks(neurons, lanes),
        THREADS * per_thread,
        _template(scan, steps, neurons),
    )


def _template(scan: Scan, steps: int, neurons: int) -> bytes:
    arguments = ScanArguments(
        neurons=neurons, steps=steps, surrogate=scan.surrogate, gate=scan.gate
    )
    arguments.scalar[: len(scan.values)] = list(scan.values)
    return bytes(arguments)
