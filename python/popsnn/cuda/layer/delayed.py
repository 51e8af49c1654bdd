"""Delays along time of rows [T, B, P], each feature by its own, and their gradients."""

from __future__ import annotations

import ctypes
import math
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ..._internal.decorators import once_differentiable
from ..device import launch, ops, properties
from ..device.availability import MISSING
from ..device.program import TYPES, entry

THREADS = (128, 64, 32)  # of a block: as many as the shared memory has room for
SPREADS = ("kNoSpread", "kStraightThrough", "kTriangle", "kGaussian")
WINDOWS = (1, 3)  # taps that a thread has in registers


class DelayedArguments(ctypes.Structure):
    """`popsnn::DelayedArguments` of `cuda/popsnn/layer/delayed.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("x", ctypes.c_void_p),
        ("before", ctypes.c_void_p),
        ("grad", ctypes.c_void_p),
        ("delays", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("out_before", ctypes.c_void_p),
        ("out_delays", ctypes.c_void_p),
        ("steps", ctypes.c_int),
        ("batch", ctypes.c_int),
        ("features", ctypes.c_int),
        ("row", ctypes.c_int),
        ("maximum", ctypes.c_int),
        ("minimum", ctypes.c_int),
        ("window", ctypes.c_int),
        ("ring", ctypes.c_int),
        ("threads", ctypes.c_int),
        ("width", ctypes.c_float),
    ]


class Spreading(NamedTuple):
    """Options of `DelaySteps` without its kind and steps."""

    maximum: int
    minimum: int
    spread: str
    width: float

    def window(self, slopes: bool) -> int:
        """Return how many taps of a feature may be other than 0, or have a slope."""
        if self.spread == "none":
            return 1
        if self.spread == "straight_through":
            taps = 3 if slopes else 1
        elif self.spread == "triangle":
            taps = math.floor(2 * (1 + self.width)) + 1
        else:  # below 2^-150 of the largest tap the others are 0 in float32
            taps = math.ceil(29 * self.width) + 2
        return min(self.maximum + 1, taps)

    @property
    def ring(self) -> int:
        """Rows of the ring: the least power of two above the maximum."""
        return 1 << self.maximum.bit_length()


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, spread: str, window: int, slopes: bool) -> str:
    """Return the kernels `delayed_forward` and `delayed_backward`."""
    names = dict(zip(("none", "straight_through", "triangle", "gaussian"), SPREADS))
    options = f"{TYPES[dtype]}, popsnn::{names[spread]}, {window if window in WINDOWS else 0}"
    forward = f"delayed_forward<{options}>"
    backward = f"delayed_backward<{options}, {str(slopes).lower()}>"
    return "\n".join(
        [
            "#include <popsnn/layer/delayed.cuh>",
            entry("delayed_forward", "DelayedArguments", forward, str(THREADS[0])),
            entry("delayed_backward", "DelayedArguments", backward, str(THREADS[0])),
        ]
    )


def delayed_unsupported(x: Tensor, delays: Tensor, spreading: Spreading) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if x.dtype not in TYPES:
        return f"x is {x.dtype}, not float32, bfloat16 or float16"
    if not x.is_cuda or x.device != delays.device:
        return f"x is on {x.device} and the delays on {delays.device}, not on one CUDA device"
    if ops.traced(x):
        return "a compiler or a mode watches the operators"
    return MISSING or delays_unsupported(x.device, spreading)


def delays_unsupported(device: torch.device, spreading: Spreading) -> str | None:
    """Return why a device has no kernels for such delays, or None where it has."""
    if _threads(device, spreading, 2 * spreading.window(True), 4):
        return None
    return (
        f"delay.maximum: expected one whose steps fit shared memory, got {spreading.maximum} with "
        f"a window of {spreading.window(True)} taps"
    )


def _threads(device: torch.device, spreading: Spreading, floats: int, size: int) -> int:
    available = properties.shared_bytes(device)
    column = 4 * floats + size * spreading.ring
    return next((count for count in THREADS if count * column <= available), 0)


def delayed(
    x: Tensor,  # [T, B, P]
    delays: Tensor,  # [F], F <= P: what lies behind is padding of zeros
    spreading: Spreading,
    before: Tensor | None,  # [D, B, P]
) -> Tensor:
    """Return rows of which each feature is delayed, [T, B, P]; differentiable."""
    out: Tensor = _Delayed.apply(x, delays, before, spreading)
    return out


def _launch(
    name: str,
    spreading: Spreading,
    delays: Tensor,  # float32 [F]
    like: Tensor,
    slopes: bool,
    tensors: tuple[Tensor | None, ...],
) -> None:
    steps, batch, row = like.shape
    if not batch * row:
        return
    window = spreading.window(slopes)
    floats = 2 * window if slopes else window
    size = like.element_size()
    threads = _threads(like.device, spreading, floats, size)
    x, before, grad, out, out_before, out_delays = (launch.pointer(t) for t in tensors)
    arguments = DelayedArguments(
        x, before, grad, delays.data_ptr(), out, out_before, out_delays, steps, batch, len(delays),
        row, spreading.maximum, spreading.minimum, window, spreading.ring, threads, spreading.width,
    )  # fmt: skip
    kernels = launch.load(source(like.dtype, spreading.spread, window, slopes), like.device)
    shared = threads * (4 * floats + size * spreading.ring)
    kernels.launch(name, batch * -(-row // threads), threads, shared, arguments)


class _Delayed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, delays: Tensor, before: Tensor | None, spreading: Spreading
    ) -> Tensor:
        x, steps = x.contiguous(), delays.detach().float().contiguous()
        before = None if before is None else before.contiguous()
        out = torch.empty_like(x)
        tensors = (x, before, None, out, None, None)
        _launch("delayed_forward", spreading, steps, x, False, tensors)
        slopes = ctx.needs_input_grad[1]
        saved = (x, before) if slopes else (None, None)
        ctx.save_for_backward(steps, *saved)
        ctx.spreading, ctx.type, ctx.with_before = spreading, delays.dtype, before is not None
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        delays, x, before = ctx.saved_tensors
        grad = grad.contiguous()
        needs_x, needs_delays, needs_before, _ = ctx.needs_input_grad
        of_x = torch.empty_like(grad) if needs_x else None
        of_before = of_delays = None
        if needs_before:
            of_before = grad.new_empty((ctx.spreading.maximum, *grad.shape[1:]))
        if needs_delays:
            of_delays = delays.new_empty((grad.shape[1], len(delays)))
        tensors = (x, before, grad, of_x, of_before, of_delays)
        _launch("delayed_backward", ctx.spreading, delays, grad, needs_delays, tensors)
        return (
            of_x,
            None if of_delays is None else of_delays.sum(0).to(ctx.type),
            of_before,
            None,
        )
