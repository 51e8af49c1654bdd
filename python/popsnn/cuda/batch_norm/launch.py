"""Batch normalisation with LIF on the kernels: x to spikes, without the current between them."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import Tensor

from ..device import launch, module
from ..device.program import (
    CHUNK,
    THREADS,
    TYPES,
    VECTORS,
    ScanArguments,
    entry,
    history_bytes,
    ring_bytes,
)


class BatchNormLifArguments(ctypes.Structure):
    """`popsnn::BatchNormLifArguments` of `cuda/popsnn/batch_norm/lif.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("scan", ScanArguments),
        ("residual", ctypes.c_void_p),
        ("bits", ctypes.c_void_p),
        ("scale", ctypes.c_void_p),
        ("shift", ctypes.c_void_p),
        ("mean", ctypes.c_void_p),
        ("sum", ctypes.c_void_p),
        ("sum_x", ctypes.c_void_p),
        ("inner", ctypes.c_longlong),
        ("channels", ctypes.c_longlong),
    ]


@lru_cache(maxsize=None)
def forward_source(
    neuron: str, dtype: torch.dtype, tensors: int, residual: bool, bits: bool
) -> str:
    """Return the kernels `batch_norm_lif_forward_<vector>`, of bits `_8` and, of any row, `_any`.

    Bit i of `tensors` says that parameter i of the neuron is a tensor.
    """
    lines = ["#include <popsnn/batch_norm/forward.cuh>", neuron]
    widths = [(f"{vector}", vector, "true") for vector in VECTORS[dtype.itemsize]]
    if bits:
        widths = [("8", 8, "true"), ("any", 8, "false")]
    for suffix, vector, whole in widths:
        flags = f"{str(residual).lower()}, {str(bits).lower()}"
        options = f"Neuron, {TYPES[dtype]}, {vector}, {whole}, {tensors}u, {flags}"
        # 8 neurons of 4 bytes: without the 1, NVRTC 13.0 keeps to 128 registers and spills.
        bounds = "popsnn::kThreads, 1" if bits and dtype.itemsize == 4 else "popsnn::kThreads"
        call = f"batch_norm_lif_forward<{options}>"
        lines.append(
            entry(f"batch_norm_lif_forward_{suffix}", "BatchNormLifArguments", call, bounds)
        )
    return "\n".join(lines)


@lru_cache(maxsize=None)
def backward_source(
    neuron: str, gradient: str, dtype: torch.dtype, tensors: int, residual: bool
) -> str:
    """Return the kernels `batch_norm_lif_backward_<vector>`; `gradient` declares `Gradient`."""
    headers = ("batch_norm/backward", "neurons/surrogates")
    lines = [*(f"#include <popsnn/{header}.cuh>" for header in headers), neuron, gradient]
    for vector in VECTORS[dtype.itemsize]:
        options = f"Neuron, Gradient, {TYPES[dtype]}, {vector}, {tensors}u, {str(residual).lower()}"
        call = f"batch_norm_lif_backward<{options}>"
        lines.append(entry(f"batch_norm_lif_backward_{vector}", "BatchNormLifArguments", call))
    return "\n".join(lines)


class BatchNormLifOptions(NamedTuple):
    """Options of a layer: all but its tensors."""

    neuron: str  # C++ that declares `Neuron`
    tensor_indices: Tuple[int, ...]  # which parameters of the neuron are tensors [C]
    values: Tuple[float, ...]  # of the others
    inner: int  # neurons in a row of memory of the same channel
    channels: int  # C
    bits: bool = False
    final: bool = False
    gradient: str = ""  # C++ that declares `Gradient`
    surrogate: float = 0.0
    grad_threshold: float = 0.0


class Outputs(NamedTuple):
    """Outputs of the forward pass; None or empty where they were not asked for."""

    spikes: Tensor  # as x
    bits: Optional[Tensor]  # uint8 [T, ceil(N / 8)]
    final: List[Tensor]  # of [N]
    checkpoints: Optional[Tensor]  # [chunks - 1, N]


class Gradients(NamedTuple):
    """Outputs of the backward pass."""

    u: Tensor  # as x
    sums: Tensor  # [2, N], over T: of the gradient of u, and of that times (x - mean)
    initial: List[Tensor]  # of [N]; empty where it was not asked for


def forward(
    layer: BatchNormLifOptions,
    x: Tensor,  # [T, ...], dense, time outermost
    residual: Tensor | None,  # as x, in its memory order
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    initial: Sequence[Tensor],  # of [N]
    parameters: Sequence[Tensor],  # of [C]
    save: bool,
) -> Outputs:
    """Run a layer forward over the N elements of each step; `save` what backward needs."""
    initial = launch.aligned(initial)
    steps, neurons = x.shape[0], x.shape[1:].numel()
    spikes = torch.empty_like(x)
    address = x.data_ptr()
    if residual is not None:
        address |= residual.data_ptr()
    call = _forward_call(
        layer, x.dtype, x.device, steps, neurons, address & 15, residual is not None
    )
    arguments = _arguments(call, layer, x, residual, scale, shift, initial, parameters)
    arguments.scan.spikes = spikes.data_ptr()
    packed = checkpoints = None
    if layer.bits:
        packed = x.new_empty((steps, -(-neurons // 8)), dtype=torch.uint8)
        arguments.bits = packed.data_ptr()
    if save and steps > CHUNK:
        checkpoints = x.new_empty((-(-steps // CHUNK) - 1, neurons), dtype=torch.float32)
        arguments.scan.checkpoints = checkpoints.data_ptr()
    final: List[Tensor] = []
    if layer.final:
        final = [x.new_empty(neurons, dtype=torch.float32) for _ in range(2)]
        launch.point(arguments.scan.final, final)
    call.launch(arguments)
    return Outputs(spikes, packed, final, checkpoints)


def backward(
    layer: BatchNormLifOptions,
    x: Tensor,  # [T, ...], dense, time outermost
    residual: Tensor | None,  # as x, in its memory order
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    mean: Tensor,  # [C]
    initial: Sequence[Tensor],  # of [N]
    parameters: Sequence[Tensor],  # of [C]
    checkpoints: Tensor | None,  # [chunks - 1, N]
    grad_spikes: Tensor,  # as x, in its memory order
    grad_final: Sequence[Tensor],  # of [N]
    grad_initial: bool,
) -> Gradients:
    """Run a layer backward; gradients of the final states that are not given are zero."""
    initial, grad_final = launch.aligned(initial), launch.aligned(grad_final)
    steps, neurons = x.shape[0], x.shape[1:].numel()
    grad_u = torch.empty_like(x)
    sums = x.new_empty((2, neurons), dtype=torch.float32)
    address = x.data_ptr() | grad_spikes.data_ptr()
    if residual is not None:
        address |= residual.data_ptr()
    call = _backward_call(
        layer, x.dtype, x.device, steps, neurons, address & 15, residual is not None
    )
    arguments = _arguments(call, layer, x, residual, scale, shift, initial, parameters)
    scan = arguments.scan
    scan.grad_spikes = grad_spikes.data_ptr()
    scan.grad_x = grad_u.data_ptr()
    scan.checkpoints = launch.pointer(checkpoints)
    if grad_final:
        launch.point(scan.grad_final, grad_final)
    before: List[Tensor] = []
    if grad_initial:
        before = [x.new_empty(neurons, dtype=torch.float32) for _ in range(2)]
        launch.point(scan.grad_initial, before)
    arguments.mean = mean.data_ptr()
    arguments.sum = sums.data_ptr()
    arguments.sum_x = sums.data_ptr() + 4 * neurons
    call.launch(arguments)
    return Gradients(grad_u, sums, before)


def _arguments(
    call: module.Call,
    layer: BatchNormLifOptions,
    x: Tensor,
    residual: Tensor | None,
    scale: Tensor,
    shift: Tensor,
    initial: Sequence[Tensor],
    parameters: Sequence[Tensor],
) -> BatchNormLifArguments:
    """Return the arguments with what both directions read; the tensors are those of `forward`."""
    arguments = BatchNormLifArguments.from_buffer_copy(call.template)
    scan = arguments.scan
    scan.x = x.data_ptr()
    arguments.scale, arguments.shift = scale.data_ptr(), shift.data_ptr()
    if residual is not None:
        arguments.residual = residual.data_ptr()
    if initial:
        launch.point(scan.initial, initial)
    if parameters:
        inners = (layer.inner,) * len(parameters)
        launch.fill_tensors(scan, layer.tensor_indices, inners, parameters)
    return arguments


@lru_cache(maxsize=launch.CACHED_CALLS)
def _forward_call(
    layer: BatchNormLifOptions,
    dtype: torch.dtype,
    device: torch.device,
    steps: int,
    neurons: int,
    start: int,
    residual: bool,
) -> module.Call:
    size = dtype.itemsize
    if layer.bits:
        vector, suffix = 8, "any" if neurons % 8 or start % 16 else "8"
    else:
        vector = launch.vector(neurons, size, start, device)
        suffix = str(vector)
    source = forward_source(
        layer.neuron, dtype, launch.mask(layer.tensor_indices), residual, layer.bits
    )
    return module.Call(
        launch.load(source, device),
        f"batch_norm_lif_forward_{suffix}",
        launch.blocks(neurons, vector),
        THREADS * ring_bytes(vector, size),
        _template(layer, steps, neurons),
    )


@lru_cache(maxsize=launch.CACHED_CALLS)
def _backward_call(
    layer: BatchNormLifOptions,
    dtype: torch.dtype,
    device: torch.device,
    steps: int,
    neurons: int,
    start: int,
    residual: bool,
) -> module.Call:
    size = dtype.itemsize
    vector = launch.vector(neurons, size, start, device)
    per_thread = ring_bytes(vector, size) + history_bytes(vector, 1, steps)
    source = backward_source(
        layer.neuron, layer.gradient, dtype, launch.mask(layer.tensor_indices), residual
    )
    return module.Call(
        launch.load(source, device),
        f"batch_norm_lif_backward_{vector}",
        launch.blocks(neurons, vector),
        THREADS * per_thread,
        _template(layer, steps, neurons),
    )


def _template(layer: BatchNormLifOptions, steps: int, neurons: int) -> bytes:
    arguments = BatchNormLifArguments(inner=layer.inner, channels=layer.channels)
    scan = arguments.scan
    scan.neurons, scan.steps = neurons, steps
    scan.surrogate, scan.grad_threshold = layer.surrogate, layer.grad_threshold
    scan.scalar[: len(layer.values)] = list(layer.values)
    return bytes(arguments)
