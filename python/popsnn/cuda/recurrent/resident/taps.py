"""The forward kernel of a layer with delays of its weights, which registers hold for every tap."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor
from torch.nn.functional import pad

from ...device import module
from ...device.launch import aligned
from ...device.program import TYPES
from ..arguments import (
    Cell,
    RecurrentArguments,
    Tensors,
    fill,
    kernel_source,
    launches_of,
    rounded_narrow,
)
from ..delays import Delays
from .launch import GROUP, PRODUCT_WARPS, SETS, SPIKE_WORDS, THREADS, Shape

MOST_QUADS = 12  # of a product warp, of all taps, for whose weights registers suffice
BLOCK = 8  # neurons of a block
ARRIVED = 1 << 12  # of a word of `SpikeMessages`


def quads_of_warp(neurons: int, taps: int) -> int:
    """Return the quads of all taps that a product warp has: kQuads of `popsnn::TapShape`."""
    return -(-taps * -(-neurons // (4 * BLOCK)) // PRODUCT_WARPS)


def fits(neurons: int, taps: int, multiprocessors: int) -> bool:
    """Return whether the registers of a GPU hold the weights of all taps.

    The gradients of weights read the spikes as rows of whole vectors.
    """
    shape = Shape(neurons)
    few = shape.tiles == 1 and quads_of_warp(neurons, taps) <= MOST_QUADS
    return few and shape.blocks <= multiprocessors and neurons % BLOCK == 0


@lru_cache(maxsize=None)
def source(
    neuron: str, taps: int, quads: int, dtype: torch.dtype, weight: torch.dtype, even: bool
) -> str:
    """Return the kernel `recurrent_forward` of a neuron, C++ that declares `Neuron`."""
    return kernel_source(
        "recurrent_forward",
        "resident/forward",
        ", ".join([TYPES[dtype], TYPES[weight], str(even).lower()]),
        f"TapShape<{taps}, {quads}>",
        [neuron],
        "Layout::kThreads",
        "PERSISTENT",
    )


def launch(
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [D + 1, N, N]
    tensors: Tensors,
    delays: Delays,
) -> None:
    """Run forward; a batch of more samples than a launch takes has several launches.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    shape, taps = Shape(neurons), len(weight)
    quads = quads_of_warp(neurons, taps)
    weight = rounded_narrow(weight, cell.options.sixteen)
    (weight,) = aligned([weight])  # its rows are read in vectors
    text = source(
        cell.options.neuron, taps, quads, x.dtype, weight.dtype, tensors.aligned(neurons, 2)
    )
    kernels = module.load(cell.typed(text), x.device)
    for ((first, count),) in launches_of(batch, GROUP):
        groups = -(-count // GROUP)
        before = (taps - 1) * groups
        size = (before + steps * groups, shape.quads, SPIKE_WORDS)
        messages = torch.zeros(size, dtype=torch.int32, device=x.device)  # "not there"
        messages[:before] = ARRIVED
        if delays.history is not None:
            messages[:before] += _packed(delays.history[:-1, first : first + count], shape.quads)
        arguments = RecurrentArguments()
        fill(arguments, cell, x, weight, tensors, None, first, count)
        arguments.messages = messages[before:].data_ptr()
        partials = 2 * SETS[1] * PRODUCT_WARPS
        staged = 2 * BLOCK * 4 * BLOCK * shape.quads * taps
        kernels.launch(
            "recurrent_forward",
            shape.blocks,
            THREADS,
            512 + max(staged, 512 * (partials + cell.options.states * groups)),
            arguments,
            together=True,
        )


def _packed(spikes: Tensor, quads: int) -> Tensor:
    """Return spikes [D, B, N] as in `SpikeMessages`, int32 [D x groups, quads, words]."""
    steps, batch, neurons = spikes.shape
    whole = pad(spikes != 0, (0, 4 * BLOCK * quads - neurons, 0, -batch % GROUP))
    # Samples are g + 8 second, neurons of a block 2 c + h.
    each = whole.view(steps, -1, 2, 8, quads, 4, 4, 2).to(torch.int32)
    c, h = torch.arange(4, device=spikes.device)[:, None], torch.arange(2, device=spikes.device)
    words = (each << (c + 16 * h).to(torch.int32)).sum((-2, -1), dtype=torch.int32)
    order = words.permute(0, 1, 4, 5, 3, 2)  # [D, groups, quads, block, g, second]
    return order.reshape(-1, quads, SPIKE_WORDS)
