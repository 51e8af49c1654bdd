"""Layout of a recurrent layer whose weights stay on the multiprocessors of any GPU since 8.0."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ...device.products import PLANES
from ..arguments import MOST_PARTS

GROUP = 8  # kSamples: that are worked on together
MOST_GROUPS = 12  # of a launch
FEWEST_GROUPS = 4  # that a launch must have room for
TILE = 16  # neurons, of which a block has kTiles
MOST_TILES = 4  # of a block, each stepped by a warp
PRODUCT_WARPS = 12  # kProductWarps
CELL_WARPS = 4  # of a block's 16 warps
LANES_BYTES = 512  # of 16 bytes a lane, of a warp
UNITS = {"forward": 64, "backward": 32}  # kUnit: senders
BLOCKS = {"forward": 4, "backward": 2}  # kBlocks: of 16 senders in a unit
# Registers of a thread for weights: of 128, those that the rest of a kernel leaves.
REGISTERS = {"forward": 80, "backward": 64}
# Those where shared memory does not hold the other weights, with few spills.
MOST_REGISTERS = {"forward": 96, "backward": 96}
# The same for terms of weights of float32: backward, those of messages take more of the others.
REGISTERS_OF_TERMS = {"forward": 80, "backward": 48}
MOST_REGISTERS_OF_TERMS = {"forward": 96, "backward": 72}


@dataclass(frozen=True)
class Plan:
    """Layout of one direction: `popsnn::PortableShape`, and the groups of samples of a launch."""

    direction: str
    neurons: int
    tiles: int  # of a block
    held: int  # units of a product warp whose weights are in registers
    buffers: int  # kBuffers: of partial sums
    groups: int  # of a launch, at most
    terms: int = 1  # of the weights

    @property
    def units(self) -> int:
        """Units of senders."""
        return -(-self.neurons // UNITS[self.direction])

    @property
    def units_of_warp(self) -> int:
        """Units of a product warp."""
        return -(-self.units // PRODUCT_WARPS)

    @property
    def blocks(self) -> int:
        """Blocks of the grid; those beyond the neurons publish zeros, up to whole units."""
        return -(-self.units * UNITS[self.direction] // (TILE * self.tiles))

    @property
    def sets(self) -> int:
        """Sets of warps that step neurons: kSets."""
        return CELL_WARPS // self.tiles

    @property
    def layout(self) -> tuple[int, ...]:
        """The numbers of `popsnn::PortableShape`."""
        return (self.tiles, self.units_of_warp, self.held, self.buffers)

    def shared_bytes(self, groups: int, values: int) -> int:
        """Return the shared memory of a block: `popsnn::RecurrentShared`.

        Between steps a neuron has so many `values` of each sample.
        """
        partials = self.buffers * PRODUCT_WARPS
        in_shared = PRODUCT_WARPS * (self.units_of_warp - self.held) * BLOCKS[self.direction]
        in_shared *= self.terms
        return LANES_BYTES * (1 + (partials + in_shared + values * groups) * self.tiles)


def most_parts(blocks: int, multiprocessors: int, delayed: bool) -> int:
    """Return how many parts of a batch run at once, each on so many blocks.

    Kernels of delays take no parts.
    """
    return 1 if delayed else max(1, min(MOST_PARTS, multiprocessors // blocks))


def values_of(direction: str, states: int) -> int:
    """Return what a neuron carries from step to step: states, backward with their gradients."""
    return states if direction == "forward" else 2 * states - 1


@lru_cache(maxsize=None)
def plan(
    direction: str,
    neurons: int,
    states: int,
    multiprocessors: int,
    most_bytes: int,
    exact: bool = False,
) -> Plan | None:
    """Return the layout of a layer of N neurons, or None where its weights do not fit.

    `exact`: products take weights of float32.
    """
    terms = PLANES if exact else 1
    least = Plan(direction, neurons, 1, 1, 1, 1)
    tiles = -(-least.blocks // multiprocessors)
    if tiles > MOST_TILES:
        return None
    of_unit = 4 * BLOCKS[direction] * tiles * terms  # registers
    values = values_of(direction, states)
    sets = CELL_WARPS // tiles
    fewest = max(2, 2 * sets - 1)  # kBuffersSuffice
    few = (REGISTERS_OF_TERMS if exact else REGISTERS)[direction]
    most = (MOST_REGISTERS_OF_TERMS if exact else MOST_REGISTERS)[direction]
    if of_unit > most:  # three or four tiles of terms
        return None
    for registers, buffers in ((few, 2 * sets), (few, fewest), (most, fewest)):
        held = max(1, min(least.units_of_warp, registers // of_unit))
        laid = Plan(direction, neurons, tiles, held, buffers, 1, terms)
        left = most_bytes - laid.shared_bytes(0, values)
        groups = min(MOST_GROUPS, left // (LANES_BYTES * values * tiles))
        if groups >= FEWEST_GROUPS:
            return replace(laid, groups=groups)
    return None


def fits(
    neurons: int,
    batch: int,
    states: int,
    exact: bool,
    delayed: bool,
    multiprocessors: int,
    most_bytes: int,
) -> bool:
    """Return whether a GPU holds the weights of N neurons, in both directions, and it pays.

    Of more samples than a launch takes, weights that stream are faster where they fit blocks of a
    single tile and these leave no room for parts: 2.18 ms for 3.12 at N = 1024, B = 256 on an H200
    with the limits of an A100. Where blocks have more, they are slower: 16.1 ms for 7.4 at N =
    2944. So are those of float32 where parts fit: 3.13 ms for 2.74 at N = 1024, B = 256.
    """
    have = (states, multiprocessors, most_bytes, exact)
    plans = [laid for of in UNITS if (laid := plan(of, int(neurons), *have)) is not None]
    if len(plans) < len(UNITS):
        return False
    parts = min(most_parts(laid.blocks, multiprocessors, delayed) for laid in plans)
    large = parts > 1 or any(laid.tiles > 1 for laid in plans)
    return large or batch <= MOST_GROUPS * GROUP
