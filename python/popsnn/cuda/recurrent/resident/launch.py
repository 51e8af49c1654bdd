"""The forward kernel of a recurrent layer in the registers of a GPU: shape, source, launch.

Up to 8 samples go to `octet`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Callable, Iterable, NamedTuple

import torch
from torch import Tensor

from ...device import module
from ...device.launch import aligned
from ...device.program import TYPES
from ...device.properties import multiprocessors
from ..arguments import (
    MOST_PARTS,
    Cell,
    Tensors,
    fill,
    kernel_source,
    launches_of,
    rounded_narrow,
)
from ..delays import Delays, parts_of

GROUP = 16  # kGroup: samples that are worked on together
MOST_QUADS = 32  # of four blocks each: the product warps of a block hold the weights of so many
SETS = {1: 3, 2: 1, 3: 1}  # of cell warps, where `PRODUCT_WARPS` multiply: kSets
MOST_TILES = 3  # of 8 neurons a block, for whose weights registers suffice
# Samples from which a batch is divided. On an H200, 1,200 neurons, 100 steps forward and backward:
# 0.39 ms with 32 samples divided or not, with 48 samples 0.44 divided and 0.56 whole.
DIVIDED = 33
DIVIDED_STEPS = 10  # fewer are not measured
MANY_SAMPLES = 1 << 20
PART_WARPS = 16  # that multiply where a batch is in parts, a quad each, at most
PART_NEURONS = 32 * PART_WARPS  # of a layer in parts, for each tile of a block
# Layers for which clusters always take less time, and samples up to which they do in others: an
# H200 runs 7 clusters of 8 samples at once where a layer has more than 512 neurons. Of 112
# samples three parts would take as long as clusters, and memory for all messages.
MOST_CLUSTERED = 512  # neurons
CLUSTERED_SAMPLES = {4: 56, 3: 112}  # by the parts
MOST_NEURONS = 32 * MOST_QUADS * MOST_TILES
PRODUCT_WARPS = 12  # kProductWarps
THREADS = 512  # of a block: kThreads
SPIKE_WORDS = 64  # SpikeMessages::kQuadWords


class Division(NamedTuple):
    """Parts of a batch that run at once, each on blocks with at least so many tiles of neurons.

    A block of a part has more groups of samples than product warps keep up with otherwise: each has
    fewer senders, and more sets of warps step neurons.
    """

    parts: int = 1
    tiles: int = 1


UNDIVIDED = Division()


class Shape(NamedTuple):
    """Layout of a layer of N neurons on the multiprocessors: `popsnn::RecurrentShape`."""

    neurons: int
    division: Division = UNDIVIDED

    @property
    def tiles(self) -> int:
        """Tiles of 8 neurons that a block owns."""
        return max(self.division.tiles, -(-self.neurons // (32 * MOST_QUADS)))

    @property
    def quads(self) -> int:
        """Quads of four blocks."""
        return -(-self.neurons // (32 * self.tiles))

    @property
    def blocks(self) -> int:
        """Blocks of the grid; those beyond the neurons publish zeros."""
        return 4 * self.quads

    @property
    def product_warps(self) -> int:
        """Warps of a block that multiply, of parts a quad each: kProductWarps."""
        if self.division.parts == 1:
            return PRODUCT_WARPS
        return self.quads

    @property
    def sets(self) -> int:
        """Sets of warps that step neurons: kSets."""
        if self.division.parts == 1:
            return SETS[self.tiles]
        if self.tiles < MOST_TILES:
            return 4
        return 2 if self.product_warps > PRODUCT_WARPS else 3

    @property
    def threads(self) -> int:
        """Threads of a block: kThreads."""
        if self.division.parts == 1:
            return THREADS
        return 32 * (self.product_warps + self.sets * self.tiles)

    def shared_bytes(self, groups: int, states: int) -> int:
        """Return the shared memory of a block: `popsnn::RecurrentShared` or `StagedWeights`."""
        partials = 2 * self.sets * self.product_warps
        weights = (8 * self.tiles) * (self.quads * 32 * self.tiles) * 2
        return 512 + max(weights, 512 * (partials + states * groups) * self.tiles)


def fits(neurons: int, steps: int, exact: bool, multiprocessors: int) -> bool:
    """Return whether the registers of a GPU hold the weights of N neurons, and pay.

    For a single step they are read once in any case, and on their path to operands in registers
    take longer than through shared memory, unless they are few.
    """
    if exact or neurons > MOST_NEURONS:
        return False
    shape = Shape(neurons)
    return shape.blocks <= multiprocessors and (steps > 1 or shape.tiles == 1)


def shortest(
    steps: int,
    batch: int,
    multiprocessors: int,
    tiles: Iterable[int],
    blocks: Callable[[Division], int],  # of a part
) -> Division:
    """Return the division whose parts have the fewest groups, of those the one of fewest tiles.

    A batch of few samples or steps is not divided: all multiprocessors then work on each sample.
    """
    if batch < DIVIDED or steps < DIVIDED_STEPS:
        return UNDIVIDED
    divisions = [UNDIVIDED]
    for count in tiles:
        division = Division(MOST_PARTS, count)
        parts = min(MOST_PARTS, multiprocessors // blocks(division))
        if parts > 1:
            divisions.append(division._replace(parts=parts))
    return min(divisions, key=lambda d: (-(-batch // (GROUP * d.parts)), d.tiles))


def division_of(neurons: int, steps: int, batch: int, multiprocessors: int) -> Division:
    """Return the parts of a batch forward."""
    tiles = [count for count in range(1, MOST_TILES + 1) if neurons <= PART_NEURONS * count]
    return shortest(steps, batch, multiprocessors, tiles, lambda d: Shape(neurons, d).blocks)


def kind_of_arguments(delay: str, in_parts: bool) -> str:
    """Return the name of the C++ struct that a kernel takes; parts of a batch have no delays."""
    if delay:
        return "RecurrentDelayedArguments"
    return "RecurrentParts" if in_parts else "RecurrentArguments"


def parts_pay(neurons: int, batch: int, multiprocessors: int) -> bool:
    """Return whether parts of a batch take less time than clusters, of layers that fit these.

    On an H200, 100 steps forward and backward: 0.65 and 1.24 ms of 256 samples with 1,024 neurons.
    """
    if neurons <= MOST_CLUSTERED or batch <= CLUSTERED_SAMPLES[MOST_PARTS]:
        return False
    parts = division_of(int(neurons), DIVIDED_STEPS, MANY_SAMPLES, multiprocessors).parts
    return batch > CLUSTERED_SAMPLES.get(parts, batch)


@lru_cache(maxsize=None)
def source(
    neuron: str,
    tiles: int,
    dtype: torch.dtype,
    weight: torch.dtype,
    even: bool,
    delay: str = "",
    warps: int = 0,
) -> str:
    """Return the kernel `recurrent_forward` of a neuron, C++ that declares `Neuron`.

    `delay` is C++ of the kind of delays, of a batch that is not divided. Of one in parts so many
    `warps` of a block multiply.
    """
    of_part = f", {warps}, true" if warps else ""
    options = [TYPES[dtype], TYPES[weight], str(even).lower(), *([delay] if delay else [])]
    return kernel_source(
        "recurrent_forward",
        "resident/forward",
        ", ".join(options),
        f"RecurrentShape<{tiles}{of_part}>",
        [neuron],
        "Layout::kThreads",
        "PERSISTENT",
        kind_of_arguments(delay, warps > 0),
    )


def launch(
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    delays: Delays | None = None,
    line: Tensor | None = None,  # [T, B, N]: `Delays.forward_line`
) -> None:
    """Run forward; a batch of more samples than a launch takes has several launches.

    Without delays, parts of it run at once: `division_of`.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    division = UNDIVIDED
    if delays is None:
        division = division_of(neurons, steps, batch, multiprocessors(x.device))
    shape = Shape(neurons, division)
    weight = rounded_narrow(weight, cell.options.sixteen)
    (weight,) = aligned([weight])  # its rows are read in vectors
    text = source(
        cell.options.neuron, shape.tiles, x.dtype, weight.dtype, tensors.aligned(neurons, 2),
        "" if delays is None else delays.source,
        shape.product_warps if division.parts > 1 else 0,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    for samples in launches_of(batch, GROUP, division.parts):
        groups = -(-samples[0][1] // GROUP)
        size = (len(samples), steps * groups, shape.quads, SPIKE_WORDS)
        messages = torch.zeros(size, dtype=torch.int32, device=x.device)  # "not there"
        arguments, each = parts_of(delays, samples, line, shape.blocks, division.parts > 1)
        for one, (first, count), own in zip(each, samples, messages):
            fill(one, cell, x, weight, tensors, None, first, count)
            one.messages = own.data_ptr()
        kernels.launch(
            "recurrent_forward",
            shape.blocks * len(samples),
            shape.threads,
            shape.shared_bytes(groups, cell.options.states),
            arguments,
            together=True,
        )
