"""Values of compacted spikes as dense rows."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from ..device import launch, ops
from ..device.availability import MISSING
from ..device.program import TYPES, entry

THREADS = 128  # kExpandSpikesThreads
ROW_BYTES = 16  # that are cleared at once where rows are aligned


class ExpandSpikesArguments(ctypes.Structure):
    """`popsnn::ExpandSpikesArguments` of `cuda/popsnn/events/expand_spikes.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("ids", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        ("capacity", ctypes.c_int),
        ("neurons", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(values: torch.dtype, rows: torch.dtype, vector: int) -> str:
    """Return the kernels `expand_spikes` and `gather_spikes`, the latter of values as the rows.

    The former clears rows by so many neurons.
    """
    expand = f"expand_spikes<{TYPES[values]}, {TYPES[rows]}, {vector}>"
    gather, arguments = f"gather_spikes<{TYPES[rows]}>", "ExpandSpikesArguments"
    return "\n".join(
        [
            "#include <popsnn/events/expand_spikes.cuh>",
            entry("expand_spikes", arguments, expand, str(THREADS)),
            entry("gather_spikes", arguments, gather, str(THREADS)),
        ]
    )


def expand_spikes_unsupported(ids: Tensor, values: Tensor | None, dtype: torch.dtype) -> str | None:
    """Return why the kernels cannot expand lists, or None where they can."""
    if not ids.is_cuda or (values is not None and values.device != ids.device):
        return f"ids are on {ids.device}, and not all tensors on one CUDA device"
    if dtype not in TYPES:
        return f"dtype is {dtype}, not float32, bfloat16 or float16"
    if ops.traced(ids) or (values is not None and ops.traced(values)):
        return "a compiler or a mode watches the operators"
    if _transformed():
        return "torch.func or forward-mode differentiation transforms the operators"
    return MISSING


def _transformed() -> bool:
    """Return whether derivatives are taken otherwise than by a backward pass."""
    active = getattr(torch._C, "_are_functorch_transforms_active", None)  # of torch 2.1
    return torch.autograd.forward_ad._current_level >= 0 or (active is not None and bool(active()))


def expand_spikes(
    ids: Tensor,  # int32 [T, B, S]
    counts: Tensor,  # int32 [T, B, 2]
    values: Tensor | None,  # [T, B, S]
    size: int,
    dtype: torch.dtype,
) -> Tensor:
    """Return rows [T, B, N = `size`] with the values of the active set and 0 elsewhere.

    Differentiable in the values, any number of times. Without them, 1 where a neuron fired. Ids out
    of range, which only lists that are not checked may have, name nothing.
    """
    if values is None:
        return expanded(ids, counts, None, size, dtype)
    rows: Tensor = _Expand.apply(values.to(dtype), ids, counts, size)
    return rows


def expanded(
    ids: Tensor,  # int32 [T, B, S]
    counts: Tensor,  # int32 [T, B, 2]
    values: Tensor | None,  # [T, B, S], of any type that kernels have
    size: int,
    dtype: torch.dtype,
) -> Tensor:
    """Return `expand_spikes` of any such values off the autograd graph."""
    rows = ids.new_empty((*ids.shape[:2], size), dtype=dtype)
    _launch("expand_spikes", ids, counts, values, rows)
    return rows


def _launch(name: str, ids: Tensor, counts: Tensor, values: Tensor | None, rows: Tensor) -> None:
    steps, batch, size = rows.shape
    if not rows.numel():
        return
    ids, counts = ids.contiguous(), counts.contiguous()
    values = None if values is None else values.contiguous()
    elements = ROW_BYTES // rows.element_size()
    whole = size % elements == 0 and rows.data_ptr() % ROW_BYTES == 0
    arguments = ExpandSpikesArguments(
        ids.data_ptr(),
        counts.data_ptr(),
        None if values is None else values.data_ptr(),
        rows.data_ptr(),
        ids.shape[2],
        size,
    )
    text = source(
        rows.dtype if values is None else values.dtype, rows.dtype, elements if whole else 1
    )
    launch.load(text, rows.device).launch(name, steps * batch, THREADS, 0, arguments)


class _Expand(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, ids: Tensor, counts: Tensor, size: int) -> Tensor:
        ctx.save_for_backward(ids, counts)
        return expanded(ids, counts, values, size, values.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        ids, counts = ctx.saved_tensors
        return _Gather.apply(grad, ids, counts), None, None, None


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, ids: Tensor, counts: Tensor) -> Tensor:
        ctx.save_for_backward(ids, counts)
        ctx.size = rows.shape[2]
        values = rows.new_empty(ids.shape)
        _launch("gather_spikes", ids, counts, values, rows.contiguous())
        return values

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        ids, counts = ctx.saved_tensors
        return _Expand.apply(grad, ids, counts, ctx.size), None, None
