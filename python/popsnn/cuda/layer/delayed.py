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

THREADS = 256  # of a block: `kDelayThreads`
LANES = (32, 16, 8)  # of them, those that have the same steps: as many as memory has room for
MOST_STEPS = 16  # of a thread between two barriers, where shared memory has room for them
ENOUGH_BYTES = 48 << 10  # of a block's shared memory, so that a multiprocessor has several blocks
SPREADS = {
    "none": "kNoSpread",
    "straight_through": "kStraightThrough",
    "triangle": "kTriangle",
    "gaussian": "kGaussian",
}
NO_SLOPES, SLOPE_ROWS, SLOPE_SUMS = "kNoSlopes", "kSlopeRows", "kSlopeSums"
WINDOWS = (1, 2, 3, 4, 5)  # taps that a thread has in registers
COPIES = (16, 4, 2)  # bytes that a thread copies at a time, as rows are aligned


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
        ("out_slopes", ctypes.c_void_p),
        ("steps", ctypes.c_int),
        ("batch", ctypes.c_int),
        ("features", ctypes.c_int),
        ("row", ctypes.c_int),
        ("maximum", ctypes.c_int),
        ("minimum", ctypes.c_int),
        ("window", ctypes.c_int),
        ("ring", ctypes.c_int),
        ("lanes", ctypes.c_int),
        ("each", ctypes.c_int),
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


class Columns(NamedTuple):
    """Division of a block's threads over features and over steps."""

    lanes: int
    ring: int
    each: int
    shared_bytes: int


def vector_of(size: int, copied: int) -> int:
    """Return how many features a thread has, of elements of so many bytes."""
    return 2 if size == 2 and copied >= 4 else 1


