"""Delays of dense spikes before which there were none, of few taps, in one pass over them."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ..device import launch
from ..device.program import TYPES, entry
from .delayed import (
    ENOUGH_BYTES,
    NO_SLOPES,
    SLOPE_ROWS,
    SPREADS,
    WINDOWS,
    DelayedArguments,
    Spreading,
)

THREADS = 224  # kDelayedSpikesThreads
STEPS, FEATURES = 8, 4  # of a thread at once: kSpikeSteps, kSpikeFeatures
COLUMNS = 64  # features of a block: kSpikeColumns
SPARE_ROWS = 2  # kSpareSpikeRows


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, spread: str, window: int, slopes: bool) -> str:
    """Return the kernel `delayed_spikes`, which makes rows of this type."""
    kind = SLOPE_ROWS if slopes else NO_SLOPES
    call = f"delayed_spikes<{TYPES[dtype]}, popsnn::{SPREADS[spread]}, {window}, popsnn::{kind}>"
    kernel = entry("delayed_spikes", "DelayedArguments", call, str(THREADS))
    return f"#include <popsnn/layer/delayed_spikes.cuh>\n{kernel}"


def takes(shape: torch.Size, spreading: Spreading, slopes: bool) -> bool:
    """Return whether the kernel has such delays, and room for spikes [T, B, P]."""
    whole = shape[2] % FEATURES == 0
    room = _shared_bytes(spreading, slopes, shape[0], torch.float32.itemsize) <= ENOUGH_BYTES
    return whole and room and spreading.window(slopes) in WINDOWS


def write_rows(x: Tensor, delays: Tensor, spreading: Spreading, out: Tensor) -> None:
    """Write the delayed rows of spikes and, where `out` has room for two, their derivative.

    Parameters
    ----------
    x : float32 Tensor [T, B, P]
        Aligned to 16 bytes.
    delays : float32 Tensor [F]
    out : Tensor [1 or 2, T, B, P]
    """
    slopes = len(out) > 1
    _, steps, batch, row = out.shape
    if not out.numel():
        return
    window = spreading.window(slopes)
    arguments = DelayedArguments(
        x=x.data_ptr(), delays=delays.data_ptr(), out=out[0].data_ptr(),
        out_slopes=out[1].data_ptr() if slopes else None, steps=steps, batch=batch,
        features=len(delays), row=row, maximum=spreading.maximum, minimum=spreading.minimum,
        window=window, width=spreading.width,
    )  # fmt: skip
    shared_bytes = _shared_bytes(spreading, slopes, steps, out.element_size())
    kernels = launch.load(source(out.dtype, spreading.spread, window, slopes), x.device)
    blocks = batch * -(-row // COLUMNS)
    kernels.launch("delayed_spikes", blocks, THREADS, shared_bytes, arguments)


def _shared_bytes(spreading: Spreading, slopes: bool, steps: int, size: int) -> int:
    """Return a block's shared memory: of each feature tables, first taps, taps and bits."""
    window, kinds = spreading.window(slopes), 2 if slopes else 1
    words = (kinds if size == 4 else 1) * 2**window + 1 + kinds * window
    rows = -(-spreading.maximum // STEPS) + -(-steps // STEPS) + SPARE_ROWS
    return COLUMNS * (4 * words + rows)
