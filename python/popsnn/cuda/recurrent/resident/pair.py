"""The backward kernel of a recurrent layer in pairs of blocks: shape, source, launch."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES
from ...device.properties import multiprocessors
from ..arguments import (
    Cell,
    Tensors,
    fill,
    kernel_source,
    launches_of,
    rows_of_vectors,
)
from ..delays import Delays, parts_of
from .launch import (
    PRODUCT_WARPS,
    THREADS,
    UNDIVIDED,
    Division,
    kind_of_arguments,
    shortest,
)

GROUP = 8  # kSamples: that are worked on together
UNIT = 32  # kUnit: senders
TILE = 16  # neurons, of which a pair has kTiles
TILE_NEURONS = 1024  # of a layer whose pairs have one tile
SPARED = 8  # multiprocessors: parts take a multiple of them
MOST_TILES = 4  # of 16 neurons a pair, for whose weights registers suffice
# Warps that multiply where a batch is in parts, the fewest that suffice, and units of one of these
# at most, for whose weights its registers suffice.
PART_WARPS = {4: 4, 8: 3}
PART_CELLS = 8  # that step neurons: kPairCellsOfPart
DEPTH = 2  # kPairDepth
PART_NEURONS = 2 * UNIT * max(warps * held for warps, held in PART_WARPS.items())
UNITS = 4  # kUnits: of a product warp
SETS = 2  # kSets: of warps that step neurons
RECEIVED_SLOTS = 24  # kReceivedSlots: of the sums that a block is sent
BATCH_UNIT = 16  # samples that batches are cut at


def tiles(neurons: int, division: Division = UNDIVIDED) -> int:
    """Return the tiles of 16 neurons that a pair owns."""
    return max(division.tiles, -(-neurons // TILE_NEURONS))


def units(neurons: int) -> int:
    """Return the units of senders, of which a block of a pair has every other one."""
    return -(-neurons // UNIT)


def product_warps(neurons: int, division: Division) -> int:
    """Return the warps of a block that multiply: kProductWarps."""
    if division.parts == 1:
        return PRODUCT_WARPS
    most = -(-units(neurons) // 2)
    return next(warps for warps, held in PART_WARPS.items() if most <= warps * held)


def threads(neurons: int, division: Division) -> int:
    """Return the threads of a block: kThreads."""
    if division.parts == 1:
        return THREADS
    return 32 * (product_warps(neurons, division) + PART_CELLS)


def units_of_warp(neurons: int, division: Division) -> int:
    """Return the units of a product warp where the batch has parts, else 0: the kernel has them."""
    if division.parts == 1:
        return 0
    return -(-units(neurons) // (2 * product_warps(neurons, division)))


def blocks(neurons: int, division: Division = UNDIVIDED) -> int:
    """Return the blocks of the grid; those beyond the neurons publish zeros, up to whole units."""
    return 2 * -(-UNIT * units(neurons) // (TILE * tiles(neurons, division)))


def cell_warps(tiles: int) -> int:
    """Return the warps of a set that steps so many tiles of neurons: kCellWarps."""
    return -(-tiles // 2)


def sets(neurons: int, division: Division = UNDIVIDED) -> int:
    """Return the sets of warps that step neurons: kSets."""
    if division.parts == 1:
        return SETS
    return PART_CELLS // cell_warps(tiles(neurons, division))


def shared_bytes(neurons: int, groups: int, states: int, division: Division = UNDIVIDED) -> int:
    """Return the shared memory of a block: `popsnn::RecurrentShared` or `PairWeights`."""
    of_pair = tiles(neurons, division)
    warps = cell_warps(of_pair)
    product = product_warps(neurons, division)
    partials = 2 * sets(neurons, division) * product * of_pair
    most = -(-units(neurons) // 2)
    weights = most * UNIT * (32 * of_pair + 16)
    copied = DEPTH * product * units_of_warp(neurons, division)
    return 512 + max(
        weights, 512 * (partials + (RECEIVED_SLOTS + states * groups) * warps + copied)
    )


def division_of(neurons: int, steps: int, batch: int, multiprocessors: int) -> Division:
    """Return the parts of a batch backward.

    Pairs are clusters, of which a GPU need not run as many as it has pairs of multiprocessors.
    """
    count = tiles(neurons)
    several = range(count, MOST_TILES + 1) if neurons <= PART_NEURONS else ()
    room = multiprocessors - multiprocessors % SPARED
    return shortest(steps, batch, room, several, lambda d: blocks(neurons, d))


@lru_cache(maxsize=None)
def source(
    neuron: str,
    gradient: str,
    tiles: int,
    dtype: torch.dtype,
    even: bool,
    membranes: bool = False,
    learn: bool = False,
    delay: str = "",
    of_warp: int = 0,
    warps: int = PRODUCT_WARPS,
) -> str:
    """Return the kernel `recurrent_backward`; `gradient` declares `Gradient`.

    Of a batch in parts so many `warps` multiply, which have `of_warp` units each.
    `delay` is C++ of the kind of delays, of a batch that is not divided.
    """
    flags = [str(flag).lower() for flag in (even, membranes, learn)] + ([delay] if delay else [])
    return kernel_source(
        "recurrent_backward",
        "resident/backward",
        f"Gradient, {TYPES[dtype]}, {', '.join(flags)}",
        f"PairShape<{tiles}, {of_warp}, {warps}>",
        [neuron, gradient],
        "Layout::kThreads, 2",
        "CLUSTER",
        kind_of_arguments(delay, of_warp > 0),
    )


def launch(
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    *,
    learn: bool = False,
    delays: Delays | None = None,
    line: Tensor | None = None,  # [T + D, B, N]: `Delays.grad_line`
) -> Tensor | None:
    """Run backward; a batch of more samples than a launch takes has several launches.

    Without delays, parts of it run at once: `division_of`. Returns the gradients of the
    parameters where they `learn`, [parts x sets, parameters, N], to be summed over the first.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    weight = rows_of_vectors(weight, cell.options.sixteen)
    division = UNDIVIDED
    if delays is None:
        division = division_of(neurons, steps, batch, multiprocessors(x.device))
    text = source(
        cell.options.neuron, cell.options.gradient, tiles(neurons, division), x.dtype,
        tensors.aligned(neurons, 2), tensors.rows.get("grad_membrane") is not None, learn,
        "" if delays is None else delays.source, units_of_warp(neurons, division),
        product_warps(neurons, division),
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    launches = launches_of(batch, BATCH_UNIT, division.parts)
    learnt, number, of_part = None, 0, sets(neurons, division)
    if learn:
        shape = (sum(map(len, launches)) * of_part, len(cell.options.values), neurons)
        learnt = x.new_zeros(shape, dtype=torch.float32)
    for samples in launches:
        groups = -(-samples[0][1] // GROUP)
        # All bits set, the one NaN that no rounding gives: "not there".
        size = (len(samples), steps * groups, units(neurons), GROUP * UNIT // 2)
        messages = torch.full(size, -1, dtype=torch.int32, device=x.device)
        grid = blocks(neurons, division)
        arguments, each = parts_of(delays, samples, line, grid, division.parts > 1)
        for one, (first, count), own in zip(each, samples, messages):
            tensor = None if learnt is None else learnt[number * of_part]
            fill(one, cell, x, weight, tensors, tensor, first, count)
            one.messages = own.data_ptr()
            number += 1
        kernels.launch(
            "recurrent_backward",
            grid * len(samples),
            threads(neurons, division),
            shared_bytes(neurons, groups, cell.options.states + 1, division),
            arguments,
            together=True,
        )
    return learnt
