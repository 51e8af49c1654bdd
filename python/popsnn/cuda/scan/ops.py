"""The operators `popsnn::scan_forward` and `popsnn::scan_backward`, over [T, N]."""

from typing import List, Optional, Tuple

import torch
from torch import Tensor

from ..device import ops
from ..device.options import decode
from ..device.program import chunk
from .backward import backward
from .scan import ScanOptions, forward


def _forward_outputs(
    x: Tensor,
    others: List[Tensor],
    initial: List[Tensor],
    parameters: List[Tensor],
    options: str,
    save: bool,
) -> Tuple[Tensor, Tensor, List[Tensor], Tensor]:
    scan = decode(ScanOptions, options)
    steps, neurons = x.shape
    none = x.new_empty(0)
    if scan.form == "float":
        spikes = torch.empty_like(x)
    elif scan.form == "int8":
        spikes = x.new_empty(x.shape, dtype=torch.int8)
    elif scan.form == "bits":
        spikes = x.new_empty((steps, (neurons + 7) // 8), dtype=torch.uint8)
    else:
        spikes = none
    chunks = (steps + chunk(scan.saved) - 1) // chunk(scan.saved)
    rows = (chunks - 1) * scan.saved if save and chunks > 1 else 0
    return (
        spikes,
        torch.empty_like(x) if scan.membrane else x.new_empty(0),
        [x.new_empty(neurons, dtype=torch.float32) for _ in range(scan.states * scan.final)],
        x.new_empty((rows, neurons), dtype=torch.float32),
    )


def _forward(
    x: Tensor,  # [T, N]
    others: List[Tensor],  # of [T, N], inputs other than the first
    initial: List[Tensor],  # of [N]
    parameters: List[Tensor],  # flat
    options: str,
    save: bool,
) -> Tuple[Tensor, Tensor, List[Tensor], Tensor]:
    scan = decode(ScanOptions, options)
    spikes, trace, last, checkpoints = forward(scan, x, others, initial, parameters, save)
    return (
        x.new_empty(0) if spikes is None else spikes,
        x.new_empty(0) if trace is None else trace,
        last,
        x.new_empty((0, x.shape[1]), dtype=torch.float32) if checkpoints is None else checkpoints,
    )


def _backward_outputs(
    x: Tensor,
    others: List[Tensor],
    initial: List[Tensor],
    parameters: List[Tensor],
    checkpoints: Tensor,
    grad_spikes: Optional[Tensor],
    grad_membrane: Optional[Tensor],
    grad_final: List[Tensor],
    options: str,
    learn: bool,
    grad_initial: bool,
) -> Tuple[Tensor, List[Tensor], List[Tensor], List[Tensor]]:
    states = decode(ScanOptions, options).states * grad_initial
    return (
        torch.empty_like(x),
        [torch.empty_like(x) for _ in others],
        [x.new_empty(x.shape[1], dtype=torch.float32) for _ in range(states)],
        [torch.empty_like(parameter) for parameter in parameters if learn],
    )


def _backward(
    x: Tensor,  # [T, N]
    others: List[Tensor],  # of [T, N], inputs other than the first
    initial: List[Tensor],  # of [N]
    parameters: List[Tensor],  # flat
    checkpoints: Tensor,  # [chunks - 1, N] for each saved state
    grad_spikes: Optional[Tensor],  # [T, N]
    grad_membrane: Optional[Tensor],  # [T, N]
    grad_final: List[Tensor],  # of [N]
    options: str,
    learn: bool,
    grad_initial: bool,
) -> Tuple[Tensor, List[Tensor], List[Tensor], List[Tensor]]:
    return backward(
        decode(ScanOptions, options), x, others, initial, parameters, checkpoints,
        grad_spikes, grad_membrane, grad_final, learn, grad_initial,
    )  # fmt: skip


OPERATORS: ops.Operators = {
    "scan_forward": (_forward, _forward_outputs),
    "scan_backward": (_backward, _backward_outputs),
}
ops.register(OPERATORS)
