"""Time shards that the backward pass runs at once where neurons are too few.

See `cuda/popsnn/scan/segments.cuh`. A time shard is some whole chunks of steps, each of which
starts at a checkpoint.
"""

from __future__ import annotations

from typing import Tuple

import torch

from ..device import properties
from ..device.program import THREADS as BLOCK
from ..device.program import chunk, segment_vectors

BYTES = 384  # of x at one step, a multiprocessor; from there on one pass is as fast
STEPS = 160  # up to these, too
THREADS = 256  # a multiprocessor: what time shards are cut for
RESERVED = 1024  # bytes of shared memory that a block has in addition to its own
MOST = 128  # time shards; each walks through the maps of those after it


def most(row_bytes: int, saved: int, steps: int, device: torch.device) -> int:
    """Return the largest number of time shards; 1 is a single pass.

    A step has `row_bytes` of x, and the neuron `saved` states that backward needs.
    """
    # Two states take twice the shared memory, and half as many threads fit.
    if (
        steps <= STEPS
        or not segment_vectors(4, saved, False)
        or row_bytes * saved > BYTES * properties.multiprocessors(device)
    ):
        return 1
    return min(-(-steps // chunk(saved)), MOST)


def split(
    blocks: int, chunks: int, shards: int, shared_bytes: int, device: torch.device
) -> Tuple[int, int]:
    """Return the number of time shards, at most `shards`, and the chunks of each but the last.

    `blocks`, of so many bytes, take the neurons of a row. All blocks of all shards run at once.
    """
    if shards == 1:
        return 1, chunks
    fit = (properties.shared_bytes(device) + RESERVED) // (shared_bytes + RESERVED)
    at_once = min(THREADS // BLOCK, fit) * properties.multiprocessors(device)
    count = max(1, min(shards, at_once // blocks))
    of_each = -(-chunks // count)
    return -(-chunks // of_each), of_each


def numbers(carried: int) -> int:
    """Return how many numbers a shard's map has for a neuron; `carried` as in `Translation`."""
    states = bin(carried).count("1")
    return states * (states + 1)
