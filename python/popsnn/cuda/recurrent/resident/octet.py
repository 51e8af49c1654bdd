"""The forward kernel of a recurrent layer of up to 8 samples in the registers of a GPU."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES
from ..arguments import Cell, Tensors, fill, kernel_source, rows_of_vectors
from ..delays import Delays, arguments_of

MOST_SAMPLES = 8  # kSamples
TILE = 16  # neurons, of which a block has kTiles
TILE_NEURONS = 2048  # of a layer whose blocks have one tile
QUAD = 64  # kQuad: neurons of four tiles
QUADS = 4  # kQuads: of a product warp
QUAD_WORDS = 32  # kQuadWords: messages of a quad and step
PRODUCT_WARPS = 12  # kProductWarps
BUFFERS = 2  # kBuffers: of partial sums
THREADS = 512  # kThreads


def tiles(neurons: int) -> int:
    """Return the tiles of 16 neurons that a block owns."""
    return -(-neurons // TILE_NEURONS)


def quads(neurons: int) -> int:
    """Return the quads of four tiles."""
    return -(-neurons // QUAD)


def blocks(neurons: int) -> int:
    """Return the blocks of the grid; those beyond the neurons publish zeros, up to whole quads."""
    return quads(neurons) * QUAD // (TILE * tiles(neurons))


def shared_bytes(neurons: int, states: int) -> int:
    """Return the shared memory of a block: `popsnn::RecurrentShared`."""
    return 512 * (1 + (BUFFERS * PRODUCT_WARPS + states) * tiles(neurons))


@lru_cache(maxsize=None)
def source(neuron: str, tiles: int, dtype: torch.dtype, even: bool, delay: str = "") -> str:
    """Return the kernel `recurrent_octet` of a neuron, C++ that declares `Neuron`.

    `delay` is C++ of the kind of delays.
    """
    return kernel_source(
        "recurrent_octet",
        "resident/octet",
        ", ".join([TYPES[dtype], str(even).lower(), *([delay] if delay else [])]),
        f"OctetShape<{tiles}>",
        [neuron],
        str(THREADS),
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
    """Run forward.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    weight = rows_of_vectors(weight, cell.options.sixteen)
    text = source(
        cell.options.neuron, tiles(neurons), x.dtype, tensors.aligned(neurons, 2),
        "" if delays is None else delays.source,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    size = (steps, quads(neurons), QUAD_WORDS)
    messages = torch.zeros(size, dtype=torch.int32, device=x.device)  # "not there"
    arguments = arguments_of(delays, 0, line)
    fill(arguments, cell, x, weight, tensors, None, 0, batch)
    arguments.messages = messages.data_ptr()
    kernels.launch(
        "recurrent_octet",
        blocks(neurons),
        THREADS,
        shared_bytes(neurons, cell.options.states),
        arguments,
        together=True,
    )
