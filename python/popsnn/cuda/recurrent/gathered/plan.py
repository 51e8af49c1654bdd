"""Layout of a recurrent layer that gathers its weights, on the multiprocessors."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import Iterator

FRONT = 256  # kFront
CHUNK = 16  # SpikeProduct::kChunk
STAGE = 2048  # RowCopies::kStageBytes
MOST_OUTS = 256  # of a block, whose lists have ids of 8 bits
SAMPLES = (1, 8, 16, 24, 32, 48)  # that a kernel may be compiled for: bits of a list's mask
TILES = (1, 2, 3, 4, 6, 8, 12, 16)  # of 16 neurons a warp
COLUMNS = (1, 2, 4)  # of a block, forward
# Warps of a block, and of each: most stages, and registers of a thread for sums.
WARPS = ((16, 5, 32), (12, 6, 72), (8, 8, 96))
MOST_DOT_STAGES = 12  # rows of one sample that are copied ahead
MOST_LOADS = 4  # of 32 words of lists, that a warp polls
MOST_LISTS = 64  # of a warp, a bit each in ListReader
VECTOR = 8  # receivers
# Fractions of the rows at which a step takes as long as where all weights stream, on an H200
# (`bench.recurrent.gathering`): of one sample, up to 8, up to 24, and more, by the most bytes of
# all weights, of each type. 0: no step gathers. What was not measured is below its neighbours.
FORWARD_FRACTIONS = {
    4: (
        (2e6, (0.24, 0.9, 0.9, 0.75)),
        (8e6, (0.19, 0.6, 0.7, 0.65)),
        (25e6, (0.2, 0.4, 0.5, 0.5)),
        (100e6, (0.5, 0.5, 0.58, 0.52)),
        (400e6, (0.8, 0.85, 0.72, 0.64)),
        (math.inf, (0.84, 0.85, 0.72, 0.64)),
    ),
    2: (
        (4e6, (0.15, 0.75, 0.9, 0.9)),
        (25e6, (0.12, 0.0, 0.0, 0.0)),
        (50e6, (0.14, 0.28, 0.31, 0.21)),
        (200e6, (0.62, 0.65, 0.58, 0.43)),
        (math.inf, (0.84, 0.85, 0.8, 0.43)),
    ),
}
BACKWARD_FRACTIONS = {
    4: (
        (2e6, (0.4, 0.9, 0.7, 0.0)),
        (8e6, (0.5, 0.75, 0.0, 0.0)),
        (25e6, (0.65, 0.6, 0.0, 0.0)),
        (100e6, (0.58, 0.68, 0.31, 0.27)),
        (400e6, (0.48, 0.8, 0.53, 0.21)),
        (math.inf, (0.47, 0.65, 0.57, 0.21)),
    ),
    2: (
        (4e6, (0.4, 0.9, 0.9, 0.9)),
        (25e6, (0.57, 0.8, 0.0, 0.0)),
        (50e6, (0.7, 0.8, 0.1, 0.0)),
        (200e6, (0.9, 0.85, 0.45, 0.38)),
        (math.inf, (0.95, 0.9, 0.67, 0.38)),
    ),
}
GROUPS = (1, 8, 24)  # samples of the first three fractions


@dataclass(frozen=True)
class Plan:
    """Layout of a layer on the multiprocessors: `popsnn::GatheredShape`."""

    direction: str
    element_size: int  # bytes of a weight
    samples: int  # at most
    out_tiles: int  # of 16 neurons a warp
    columns: int  # of a block
    warps: int
    blocks: int
    stages: int  # of a warp
    vectors: int  # of a thread, backward of one sample; else 0

    @property
    def outs(self) -> int:
        """Neurons of a block."""
        return 16 * self.out_tiles * self.columns

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return 32 * self.warps

    @property
    def window(self) -> int:
        """Words of each list that a warp polls: few loads suffice for all of its lists."""
        window = 4 if self.samples == 1 else 16
        while window > 1 and -(-self._lists * window // 32) > MOST_LOADS:
            window //= 2
        return window

    @property
    def loads(self) -> int:
        """Loads of 32 words by which a warp polls all of its lists."""
        return -(-self._lists // (32 // self.window))

    @property
    def _lists(self) -> int:
        return -(-self.blocks * self.columns // self.warps)

    def vector(self, aligned: bool) -> int:
        """Return the neurons that a thread steps at once: few, where threads suffice for all.

        Backward that is more work, which two rounds of all threads do sooner than one of half.
        """
        rounds = 2 if self.direction == "backward" else 1
        return 4 if aligned and self.samples * self.outs > rounds * self.threads else 1

    def rows(self, vector: int) -> int:
        """Return the samples that a block steps at once."""
        return self.threads // (self.outs // vector)

    @property
    def shared_bytes(self) -> int:
        """Return the shared memory of a block."""
        width = 16 * self.out_tiles
        sums = 8 * -(-self.samples // 8) * (width + 4) * 4
        bits = 8 + 4 * -(-self.outs // 32)
        if self.vectors:
            slots = self.stages * self.vectors * self.element_size // 2
            return FRONT + 16 * slots * self.threads + (4 * self.warps + 1) * self.outs + bits
        if self.direction == "backward":
            return FRONT + self.warps * (self.stages * STAGE + sums + 4 * self.outs) + bits
        stages = self.stages * CHUNK * (width * self.element_size + 16)
        ring = 12 * (128 if (self.stages + 1) * CHUNK + 32 <= 128 else 256)
        spikes = 4 * (-(-self.outs // 32) + self.outs * (self.samples | 1))
        return FRONT + self.warps * (max(stages, sums) + ring) + spikes


@lru_cache(maxsize=None)
def plan(
    direction: str,
    neurons: int,
    element_size: int,
    multiprocessors: int,
    batch: int,
    most_bytes: int,
) -> Plan | None:
    """Return the plan of a layer of N neurons, or None where it does not fit.

    The arguments are the bytes of a weight, the multiprocessors of the GPU and the shared memory of
    a block. Of plans that fit, it is that of the fewest neurons a block, then of fewest columns.
    """
    plans = _plans(direction, neurons, element_size, multiprocessors, batch)
    return next((made for made in plans if made.shared_bytes <= most_bytes), None)


def _plans(
    direction: str, neurons: int, element_size: int, multiprocessors: int, batch: int
) -> Iterator[Plan]:
    samples = next((count for count in SAMPLES if count >= batch), None)
    if samples is None:
        return
    needed = -(-neurons // multiprocessors)
    widths = sorted(
        (16 * tiles * columns, columns, tiles)
        for columns in (COLUMNS if direction == "forward" else (1,))
        for tiles in TILES
        if needed <= 16 * tiles * columns <= MOST_OUTS
    )
    for outs, columns, tiles in widths:
        blocks = -(-neurons // outs)
        for warps, most, registers in WARPS:
            if outs > 32 * warps:
                continue
            if direction == "forward" and -(-blocks * columns // warps) > MOST_LISTS:
                continue
            if direction == "backward" and warps not in ((16, 8) if samples <= 8 else (8,)):
                continue  # whose gradients take registers too
            sizes = (direction, element_size, samples, tiles, columns, warps, blocks)
            if direction == "backward" and samples == 1:
                needs = -(-neurons // (VECTOR * 32 * warps))
                vectors = 1 << (needs - 1).bit_length()
                for stages in range(MOST_DOT_STAGES, 1, -1):
                    yield Plan(*sizes, stages, vectors)
            elif tiles * 4 * -(-samples // 8) <= registers:
                for stages in range(most, 1, -1):
                    yield Plan(*sizes, stages, 0)


def limit(direction: str, neurons: int, batch: int, element_size: int) -> int:
    """Return the rows of a step above which streaming all weights takes less time."""
    tables = BACKWARD_FRACTIONS if direction == "backward" else FORWARD_FRACTIONS
    table = tables[element_size]
    fractions = next(row for most, row in table if neurons**2 * element_size <= most)
    return int(fractions[bisect_left(GROUPS, batch)] * neurons)
