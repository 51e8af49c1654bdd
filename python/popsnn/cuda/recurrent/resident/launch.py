"""The forward kernel of a recurrent layer in the registers of a GPU: shape, source, launch.

Up to 8 samples go to `octet`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from ...device import module
from ...device.launch import aligned
from ...device.program import TYPES
from ..arguments import Cell, Tensors, fill, kernel_source, launches_of, rounded_narrow
from ..delays import Delays, arguments_of

GROUP = 16  # kGroup: samples that are worked on together
MOST_QUADS = 32  # of four blocks each: the product warps of a block hold the weights of so many
SETS = {1: 3, 2: 1, 3: 1}  # of cell warps: kSets
MOST_TILES = 3  # of 8 neurons a block, for whose weights registers suffice
MOST_NEURONS = 32 * MOST_QUADS * MOST_TILES
PRODUCT_WARPS = 12  # kProductWarps
THREADS = 512  # of a block: kThreads
SPIKE_WORDS = 64  # SpikeMessages::kQuadWords


class Shape(NamedTuple):
    """Layout of a layer of N neurons on the multiprocessors: `popsnn::RecurrentShape`."""

    neurons: int

    @property
    def tiles(self) -> int:
        """Tiles of 8 neurons that a block owns."""
        return -(-self.neurons // (32 * MOST_QUADS))

    @property
    def quads(self) -> int:
        """Quads of four blocks."""
        return -(-self.neurons // (32 * self.tiles))

    @property
    def blocks(self) -> int:
        """Blocks of the grid; those beyond the neurons publish zeros."""
        return 4 * self.quads

    def shared_bytes(self, groups: int, states: int) -> int:
        """Return the shared memory of a block: `popsnn::RecurrentShared` or `StagedWeights`."""
        partials = 2 * SETS[self.tiles] * PRODUCT_WARPS
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


@lru_cache(maxsize=None)
def source(
    neuron: str,
    tiles: int,
    dtype: torch.dtype,
    weight: torch.dtype,
    even: bool,
    delay: str = "",
) -> str:
    """Return the kernel `recurrent_forward` of a neuron, C++ that declares `Neuron`.

    `delay` is C++ of the kind of delays.
    """
    options = [TYPES[dtype], TYPES[weight], str(even).lower(), *([delay] if delay else [])]
    return kernel_source(
        "recurrent_forward",
        "resident/forward",
        ", ".join(options),
        f"RecurrentShape<{tiles}>",
        [neuron],
        "Layout::kThreads",
        "PERSISTENT",
        *(["RecurrentDelayedArguments"] if delay else []),
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

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    shape = Shape(neurons)
    weight = rounded_narrow(weight, cell.options.sixteen)
    (weight,) = aligned([weight])  # its rows are read in vectors
    text = source(
        cell.options.neuron, shape.tiles, x.dtype, weight.dtype, tensors.aligned(neurons, 2),
        "" if delays is None else delays.source,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    for first, count in launches_of(batch, GROUP):
        groups = -(-count // GROUP)
        size = (steps * groups, shape.quads, SPIKE_WORDS)
        messages = torch.zeros(size, dtype=torch.int32, device=x.device)  # "not there"
        arguments = arguments_of(delays, first, line)
        fill(arguments, cell, x, weight, tensors, None, first, count)
        arguments.messages = messages.data_ptr()
        kernels.launch(
            "recurrent_forward",
            shape.blocks,
            THREADS,
            shape.shared_bytes(groups, cell.options.states),
            arguments,
            together=True,
        )
