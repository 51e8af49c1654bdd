"""From tensors to a launch: pointers, shapes, and how many neurons a thread takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Sequence

import torch
from torch import Tensor

from . import module
from .program import (
    LANES,
    THREADS,
    ScanArguments,
    backward_lanes,
    backward_source,
    forward_source,
    history_bytes,
    ring_bytes,
)

THREADS_PER_MULTIPROCESSOR = 96  # below, threads take fewer neurons each


class Loader(Protocol):
    """What `module.load` is; the tests put kernels compiled for a CPU in its place."""

    def __call__(self, source: str, device: torch.device) -> module.Module: ...


load: Loader = module.load


@dataclass(frozen=True)
class Parameters:
    """The parameters of a neuron, in its order.

    `values` has a number a parameter, `tensors` the flat float32 tensors of those that are one, at
    the places `slots`; neuron n has the element (n // inner) % numel.
    """

    values: Sequence[float]
    tensors: Sequence[Tensor]
    slots: Sequence[int]
    inners: Sequence[int]

    @property
    def mask(self) -> int:
        """Bit i: parameter i is a tensor."""
        return sum(1 << slot for slot in self.slots)

    def fill(self, arguments: ScanArguments) -> None:
        """Write them into the kernel's arguments."""
        for index, value in enumerate(self.values):
            arguments.scalar[index] = value
        for slot, inner, tensor in zip(self.slots, self.inners, self.tensors):
            arguments.parameter[slot] = tensor.data_ptr()
            arguments.parameter_inner[slot] = inner
            arguments.parameter_period[slot] = tensor.numel()


def launch_forward(
    neuron: str,
    parameters: Parameters,
    x: Tensor,  # [T, N]
    initial: Sequence[Tensor],  # of [N]
    *,
    form: str,
    spikes: Tensor,
    membrane: Tensor,
    final: Sequence[Tensor],  # of [N]
    checkpoints: Tensor,
) -> None:
    """Run a neuron forward; of the outputs, those without elements are not written."""
    arguments = _arguments(x, parameters, initial)
    arguments.spikes = _pointer(spikes)
    arguments.membrane = _pointer(membrane)
    arguments.checkpoints = _pointer(checkpoints)
    _pointers(arguments.final, final)
    size = x.element_size()
    lanes = _lanes(x, [spikes, membrane] if form == "float" else [membrane])
    suffix = str(lanes)
    if form == "bits":
        whole = x.shape[1] % 8 == 0 and all(t.data_ptr() % 16 == 0 for t in (x, membrane))
        lanes, suffix = 8, "bits" if whole else "bits_any"
    kernels = load(
        forward_source(neuron, x.dtype, parameters.mask, form, membrane.numel() > 0), x.device
    )
    shared = THREADS * ring_bytes(lanes, size, x.shape[0])
    kernels.launch(
        f"scan_forward_{suffix}", _blocks(x, lanes), THREADS, shared, arguments, x.device
    )


def launch_backward(
    neuron: str,
    gradient: str,
    surrogate: float,
    gate: float,
    kept: int,
    parameters: Parameters,
    x: Tensor,  # [T, N]
    initial: Sequence[Tensor],  # of [N]
    checkpoints: Tensor,
    *,
    grad_spikes: Tensor | None,  # [T, N]
    grad_membrane: Tensor | None,  # [T, N]
    grad_final: Sequence[Tensor],  # of [N]
    grad_x: Tensor,  # [T, N]
    grad_initial: Sequence[Tensor],  # of [N]
    grad_parameter: Sequence[Tensor],  # [N] for each parameter, or none
) -> None:
    """Run a neuron backward; gradients that are not given are zero."""
    arguments = _arguments(x, parameters, initial)
    arguments.surrogate = surrogate
    arguments.gate = gate
    arguments.checkpoints = _pointer(checkpoints)
    arguments.grad_x = _pointer(grad_x)
    arguments.grad_spikes = 0 if grad_spikes is None else grad_spikes.data_ptr()
    arguments.grad_membrane = 0 if grad_membrane is None else grad_membrane.data_ptr()
    _pointers(arguments.grad_final, grad_final)
    _pointers(arguments.grad_initial, grad_initial)
    _pointers(arguments.grad_parameter, grad_parameter)
    steps = x.shape[0]
    rows = [one for one in (grad_spikes, grad_membrane, grad_x) if one is not None]
    learn = len(grad_parameter) > 0
    lanes = _lanes(x, rows, backward_lanes(x.element_size(), kept, learn))
    given = {
        (False, False): "none",
        (True, False): "spikes",
        (False, True): "membrane",
        (True, True): "both",
    }[grad_spikes is not None, grad_membrane is not None]
    source = backward_source(neuron, gradient, x.dtype, parameters.mask, learn, given, kept)
    per_thread = ring_bytes(lanes, x.element_size()) + history_bytes(lanes, kept, steps)
    load(source, x.device).launch(
        f"scan_backward_{lanes}",
        _blocks(x, lanes),
        THREADS,
        THREADS * per_thread,
        arguments,
        x.device,
    )


def _arguments(x: Tensor, parameters: Parameters, initial: Sequence[Tensor]) -> ScanArguments:
    arguments = ScanArguments()
    arguments.x = x.data_ptr()
    arguments.steps, arguments.neurons = x.shape
    parameters.fill(arguments)
    _pointers(arguments.initial, initial)
    return arguments


def _pointer(tensor: Tensor) -> int:
    return tensor.data_ptr() if tensor.numel() else 0


def _pointers(array: object, tensors: Sequence[Tensor]) -> None:
    for index, tensor in enumerate(tensors):
        array[index] = _pointer(tensor)  # type: ignore[index]


def _lanes(x: Tensor, rows: Sequence[Tensor], possible: Sequence[int] | None = None) -> int:
    """Return the neurons of a thread: as many as 16 bytes hold, unless too few threads remain.

    `possible` are the choices, widest first; by default all that fit 16 bytes.
    """
    neurons, size = x.shape[1], x.element_size()
    starts = x.data_ptr()
    for row in rows:
        starts |= row.data_ptr()
    enough = THREADS_PER_MULTIPROCESSOR * _multiprocessors(x.device)
    narrow = 1
    for lanes in possible or LANES[size]:
        if neurons % lanes == 0 and starts % (lanes * size) == 0:
            if neurons >= lanes * enough:
                return lanes
            if lanes * size >= 4:  # what an asynchronous copy moves at least
                narrow = lanes
    return narrow


@lru_cache(maxsize=None)
def _multiprocessors(device: torch.device) -> int:
    if device.type != "cuda":
        return 1
    return int(torch.cuda.get_device_properties(device).multi_processor_count)


def _blocks(x: Tensor, lanes: int) -> int:
    return -(-x.shape[1] // (lanes * THREADS))