@lru_cache(maxsize=None)
def source(
    dtype: torch.dtype, copied: int, spread: str, window: int, slopes: str, spikes: bool = False
) -> str:
    """Return the kernels `delayed_forward` and `delayed_backward`.

    Of rows of slopes, and of dense spikes, the former alone.
    """
    in_registers = window if window in WINDOWS else 0
    vector = vector_of(torch.finfo(dtype).bits // 8, copied)
    options = f"{TYPES[dtype]}, {vector}, {copied}, popsnn::{SPREADS[spread]}, {in_registers}"
    blocks = 4 if in_registers < 5 else 3  # of a multiprocessor, that registers have room for
    bounds = f"{THREADS}, {blocks}"
    of_forward = slopes if slopes == SLOPE_ROWS else NO_SLOPES
    forward = f"delayed_forward<{options}, popsnn::{of_forward}, {str(spikes).lower()}>"
    kernels = [entry("delayed_forward", "DelayedArguments", forward, bounds)]
    if slopes != SLOPE_ROWS and not spikes:
        backward = f"delayed_backward<{options}, popsnn::{slopes}>"
        kernels.append(entry("delayed_backward", "DelayedArguments", backward, bounds))
    return "\n".join(["#include <popsnn/layer/delayed.cuh>", *kernels])


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
    window = spreading.window(True)
    if all(columns(device, spreading, window, SLOPE_SUMS, *of, 1) for of in ((4, 1), (2, 2))):
        return None
    return (
        f"delay.maximum: expected one whose steps fit shared memory, got {spreading.maximum} with "
        f"a window of {window} taps"
    )


@lru_cache(maxsize=None)
def columns(
    device: torch.device,
    spreading: Spreading,
    window: int,
    slopes: str,
    size: int,
    vector: int,
    steps: int,
) -> Columns | None:
    """Return how the threads of a block are divided, or None where no division fits.

    Parameters
    ----------
    size : int
        Bytes of an element.
    vector : int
        Features of a thread.
    """
    available = properties.shared_bytes(device)
    for lanes in LANES:
        groups = THREADS // lanes
        most = min(-(-max(1, steps) // groups), MOST_STEPS)
        floats = (1 if slopes == NO_SLOPES else 2) * window + 1
        ring = 1 << (spreading.maximum + groups * most - 1).bit_length()
        while True:
            each = min(most, (ring - spreading.maximum) // groups)
            rows = ring + (groups * each if slopes == SLOPE_SUMS else 0)
            shared_bytes = lanes * vector * (4 * floats + size * rows)
            if shared_bytes <= ENOUGH_BYTES or ring // 2 < spreading.maximum + groups:
                break
            ring //= 2
        while shared_bytes > available and slopes == SLOPE_SUMS and each > 1:  # fewer rows of x
            each -= 1
            shared_bytes -= lanes * vector * size * groups
        if shared_bytes <= available:
            return Columns(lanes, ring, each, shared_bytes)
    return None


def delayed(
    x: Tensor,  # [T, B, P]
    delays: Tensor,  # [F], F <= P: what lies behind is padding of zeros
    spreading: Spreading,
    before: Tensor | None,  # [D, B, P]
) -> Tensor:
    """Return rows of which each feature is delayed, [T, B, P]; differentiable."""
    out: Tensor = _Delayed.apply(x, delays, before, spreading)
    return out


def delayed_off_graph(
    x: Tensor,  # [T, B, P] rows, or float32 [T, B, P] dense spikes
    delays: Tensor,  # [F], F <= P
    spreading: Spreading,
    before: Tensor | None,  # [D, B, P]
    dtype: torch.dtype,  # of the rows
    *,
    spikes: bool,
    slopes: bool,
) -> Tensor:
    """Return the rows of `delayed`, [1, T, B, P], and with `slopes` their derivative by the delays.

    Of a delay that is out of the range and so clamped, the derivative is 0. With `spikes` what is
    not 0 in x fired, and is a row of 1.

    Returns
    -------
    Tensor [1 or 2, T, B, P]
        Not differentiable.
    """
    assert x.dtype == (torch.float32 if spikes else dtype)
    x, steps = x.detach().contiguous(), delays.detach().float().contiguous()
    if spikes and x.data_ptr() % COPIES[0]:
        x = x.clone()  # what a thread loads is aligned as its rows are
    before = None if before is None else before.detach().contiguous()
    out = x.new_empty((2 if slopes else 1, *x.shape), dtype=dtype)
    if spikes and before is None:
        from . import delayed_spikes  # importing popsnn loads as little as it can

        if delayed_spikes.write_rows(x, steps, spreading, out):
            return out
    tensors = (x, before, None, out[0], None, None, out[1] if slopes else None)
    kind = SLOPE_ROWS if slopes else NO_SLOPES
    _launch("delayed_forward", spreading, steps, out[0], kind, tensors, spikes)
    return out


def _launch(
    name: str,
    spreading: Spreading,
    delays: Tensor,  # float32 [F]
    like: Tensor,
    slopes: str,
    tensors: tuple[Tensor | None, ...],
    spikes: bool = False,
) -> None:
    steps, batch, row = like.shape
    if not batch * row:
        return
    window = spreading.window(slopes != NO_SLOPES)
    size = like.element_size()
    pointers = [launch.pointer(t) for t in tensors]
    copied = next(b for b in COPIES if not any(at % b for at in (row * size, *pointers)))
    vector = vector_of(size, copied)
    division = columns(like.device, spreading, window, slopes, size, vector, steps)
    assert division is not None  # `delays_unsupported` asks first
    x, before, grad, out, out_before, out_delays, out_slopes = pointers
    arguments = DelayedArguments(
        x, before, grad, delays.data_ptr(), out, out_before, out_delays, out_slopes, steps, batch,
        len(delays), row, spreading.maximum, spreading.minimum, window, division.ring,
        division.lanes, division.each, spreading.width,
    )  # fmt: skip
    text = source(like.dtype, copied, spreading.spread, window, slopes, spikes)
    kernels = launch.load(text, like.device)
    blocks = batch * -(-row // (division.lanes * vector))
    kernels.launch(name, blocks, THREADS, division.shared_bytes, arguments)


class _Delayed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, delays: Tensor, before: Tensor | None, spreading: Spreading
    ) -> Tensor:
        x, steps = x.contiguous(), delays.detach().float().contiguous()
        before = None if before is None else before.contiguous()
        out = torch.empty_like(x)
        tensors = (x, before, None, out, None, None, None)
        _launch("delayed_forward", spreading, steps, x, NO_SLOPES, tensors)
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
            of_delays = delays.new_empty((len(delays), grad.shape[1]))
        tensors = (x, before, grad, of_x, of_before, of_delays, None)
        slopes = SLOPE_SUMS if needs_delays else NO_SLOPES
        _launch("delayed_backward", ctx.spreading, delays, grad, slopes, tensors)
        return (
            of_x,
            None if of_delays is None else of_delays.sum(1).to(ctx.type),
            of_before,
            None,
        )
