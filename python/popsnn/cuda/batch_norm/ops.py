"""The operators `popsnn::batch_norm_lif_forward` and `popsnn::batch_norm_lif_backward`."""

from __future__ import annotations

import torch
from torch import Tensor

from ..device import ops
from ..device.program import CHUNK
from .launch import Gradients, Layer, Outputs, backward, forward

ops.LIBRARY.define(
    "batch_norm_lif_forward(Tensor x, Tensor? residual, Tensor scale, Tensor shift, "
    "Tensor[] initial, Tensor[] parameters, int[] slots, float[] values, int inner, str neuron, "
    "bool bits, bool final, bool save) "
    "-> (Tensor spikes, Tensor bits, Tensor[] final, Tensor checkpoints)"
)
ops.LIBRARY.define(
    "batch_norm_lif_backward(Tensor x, Tensor? residual, Tensor scale, Tensor shift, Tensor mean, "
    "Tensor[] initial, Tensor[] parameters, int[] slots, float[] values, int inner, "
    "Tensor checkpoints, Tensor grad_spikes, Tensor[] grad_final, str neuron, str gradient, "
    "float surrogate, float grad_threshold, bool grad_initial) "
    "-> (Tensor grad_u, Tensor sums, Tensor[] grad_initial)"
)


def _forward_outputs(
    x: Tensor,  # [T, N]
    residual: Tensor | None,  # [T, N]
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    initial: list[Tensor],  # of [N]
    parameters: list[Tensor],  # of [C]
    slots: list[int],
    values: list[float],
    inner: int,
    neuron: str,
    bits: bool,
    final: bool,
    save: bool,
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    steps, neurons = x.shape
    chunks = (steps + CHUNK - 1) // CHUNK if save else 1
    return (
        torch.empty_like(x),
        x.new_empty((steps, (neurons + 7) // 8 if bits else 0), dtype=torch.uint8),
        [x.new_empty(neurons, dtype=torch.float32) for _ in range(2 * final)],
        x.new_empty((chunks - 1, neurons), dtype=torch.float32),
    )


def _forward(
    x: Tensor,
    residual: Tensor | None,
    scale: Tensor,
    shift: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    slots: list[int],
    values: list[float],
    inner: int,
    neuron: str,
    bits: bool,
    final: bool,
    save: bool,
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    layer = Layer(neuron, tuple(slots), tuple(values), inner, scale.numel(), bits, final)
    spikes, packed, last, kept = forward(
        layer, x, residual, scale, shift, initial, parameters, save
    )
    steps, neurons = x.shape
    return (
        spikes,
        x.new_empty((steps, 0), dtype=torch.uint8) if packed is None else packed,
        last,
        x.new_empty((0, neurons), dtype=torch.float32) if kept is None else kept,
    )


def _backward_outputs(
    x: Tensor,  # [T, N]
    residual: Tensor | None,  # [T, N]
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    mean: Tensor,  # [C]
    initial: list[Tensor],  # of [N]
    parameters: list[Tensor],  # of [C]
    slots: list[int],
    values: list[float],
    inner: int,
    checkpoints: Tensor,  # [chunks - 1, N]
    grad_spikes: Tensor,  # [T, N]
    grad_final: list[Tensor],  # of [N]
    neuron: str,
    gradient: str,
    surrogate: float,
    grad_threshold: float,
    grad_initial: bool,
) -> tuple[Tensor, Tensor, list[Tensor]]:
    neurons = x.shape[1]
    return (
        torch.empty_like(x),
        x.new_empty((2, neurons), dtype=torch.float32),
        [x.new_empty(neurons, dtype=torch.float32) for _ in range(2 * grad_initial)],
    )


def _backward(
    x: Tensor,
    residual: Tensor | None,
    scale: Tensor,
    shift: Tensor,
    mean: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    slots: list[int],
    values: list[float],
    inner: int,
    checkpoints: Tensor,
    grad_spikes: Tensor,
    grad_final: list[Tensor],
    neuron: str,
    gradient: str,
    surrogate: float,
    grad_threshold: float,
    grad_initial: bool,
) -> tuple[Tensor, Tensor, list[Tensor]]:
    layer = Layer(
        neuron, tuple(slots), tuple(values), inner, scale.numel(), False, False,
        gradient, surrogate, grad_threshold,
    )  # fmt: skip
    return backward(
        layer, x, residual, scale, shift, mean, initial, parameters, checkpoints, grad_spikes,
        grad_final, grad_initial,
    )  # fmt: skip


OPERATORS: ops.Operators = {
    "batch_norm_lif_forward": (_forward, _forward_outputs),
    "batch_norm_lif_backward": (_backward, _backward_outputs),
}
ops.register(OPERATORS)


def run_forward(
    layer: Layer,
    x: Tensor,
    residual: Tensor | None,
    scale: Tensor,
    shift: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    save: bool,
) -> Outputs:
    """Run the operator over x [T, N]; outputs that were not asked for have no elements."""
    result = torch.ops.popsnn.batch_norm_lif_forward(
        x, residual, scale, shift, initial, parameters, layer.slots, layer.values, layer.inner,
        layer.neuron, layer.bits, layer.final, save,
    )  # fmt: skip
    return Outputs(*result)


def run_backward(
    layer: Layer,
    x: Tensor,
    residual: Tensor | None,
    scale: Tensor,
    shift: Tensor,
    mean: Tensor,
    initial: list[Tensor],
    parameters: list[Tensor],
    checkpoints: Tensor,
    grad_spikes: Tensor,
    grad_final: list[Tensor],
    grad_initial: bool,
) -> Gradients:
    """Run the operator over x [T, N]."""
    result = torch.ops.popsnn.batch_norm_lif_backward(
        x, residual, scale, shift, mean, initial, parameters, layer.slots, layer.values,
        layer.inner, checkpoints, grad_spikes, grad_final, layer.neuron, layer.gradient,
        layer.surrogate, layer.grad_threshold, grad_initial,
    )  # fmt: skip
    return Gradients(*result)
