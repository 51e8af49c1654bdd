"""Layout of a recurrent layer that reads its weights at every step, on the multiprocessors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Iterator

from ..arguments import MOST_SAMPLES
from .launch import STAGE_ROW, STEPPERS, WARPS

TILE_SAMPLES = 8
SAMPLE_TILES = (1, 2, 3, 4, 6, 8, MOST_SAMPLES // TILE_SAMPLES)  # kSampleTiles
MOST_SHARED = 232448  # bytes of a block of a GPU of compute capability 9.0
FRONT = 1024  # kFront
MESSAGE_STAGES = 5  # kMessageStages
MOST_STAGES = 8  # kMostStages
RESIDENT_STAGES = (2, 3, 4, 5, 6, 8, 10, 12, 16)  # in which all weights of a block can stay
SMALLEST_SHARED = 99 * 1024  # bytes of a block of any GPU of compute capability 8.0 or more
MOST_RANKS = 16  # blocks of a team, which all read each other's sums

# Microseconds of a step, forward and backward, fitted to 663 plans of 11 layers on an H200 (N from
# 100 to 8,192, B 48 to 256, both types). The plan that they choose takes 2 % more than the best on
# average, and 11 % at most.
EXCHANGE = 11.0  # the waits for other blocks, and the neurons
CHUNK = 0.3  # of weights, to 128 neurons
PRODUCT = 0.12  # of it with 8 samples, in bfloat16
# The same of synaptic delays, fitted to 16 plans of 4 taps (N=1024, B=48, bfloat16), to 9 %: older
# messages are multiplied while the newest travel, so that the exchange is shorter.
TAP_EXCHANGE = 4.7
TAP_RANK = 0.36  # of the exchange, for each block of a team
TAP_CHUNK = 0.4
TAP_PRODUCT = 0.1


@dataclass(frozen=True)
class Plan:
    """Layout of a layer on the multiprocessors: `popsnn::StreamedShape` and its grid."""

    row_tiles: int  # of 16 neurons a warp
    ranks: int  # blocks of a team
    teams: int  # of a group of samples
    tiles: int  # of `outs` neurons
    sample_tiles: int = 1  # of 8 samples a group
    groups: int = 1  # that run at once
    taps: int = 1  # of synaptic delays
    stages: tuple[int, ...] = ()  # for weights and messages, without a copy engine

    @property
    def outs(self) -> int:
        """Neurons of a tile."""
        return WARPS * 16 * self.row_tiles

    @property
    def blocks(self) -> int:
        """Blocks of a group."""
        return self.teams * self.ranks

    @property
    def samples(self) -> int:
        """Samples of a group."""
        return TILE_SAMPLES * self.sample_tiles

    @property
    def width(self) -> int:
        """Neurons of a tile that a rank steps: `popsnn::StreamedCells`."""
        return 8 * -(-self.outs // (8 * self.ranks))

    def groups_of(self, batch: int) -> int:
        """Return the groups of a batch."""
        return -(-batch // self.samples)

    def chunks(self, neurons: int, element_size: int) -> int:
        """Return the chunks of weights that a block reads at each step."""
        senders = -(-neurons // (STAGE_ROW // element_size))
        return self.taps * -(-self.tiles // self.teams) * -(-senders // self.ranks)

    def rows(self, vector: int) -> int:
        """Return the samples that a block steps at once, `vector` neurons a thread."""
        return STEPPERS // (self.width // vector)

    def shared_bytes(self, element_size: int, planes: int) -> int:
        """Return the shared memory of a block."""
        weights, messages = self.stages or (MOST_STAGES, MESSAGE_STAGES)
        front = FRONT + messages * message_bytes(self.sample_tiles, element_size, planes)
        stage = self.outs * STAGE_ROW
        return front + stage * min(weights, (MOST_SHARED - front) // stage)

    def microseconds(self, neurons: int, element_size: int, batch: int) -> float:
        """Return about how long a step of all samples takes, forward and backward."""
        launches = -(-self.groups_of(batch) // self.groups)
        samples = self.sample_tiles * element_size / 2
        chunks = self.chunks(neurons, element_size) * self.row_tiles
        if self.taps > 1:
            exchange = TAP_EXCHANGE + TAP_RANK * self.ranks
            return launches * (exchange + chunks * (TAP_CHUNK + TAP_PRODUCT * samples))
        return launches * (EXCHANGE + chunks * (CHUNK + PRODUCT * samples))


def message_bytes(sample_tiles: int, element_size: int, planes: int) -> int:
    """Return the bytes of a stage of messages: kMessageBytes."""
    return planes * TILE_SAMPLES * sample_tiles * 2 * (STAGE_ROW // element_size)


@lru_cache(maxsize=None)
def plan(
    neurons: int,
    element_size: int,
    multiprocessors: int,
    batch: int,
    planes: int = 1,
    most_bytes: int | None = None,
    taps: int = 1,
) -> Plan:
    """Return the plan of a layer of N neurons whose steps are the shortest.

    Of equal plans it is that of fewer blocks a team: they exchange less. Without a copy engine a
    block may have `most_bytes` of shared memory.

    Raises
    ------
    RuntimeError
        Where these are too few.
    """
    plans = list(_plans(neurons, element_size, multiprocessors, batch, taps))
    if most_bytes is not None:
        plans = [
            replace(plan, stages=stages)
            for plan in plans
            for stages in [
                async_stages(
                    plan.outs * STAGE_ROW,
                    plan.chunks(neurons, element_size),
                    message_bytes(plan.sample_tiles, element_size, planes),
                    most_bytes - FRONT,
                )
            ]
            if stages
        ]
    if not plans:
        raise RuntimeError(
            f"recurrent layer: expected a GPU whose blocks may have {SMALLEST_SHARED} bytes of "
            f"shared memory, got {most_bytes}"
        )
    return min(
        plans, key=lambda plan: (plan.microseconds(neurons, element_size, batch), plan.ranks)
    )


def async_stages(weight_stage: int, chunks: int, message_stage: int, room: int) -> tuple[int, ...]:
    """Return the stages for weights and messages of a block's chunks; none where two do not fit.

    The arguments but `chunks` are bytes. Weights stay in shared memory where it holds all of a
    block. Else the copy of a chunk's weights ends with that of its messages, so both have as many.
    """
    weights = next((count for count in RESIDENT_STAGES if count >= chunks), 0)
    messages = min(MOST_STAGES, (room - weights * weight_stage) // message_stage)
    if weights and messages >= min(3, 1 + chunks):
        return weights, messages
    both = min(MOST_STAGES, room // (weight_stage + message_stage))
    return (both, both) if both > 1 else ()


def _plans(
    neurons: int, element_size: int, multiprocessors: int, batch: int, taps: int
) -> Iterator[Plan]:
    chunks = -(-neurons // (STAGE_ROW // element_size))
    needed = -(-batch // TILE_SAMPLES)
    widest = next((tiles for tiles in SAMPLE_TILES if tiles >= needed), SAMPLE_TILES[-1])
    for row_tiles in (1, 2):
        tiles = -(-neurons // (WARPS * 16 * row_tiles))
        rounds = -(-tiles // multiprocessors)
        teams = -(-tiles // rounds)
        for ranks in range(1, min(MOST_RANKS, chunks, multiprocessors // teams) + 1):
            for sample_tiles in SAMPLE_TILES:
                if sample_tiles > widest:
                    break
                groups = -(-batch // (TILE_SAMPLES * sample_tiles))
                groups = min(groups, multiprocessors // (teams * ranks))
                yield Plan(row_tiles, ranks, teams, tiles, sample_tiles, groups, taps)
