"""The backward kernel of a recurrent layer in pairs of blocks: shape, source, launch."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES
from ..arguments import (
    Cell,
    Tensors,
    fill,
    kernel_source,
    launches_of,
    rows_of_vectors,
)
from ..delays import Delays, arguments_of

GROUP = 8  # kSamples: that are worked on together
UNIT = 32  # kUnit: senders
TILE = 16  # neurons, of which a pair has kTiles
TILE_NEURONS = 1024  # of a layer whose pairs have one tile
PRODUCT_WARPS = 12  # kProductWarps
UNITS = 4  # kUnits: of a product warp
SETS = 2  # kSets: of warps that step neurons
RECEIVED_SLOTS = 24  # kReceivedSlots: of the sums that a block is sent
THREADS = 512  # kThreads
BATCH_UNIT = 16  # samples that batches are cut at


def tiles(neurons: int) -> int:
    """Return the tiles of 16 neurons that a pair owns."""
    return -(-neurons // TILE_NEURONS)


def units(neurons: int) -> int:
    """Return the units of senders, of which a block of a pair has every other one."""
    return -(-neurons // UNIT)


def blocks(neurons: int) -> int:
    """Return the blocks of the grid; those beyond the neurons publish zeros, up to whole units."""
    return 2 * -(-UNIT * units(neurons) // (TILE * tiles(neurons)))


def shared_bytes(neurons: int, groups: int, states: int) -> int:
    """Return the shared memory of a block: `popsnn::RecurrentShared` or `PairWeights`."""
    warps = -(-tiles(neurons) // 2)
    partials = 2 * SETS * PRODUCT_WARPS * tiles(neurons)
    most = -(-units(neurons) // 2)
    weights = most * UNIT * (32 * tiles(neurons) + 16)
    return 512 + max(weights, 512 * (partials + (RECEIVED_SLOTS + states * groups) * warps))


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
) -> str:
    """Return the kernel `recurrent_backward`; `gradient` declares `Gradient`.

    `delay` is C++ of the kind of delays.
    """
    flags = [str(flag).lower() for flag in (even, membranes, learn)] + ([delay] if delay else [])
    return kernel_source(
        "recurrent_backward",
        "resident/backward",
        f"Gradient, {TYPES[dtype]}, {', '.join(flags)}",
        f"PairShape<{tiles}>",
        [neuron, gradient],
        f"{THREADS}, 2",
        "CLUSTER",
        *(["RecurrentDelayedArguments"] if delay else []),
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

    Returns the gradients of the parameters where they `learn`, [launches x sets, parameters, N],
    to be summed over the first.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    weight = rows_of_vectors(weight, cell.options.sixteen)
    text = source(
        cell.options.neuron, cell.options.gradient, tiles(neurons), x.dtype,
        tensors.aligned(neurons, 2), tensors.rows.get("grad_membrane") is not None, learn,
        "" if delays is None else delays.source,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    launches = launches_of(batch, BATCH_UNIT)
    learnt = None
    if learn:
        shape = (len(launches) * SETS, len(cell.options.values), neurons)
        learnt = x.new_zeros(shape, dtype=torch.float32)
    for number, (first, count) in enumerate(launches):
        groups = -(-count // GROUP)
        # All bits set, the one NaN that no rounding gives: "not there".
        size = (steps * groups, units(neurons), GROUP * UNIT // 2)
        messages = torch.full(size, -1, dtype=torch.int32, device=x.device)
        arguments = arguments_of(delays, first, line)
        tensor = None if learnt is None else learnt[number * SETS]
        fill(arguments, cell, x, weight, tensors, tensor, first, count)
        arguments.messages = messages.data_ptr()
        kernels.launch(
            "recurrent_backward",
            blocks(neurons),
            THREADS,
            shared_bytes(neurons, groups, cell.options.states + 1),
            arguments,
            together=True,
        )
    return learnt
