"""Layout of a recurrent layer that gathers its weights, on the multiprocessors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

FRONT = 256  # kFront
CHUNK = 16  # SpikeProduct::kChunk
STAGE = 2048  # GradientProduct::kStageBytes
MOST_OUTS = 256  # of a block, whose lists have ids of 8 bits
SAMPLES = (8, 16, 24, 32, 48)  # of a launch: bits of a list's mask
# Of a warp, most and fewest, by warps of a block; 16 warps have half of the registers each.
STAGES = ((16, 5, 3), (8, 8, 2))
MOST_SAMPLES_OF_16 = 8
BACKWARD_OF_16 = False
MOST_LOADS = 4  # of 32 words of lists, that a warp polls
MOST_SUMS = 96  # registers of a thread, backward


@dataclass(frozen=True)
class Plan:
    """Layout of a layer on the multiprocessors: `popsnn::GatheredShape`."""

    direction: str
    element_size: int  # bytes of a weight
    samples: int  # of a launch, at most
    out_tiles: int  # of 16 neurons a warp
    columns: int  # of a block
    warps: int
    blocks: int
    stages: int  # of a warp

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
        window = 16
        while window > 1 and -(-self._lists * window // 32) > MOST_LOADS:
            window //= 2
        return min(window, self.outs)

    @property
    def loads(self) -> int:
        """Loads of 32 words by which a warp polls all of its lists."""
        return -(-self._lists // (32 // self.window))

    @property
    def _lists(self) -> int:
        return -(-self.blocks * self.columns // self.warps)

    def vector(self, aligned: bool) -> int:
        """Return the neurons that a thread steps: few, where threads suffice for all."""
        return 4 if aligned and self.samples * self.outs > self.threads else 1

    def rows(self, vector: int) -> int:
        """Return the samples that a block steps at once."""
        return self.threads // (self.outs // vector)

    @property
    def shared_bytes(self) -> int:
        """Return the shared memory of a block."""
        width = 16 * self.out_tiles
        sums = 8 * -(-self.samples // 8) * (width + 4) * 4
        if self.direction == "backward":
            bits = 4 * -(-self.outs // 32)
            return FRONT + self.warps * (self.stages * STAGE + sums + self.outs) + bits
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
    a block.
    """
    launches = -(-batch // SAMPLES[-1])
    samples = next(count for count in SAMPLES if count * launches >= batch)
    needed = -(-neurons // multiprocessors)
    forward = direction == "forward"
    widths = [
        (16 * tiles * columns, columns, tiles)
        for columns in ((1, 2, 4) if forward else (1,))
        for tiles in (1, 2, 3, 4, 6, 8, 12, 16)[: 4 if forward else 8]
        if needed <= 16 * tiles * columns <= MOST_OUTS
    ]
    if not widths:
        return None
    outs, columns, tiles = min(widths)
    if not forward and tiles * 4 * -(-samples // 8) > MOST_SUMS:
        return None
    blocks = -(-neurons // outs)
    many = samples <= MOST_SAMPLES_OF_16 and (forward or BACKWARD_OF_16)
    for warps, most, fewest in STAGES if many else STAGES[1:]:
        for stages in range(most, fewest - 1, -1):
            made = Plan(
                direction, element_size, samples, tiles, columns, warps, blocks, stages
            )
            if made.shared_bytes <= most_bytes and outs <= made.threads:
                return made
    return None
