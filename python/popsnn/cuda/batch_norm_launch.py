"""Batch normalisation with LIF on the kernels: x to spikes, without the current between them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Sequence

import torch
from torch import Tensor

from . import channel_sums, launch
from .program import (
    CHUNK,
    LANES,
    THREADS,
    TYPES,
    ScanArguments,
    history_bytes,
    ring_bytes,
)


class BatchNormLifArguments(ctypes.Structure):
    """`popsnn::BatchNormLifArguments` of `cuda/popsnn/batch_norm_lif.cuh`."""

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
    """Return the kernels `batch_norm_lif_forward_<lanes>`, with bits `_8` and, for any row, `_any`.

    Bit i of `tensors` says that parameter i of the neuron is a tensor.
    """
    lines = ["#include <popsnn/batch_norm_lif_forward.cuh>", neuron]
    widths = [(f"{lanes}", lanes, "true") for lanes in LANES[dtype.itemsize]]
    if bits:
        widths = [("8", 8, "true"), ("any", 8, "false")]
    for suffix, lanes, whole in widths:
        flags = f"{str(residual).lower()}, {str(bits).lower()}"
        options = f"Neuron, {TYPES[dtype]}, {lanes}, {whole}, {tensors}u, {flags}"
        lines.append(_entry(f"batch_norm_lif_forward_{suffix}", "forward", options))
    return "\n".join(lines)


@lru_cache(maxsize=None)
def backward_source(
    neuron: str, gradient: str, dtype: torch.dtype, tensors: int, residual: bool
) -> str:
    """Return the kernels `batch_norm_lif_backward_<lanes>`; `gradient` declares `Gradient`."""
    lines = ["#include <popsnn/batch_norm_lif_backward.cuh>", "#include <popsnn/surrogates.cuh>"]
    lines += [neuron, gradient]
    for lanes in LANES[dtype.itemsize]:
        options = f"{TYPES[dtype]}, {lanes}, {tensors}u, {str(residual).lower()}"
        name = f"batch_norm_lif_backward_{lanes}"
        lines.append(_entry(name, "backward", f"Neuron, Gradient, {options}"))
    return "\n".join(lines)


def _entry(name: str, kind: str, options: str) -> str:
    return (
        f"POPSNN_KERNEL(popsnn::kThreads) {name}"
        f"(POPSNN_ARGUMENT popsnn::BatchNormLifArguments a) "
        f"{{ popsnn::batch_norm_lif_{kind}<{options}>(a); }}"
    )


@dataclass(frozen=True)
class Layer:
    """What a layer is but for its tensors. `inner` neurons in a row of memory share a channel."""

    neuron: str
    gradient: str
    surrogate: float
    gate: float
    parameters: launch.Parameters
    inner: int

    def arguments(
        self,
        x: Tensor,  # [T, N]
        residual: Tensor | None,  # [T, N]
        scale: Tensor,  # [C]
        shift: Tensor,  # [C]
        initial: Sequence[Tensor],  # of [N]
    ) -> BatchNormLifArguments:
        """Return those that forward and backward share."""
        arguments = BatchNormLifArguments()
        scan = arguments.scan
        scan.x = x.data_ptr()
        scan.steps, scan.neurons = x.shape
        self.parameters.fill(scan)
        launch.point(scan.initial, initial)
        arguments.residual = 0 if residual is None else residual.data_ptr()
        arguments.scale, arguments.shift = scale.data_ptr(), shift.data_ptr()
        arguments.inner, arguments.channels = self.inner, scale.numel()
        return arguments


def launch_forward(
    layer: Layer,
    x: Tensor,  # [T, N]
    residual: Tensor | None,  # [T, N]
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    initial: Sequence[Tensor],  # of [N]
    *,
    bits: bool,
    save: bool,
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    """Return spikes [T, N], bits, final states [N] and checkpoints; empty where not asked for."""
    steps, neurons = x.shape
    chunks = -(-steps // CHUNK) if save else 1
    spikes = torch.empty_like(x)
    packed = x.new_empty((steps, -(-neurons // 8) if bits else 0), dtype=torch.uint8)
    final = [x.new_empty(neurons, dtype=torch.float32) for _ in range(2)]
    checkpoints = x.new_empty((max(0, chunks - 1), neurons), dtype=torch.float32)
    arguments = layer.arguments(x, residual, scale, shift, initial)
    arguments.scan.spikes = spikes.data_ptr()
    arguments.bits = launch.pointer(packed)
    arguments.scan.checkpoints = launch.pointer(checkpoints)
    launch.point(arguments.scan.final, final)

    rows = [spikes] if residual is None else [spikes, residual]
    lanes, suffix = 8, "8"
    if not bits:
        lanes = launch.lanes(neurons, x.element_size(), launch.starts([x, *rows]), x.device)
        suffix = str(lanes)
    elif neurons % 8 or any(row.data_ptr() % 16 for row in (x, *rows)):
        suffix = "any"
    source = forward_source(
        layer.neuron, x.dtype, layer.parameters.mask, residual is not None, bits
    )
    launch.load(source, x.device).launch(
        f"batch_norm_lif_forward_{suffix}",
        launch.blocks(neurons, lanes),
        THREADS,
        THREADS * ring_bytes(lanes, x.element_size()),
        arguments,
        x.device,
    )
    return spikes, packed, final, checkpoints


def launch_backward(
    layer: Layer,
    x: Tensor,  # [T, N]
    residual: Tensor | None,  # [T, N]
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    mean: Tensor,  # [C]
    initial: Sequence[Tensor],  # of [N]
    checkpoints: Tensor,  # [chunks - 1, N]
    grad_spikes: Tensor,  # [T, N]
    grad_final: Sequence[Tensor],  # of [N]
) -> tuple[Tensor, Tensor, Tensor, list[Tensor]]:
    """Return the gradient of u [T, N], its two sums [C], and that of the initial states [N]."""
    steps, neurons = x.shape
    grad_u = torch.empty_like(x)
    sums = x.new_empty((2, neurons), dtype=torch.float32)
    grad_initial = [x.new_empty(neurons, dtype=torch.float32) for _ in range(2)]
    arguments = layer.arguments(x, residual, scale, shift, initial)
    scan = arguments.scan
    scan.surrogate, scan.gate = layer.surrogate, layer.gate
    scan.checkpoints = launch.pointer(checkpoints)
    scan.grad_spikes = grad_spikes.data_ptr()
    scan.grad_x = grad_u.data_ptr()
    launch.point(scan.grad_final, grad_final)
    launch.point(scan.grad_initial, grad_initial)
    arguments.mean = mean.data_ptr()
    arguments.sum, arguments.sum_x = sums[0].data_ptr(), sums[1].data_ptr()

    given = [grad_spikes, grad_u] if residual is None else [grad_spikes, grad_u, residual]
    lanes = launch.lanes(neurons, x.element_size(), launch.starts([x, *given]), x.device)
    per_thread = ring_bytes(lanes, x.element_size()) + history_bytes(lanes, 1, steps)
    source = backward_source(
        layer.neuron, layer.gradient, x.dtype, layer.parameters.mask, residual is not None
    )
    launch.load(source, x.device).launch(
        f"batch_norm_lif_backward_{lanes}",
        launch.blocks(neurons, lanes),
        THREADS,
        THREADS * per_thread,
        arguments,
        x.device,
    )
    rows = sums.view(2, -1, scale.numel())  # where channels lie last
    if layer.inner == 1 and channel_sums.fits(rows[0]) and channel_sums.fits(rows[1]):
        total, total_x = channel_sums.pairs(*rows)
    else:
        total, total_x = sums.view(2, -1, scale.numel(), layer.inner).sum((1, 3))
    return grad_u, total, total_x, grad_initial
