"""The kernels of a recurrent layer whose weights stay on any GPU since 8.0: source, launch."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.planes import split_planes
from ...device.program import TYPES
from ...device.properties import multiprocessors, shared_bytes
from ..arguments import Cell, Tensors, fill, kernel_source, launches_of, rows_of_vectors
from ..delays import Delays, parts_of
from ..resident.launch import kind_of_arguments
from . import plan as planned
from .plan import GROUP

THREADS = 512  # kThreads
WORDS = {"forward": 32, "backward": 128}  # of a unit's messages of a group, of a term
EMPTY = {"forward": 0, "backward": -1}  # "not there": of gradients a NaN that no rounding gives
KINDS = {"forward": "PortableSpikes", "backward": "PortableGradients"}  # of the number of terms


@lru_cache(maxsize=None)
def source(
    direction: str,
    neuron: str,
    gradient: str,
    layout: tuple[int, ...],  # `Plan.layout`
    dtype: torch.dtype,
    even: bool,
    membranes: bool = False,
    learn: bool = False,
    delay: str = "",
    terms: int = 1,
    in_parts: bool = False,
) -> str:
    """Return the kernel `recurrent_portable_<direction>` of a neuron, C++ that declares `Neuron`.

    Backward `gradient` declares `Gradient`. `delay` is C++ of the kind of delays, of a batch that
    is not in parts.
    """
    flags = [even, *([membranes, learn] if gradient else [])]
    options = [*(["Gradient"] if gradient else []), TYPES[dtype]]
    options += [str(flag).lower() for flag in flags] + ([delay] if delay else [])
    shape = [
        f"popsnn::{KINDS[direction]}<{terms}>",
        *map(str, layout),
        *(["true"] if in_parts else []),
    ]
    return kernel_source(
        f"recurrent_portable_{direction}",
        "portable/portable",
        ", ".join(options),
        f"PortableShape<{', '.join(shape)}>",
        [neuron, gradient],
        str(THREADS),
        "COOPERATIVE",
        kind_of_arguments(delay, in_parts),
    )


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type, float32 where products are
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    *,
    learn: bool = False,
    delays: Delays | None = None,
    line: Tensor | None = None,  # `Delays.forward_line` or `Delays.grad_line`
) -> Tensor | None:
    """Run one direction; a batch of more samples than a launch takes has several launches.

    Parts of the batch run at once: `plan.most_parts`. Returns the gradients of the parameters where
    they `learn`, [parts of all launches x sets, parameters, N], to be summed over the first.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    states, exact = cell.options.states, cell.options.exact
    count = multiprocessors(x.device)
    laid = planned.plan(direction, neurons, states, count, shared_bytes(x.device), exact)
    assert laid is not None, "the strategy is chosen where the weights fit"
    weight = rows_of_vectors(weight, cell.options.product)
    if exact:
        weight = split_planes(weight, laid.terms)
    most = planned.most_parts(laid.blocks, count, delays is not None)
    parts = min(most, -(-batch // GROUP))
    text = source(
        direction, cell.options.neuron, cell.gradient_source(direction),
        laid.layout, x.dtype, tensors.aligned(neurons, 2),
        tensors.rows.get("grad_membrane") is not None, learn,
        "" if delays is None else delays.source, laid.terms, parts > 1,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    launches = launches_of(batch, GROUP, parts, GROUP * laid.groups)
    learnt = None
    if learn:
        shape = (sum(map(len, launches)) * laid.sets, len(cell.options.values), neurons)
        learnt = x.new_zeros(shape, dtype=torch.float32)
    words = WORDS[direction] * (laid.terms if direction == "backward" else 1)
    row = 0  # of `learnt`
    for samples in launches:
        groups = -(-samples[0][1] // GROUP)
        size = (len(samples), steps * groups, laid.units, words)
        messages = torch.full(size, EMPTY[direction], dtype=torch.int32, device=x.device)
        arguments, each = parts_of(delays, samples, line, laid.blocks, parts > 1)
        for of_part, (first, count_of_part), own in zip(each, samples, messages):
            tensor = None if learnt is None else learnt[row]
            fill(of_part, cell, x, weight, tensors, tensor, first, count_of_part)
            of_part.messages = own.data_ptr()
            row += laid.sets
        kernels.launch(
            f"recurrent_portable_{direction}",
            laid.blocks * len(samples),
            THREADS,
            laid.shared_bytes(groups, planned.values_of(direction, states)),
            arguments,
            together=True,
        )
    return learnt
