"""The cross entropy of a readout's mean or summed membranes, in two small kernels."""

from __future__ import annotations

import ctypes
from typing import Any

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import launch, ops
from ..device.availability import MISSING
from ..device.program import entry
from .padded_rows import padded

THREADS = 512  # kReadoutThreads
WARP = 32  # kWarp
MOST_CLASSES = 4096  # whose scores every thread of a block goes through


class ReadoutLossArguments(ctypes.Structure):
    """`popsnn::ReadoutLossArguments` of `cuda/popsnn/layer/readout_loss.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("membrane", ctypes.c_void_p),
        ("labels", ctypes.c_void_p),
        ("scores", ctypes.c_void_p),
        ("losses", ctypes.c_void_p),
        ("loss", ctypes.c_void_p),
        ("grad", ctypes.c_void_p),
        ("step", ctypes.c_longlong),
        ("row", ctypes.c_longlong),
        ("steps", ctypes.c_int),
        ("batch", ctypes.c_int),
        ("classes", ctypes.c_int),
        ("padded", ctypes.c_int),
        ("scale", ctypes.c_float),
        ("smoothing", ctypes.c_float),
    ]


SOURCE = "\n".join(
    [
        "#include <popsnn/layer/readout_loss.cuh>",
        entry("readout_scores", "ReadoutLossArguments", "readout_scores", str(THREADS)),
        entry("readout_loss", "ReadoutLossArguments", "readout_loss", str(WARP)),
    ]
)


def readout_loss_unsupported(membrane: Tensor, labels: Tensor) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if membrane.dtype != torch.float32:
        return f"the membrane is {membrane.dtype}, not float32"
    if not 0 < membrane.shape[2] <= MOST_CLASSES or 0 in membrane.shape:
        return f"the membrane is {tuple(membrane.shape)}, not of 1 to {MOST_CLASSES} classes"
    if not membrane.is_cuda or membrane.device != labels.device:
        return (
            f"the membrane is on {membrane.device} and the labels on {labels.device}, not on one "
            "CUDA device"
        )
    if ops.traced(membrane):
        return "a compiler or a mode watches the operators"
    return MISSING


def readout_loss(
    membrane: Tensor,  # float32 [T, B, C]
    labels: Tensor,  # int64 [B]
    scale: float,
    smoothing: float,
) -> tuple[Tensor, Tensor]:
    """Return the loss [] of `scale` times the sums over the steps, and those scores [B, C]."""
    loss, scores = _ReadoutLoss.apply(membrane, labels, scale, smoothing)
    return loss, scores


class _ReadoutLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, membrane: Tensor, labels: Tensor, scale: float, smoothing: float
    ) -> tuple[Tensor, Tensor]:
        ctx.set_materialize_grads(False)
        if membrane.stride(2) != 1:
            membrane = membrane.contiguous()
        labels = labels.contiguous()
        steps, batch, classes = membrane.shape
        loss, losses = membrane.new_empty(()), membrane.new_empty(batch)
        scores = membrane.new_empty((batch, classes))
        grad = membrane.new_empty((batch, padded(classes)))
        tensors = membrane, labels, scores, losses, loss, grad
        arguments = ReadoutLossArguments(
            *(t.data_ptr() for t in tensors), membrane.stride(0), membrane.stride(1), steps,
            batch, classes, grad.shape[1], scale, smoothing,
        )  # fmt: skip
        kernels = launch.load(SOURCE, membrane.device)
        kernels.launch("readout_scores", batch, THREADS, 4 * (2 * classes + THREADS), arguments)
        kernels.launch("readout_loss", 1, WARP, 4 * WARP, arguments)
        ctx.save_for_backward(grad)
        ctx.shape, ctx.scale = membrane.shape, scale
        return loss, scores

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, of_loss: Tensor | None, of_scores: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        (grad,) = ctx.saved_tensors
        # Rows as long as those that a layer pads, which so takes them as they are.
        grad_scores = torch.zeros_like(grad) if of_loss is None else grad * of_loss
        grad_scores = grad_scores[:, : ctx.shape[2]]
        if of_scores is not None:
            grad_scores.add_(of_scores, alpha=ctx.scale)
        return grad_scores.expand(ctx.shape), None, None, None
