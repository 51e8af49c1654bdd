"""Delays of dense spikes before which there were none, of few taps, in one pass over them."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ..device import launch, properties
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


def write_rows(x: Tensor, delays: Tensor, spreading: Spreading, out: Tensor) -> bool:
    """Write the delayed rows of spikes and, where `out` has room for two, their derivative.

    Parameters
    ----------
    x : float32 Tensor [T, B, P]
        Aligned to 16 bytes.
    delays : float32 Tensor [F]
    out : Tensor [1 or 2, T, B, P]

    Returns
    -------
    bool
        Whether they are written: not where taps are many, where rows do not end at whole vectors,
        or where the spikes of all steps do not fit a block's shared memory.
    """
    slopes = len(out) > 1
    _, steps, batch, row = out.shape
    window = spreading.window(slopes)
    if window not in WINDOWS or row % FEATURES:
        return False
    shared_bytes = _shared_bytes(spreading, out, window)
    if shared_bytes > min(ENOUGH_BYTES, properties.shared_bytes(out.device)):
        return False
    if not out.numel():
        return True
    arguments = DelayedArguments(
        x=x.data_ptr(), delays=delays.data_ptr(), out=out[0].data_ptr(),
        out_slopes=out[1].data_ptr() if slopes else None, steps=steps, batch=batch,
        features=len(delays), row=row, maximum=spreading.maximum, minimum=spreading.minimum,
        window=window, width=spreading.width,
    )  # fmt: skip
    kernels = launch.load(source(out.dtype, spreading.spread, window, slopes), x.device)
    blocks = batch * -(-row // COLUMNS)
    kernels.launch("delayed_spikes", blocks, THREADS, shared_bytes, arguments)
    return True


def _shared_bytes(spreading: Spreading, out: Tensor, window: int) -> int:
    """Return a block's shared memory: of each feature tables, first taps, taps and bits."""
    kinds, steps, *_ = out.shape
    words = (kinds if out.element_size() == 4 else 1) * 2**window + 1 + kinds * window
    rows = -(-spreading.maximum // STEPS) + -(-steps // STEPS) + SPARE_ROWS
    return COLUMNS * (4 * words + rows)
