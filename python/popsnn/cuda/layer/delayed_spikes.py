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

THREADS = 448  # kDelayedSpikesThreads
STEPS, FEATURES = 8, 4  # of a thread at once: kSpikeSteps, kSpikeFeatures
COLUMNS = 128  # features of a block: kSpikeColumns
SPARE_ROWS = 2  # kSpareSpikeRows


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, spread: str, window: int, slopes: bool) -> str:
    """Return the kernel `delayed_spikes`, which makes rows of this type."""
    kind = SLOPE_ROWS if slopes else NO_SLOPES
    call = f"delayed_spikes<{TYPES[dtype]}, popsnn::{SPREADS[spread]}, {window}, popsnn::{kind}>"
    kernel = entry("delayed_spikes", "DelayedArguments", call, str(THREADS))
    return f"#include <popsnn/layer/delayed_spikes.cuh>\n{kernel}"


def takes(spreading: Spreading, out: Tensor) -> bool:
    """Return whether `write_rows` takes such delays, and has room for all steps."""
    window = spreading.window(len(out) > 1)
    whole = out.shape[3] % FEATURES == 0
    return window in WINDOWS and whole and _shared_bytes(spreading, out) <= ENOUGH_BYTES


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
    shared_bytes = _shared_bytes(spreading, out)
    kernels = launch.load(source(out.dtype, spreading.spread, window, slopes), x.device)
    blocks = batch * -(-row // COLUMNS)
    kernels.launch("delayed_spikes", blocks, THREADS, shared_bytes, arguments)


def _shared_bytes(spreading: Spreading, out: Tensor) -> int:
    """Return a block's shared memory: of each feature tables, first taps, taps and bits."""
    kinds, steps, *_ = out.shape
    window = spreading.window(kinds > 1)
    words = (kinds if out.element_size() == 4 else 1) * 2**window + 1 + kinds * window
    rows = -(-spreading.maximum // STEPS) + -(-steps // STEPS) + SPARE_ROWS
    return COLUMNS * (4 * words + rows)
