"""The kernels of a recurrent layer that keep its weights in registers: shape, source, launch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from . import module
from .launch import aligned
from .program import TYPES, entry
from .recurrent_arguments import Cell, RecurrentArguments, Tensors, fill, parts

GROUP = 16  # kGroup: samples that are worked on together
MOST_QUADS = 32  # of four blocks each: the product warps of a block hold the weights of so many
SETS = {1: 3, 2: 1, 3: 1}  # of cell warps, where blocks do not send sums: kSets
MOST_TILES = 3  # of 8 neurons a block, for whose weights registers suffice
MOST_NEURONS = 32 * MOST_QUADS * MOST_TILES
RANKS = {"forward": 1, "backward": 4}  # blocks of a team
PRODUCT_WARPS = {1: 12, 4: 8}  # of a block in such a team: kProductWarps
THREADS = 512  # of a block: kThreads
SPIKE_WORDS = 64  # SpikeMessages::kQuadWords


@dataclass(frozen=True)
class Shape:
    """How a layer of N neurons lies on the multiprocessors: `popsnn::RecurrentShape`."""

    neurons: int
    ranks: int

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
        buffers = 2 if self.ranks > 1 else 2 * SETS[self.tiles]
        partials = buffers * PRODUCT_WARPS[self.ranks] * self.ranks
        quads = -(-self.quads // self.ranks)
        weights = (8 * self.tiles * self.ranks) * (quads * 32 * self.tiles) * 2
        return 512 + max(weights, 512 * (partials + states * groups) * self.tiles)

    def sums_shape(self, groups: int) -> tuple[int, ...]:
        """Return the shape of the sums that blocks send each other, if they do."""
        return (2 * groups if self.ranks > 1 else 0, self.blocks, self.ranks, self.tiles, 128)

    def message_words(self, direction: str) -> int:
        """Return the words of a quad's messages of a step and group."""
        return SPIKE_WORDS if direction == "forward" else 2 * self.tiles * 128


def resident(neurons: int, steps: int, exact: bool, multiprocessors: int) -> bool:
    """Return whether the registers of a GPU hold the weights of N neurons, and pay.

    For a single step they are read once either way, and on the way to operands in registers they
    take longer than through shared memory, unless they are few.
    """
    if exact or neurons > MOST_NEURONS:
        return False
    shape = Shape(neurons, 1)
    return shape.blocks <= multiprocessors and (steps > 1 or shape.tiles == 1)


@lru_cache(maxsize=None)
def source(
    direction: str,
    neuron: str,
    gradient: str,
    tiles: int,
    dtype: torch.dtype,
    weight: torch.dtype,
    even: bool,
    membranes: bool = False,
    learn: bool = False,
) -> str:
    """Return the kernel `recurrent_<direction>` of a neuron, C++ that declares `Neuron`.

    `gradient`, of the backward kernel, declares `Gradient`; `membranes` and `learn` say
    whether the membranes and the parameters have a gradient.
    """
    options = ["Layout", "Neuron", *(["Gradient"] if gradient else []), TYPES[dtype], TYPES[weight]]
    flags = [even, *([membranes, learn] if gradient else [])]
    options += [str(flag).lower() for flag in flags]
    name = f"recurrent_{direction}"
    call = f"{name}<{', '.join(options)}>"
    lines = [
        "#include <popsnn/neurons/lif.cuh>",
        f"#include <popsnn/{name}.cuh>",
        neuron,
        gradient,
        f"using Layout = popsnn::RecurrentShape<{tiles}, {RANKS[direction]}>;",
        entry(name, "RecurrentArguments", call, "Layout::kThreads", "PERSISTENT"),
    ]
    return "\n".join(lines)


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    *,
    states: int,  # tiles that cells carry
    grad_parameter: Tensor | None = None,  # [launches, parameters, N], of zeros
) -> None:
    """Run one direction; batches of more samples than a launch takes run one part after the other.

    Raises
    ------
    RuntimeError
        Where an earlier launch gave a wait up, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    shape = Shape(neurons, RANKS[direction])
    (weight,) = aligned([weight])  # its rows are read in vectors
    text = source(
        direction, cell.neuron, cell.gradient, shape.tiles, x.dtype, weight.dtype,
        tensors.aligned(neurons, 2), tensors.rows.get("grad_membrane") is not None,
        grad_parameter is not None,
    )  # fmt: skip
    kernels = module.load(text, x.device)
    for part, (first, count) in enumerate(parts(batch, GROUP)):
        groups = -(-count // GROUP)
        size = (steps * groups, shape.quads, shape.message_words(direction))
        # Spikes begin as "not there", gradients as the one NaN that no rounding gives.
        start = 0 if direction == "forward" else -1
        messages = torch.full(size, start, dtype=torch.int32, device=x.device)
        sums = torch.zeros(shape.sums_shape(groups), dtype=torch.float32, device=x.device)
        arguments = RecurrentArguments()
        learnt = None if grad_parameter is None else grad_parameter[part]
        fill(arguments, cell, x, weight, tensors, learnt, first, count)
        arguments.messages = messages.data_ptr()
        arguments.sums = sums.data_ptr()
        kernels.launch(
            f"recurrent_{direction}",
            shape.blocks,
            THREADS,
            shape.shared_bytes(groups, states),
            arguments,
            together=True,
        )
