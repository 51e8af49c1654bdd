"""The operators `popsnn::batch_norm_lif_forward` and `popsnn::batch_norm_lif_backward`."""

from typing import List, Optional, Tuple

import torch
from torch import Tensor

from ..device import ops
from ..device.options import decode, encode
from ..device.program import CHUNK
from .launch import BatchNormLifOptions, Gradients, Outputs, backward, forward


def _forward_outputs(
    x: Tensor,
    residual: Optional[Tensor],
    scale: Tensor,
    shift: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    options: str,
    save: bool,
) -> Tuple[Tensor, Tensor, List[Tensor], Tensor]:
    layer = decode(BatchNormLifOptions, options)
    steps, neurons = x.shape
    chunks = (steps + CHUNK - 1) // CHUNK if save else 1
    return (
        torch.empty_like(x),
        x.new_empty((steps, (neurons + 7) // 8 if layer.bits else 0), dtype=torch.uint8),
        [x.new_empty(neurons, dtype=torch.float32) for _ in range(2 * layer.final)],
        x.new_empty((chunks - 1, neurons), dtype=torch.float32),
    )


def _forward(
    x: Tensor,  # [T, N]
    residual: Optional[Tensor],  # [T, N]
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    initial: List[Tensor],  # of [N]
    parameters: List[Tensor],  # of [C]
    options: str,
    save: bool,
) -> Tuple[Tensor, Tensor, List[Tensor], Tensor]:
    layer = decode(BatchNormLifOptions, options)
    spikes, packed, last, checkpoints = forward(
        layer, x, residual, scale, shift, initial, parameters, save
    )
    steps, neurons = x.shape
    return (
        spikes,
        x.new_empty((steps, 0), dtype=torch.uint8) if packed is None else packed,
        last,
        x.new_empty((0, neurons), dtype=torch.float32) if checkpoints is None else checkpoints,
    )


def _backward_outputs(
    x: Tensor,
    residual: Optional[Tensor],
    scale: Tensor,
    shift: Tensor,
    mean: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    checkpoints: Tensor,
    grad_spikes: Tensor,
    grad_final: List[Tensor],
    options: str,
    grad_initial: bool,
) -> Tuple[Tensor, Tensor, List[Tensor]]:
    neurons = x.shape[1]
    return (
        torch.empty_like(x),
        x.new_empty((2, neurons), dtype=torch.float32),
        [x.new_empty(neurons, dtype=torch.float32) for _ in range(2 * grad_initial)],
    )


def _backward(
    x: Tensor,  # [T, N]
    residual: Optional[Tensor],  # [T, N]
    scale: Tensor,  # [C]
    shift: Tensor,  # [C]
    mean: Tensor,  # [C]
    initial: List[Tensor],  # of [N]
    parameters: List[Tensor],  # of [C]
    checkpoints: Tensor,  # [chunks - 1, N]
    grad_spikes: Tensor,  # [T, N]
    grad_final: List[Tensor],  # of [N]
    options: str,
    grad_initial: bool,
) -> Tuple[Tensor, Tensor, List[Tensor]]:
    return backward(
        decode(BatchNormLifOptions, options), x, residual, scale, shift, mean, initial, parameters,
        checkpoints, grad_spikes, grad_final, grad_initial,
    )  # fmt: skip


OPERATORS: ops.Operators = {
    "batch_norm_lif_forward": (_forward, _forward_outputs),
    "batch_norm_lif_backward": (_backward, _backward_outputs),
}
ops.register(OPERATORS)


def run_forward(
    layer: BatchNormLifOptions,
    x: Tensor,
    residual: Optional[Tensor],
    scale: Tensor,
    shift: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    save: bool,
) -> Outputs:
    """Run the operator over x [T, N]; outputs that were not asked for have no elements."""
    result = torch.ops.popsnn.batch_norm_lif_forward(
        x, residual, scale, shift, initial, parameters, encode(*layer), save
    )
    return Outputs(*result)


def run_backward(
    layer: BatchNormLifOptions,
    x: Tensor,
    residual: Optional[Tensor],
    scale: Tensor,
    shift: Tensor,
    mean: Tensor,
    initial: List[Tensor],
    parameters: List[Tensor],
    checkpoints: Tensor,
    grad_spikes: Tensor,
    grad_final: List[Tensor],
    grad_initial: bool,
) -> Gradients:
    """Run the operator over x [T, N]."""
    result = torch.ops.popsnn.batch_norm_lif_backward(
        x, residual, scale, shift, mean, initial, parameters, checkpoints, grad_spikes, grad_final,
        encode(*layer), grad_initial,
    )  # fmt: skip
    return Gradients(*result)
