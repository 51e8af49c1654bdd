"""The kernels of a recurrent layer whose weights stay on any GPU since 8.0: source, launch."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES
from ...device.properties import multiprocessors, shared_bytes
from ..arguments import Cell, Tensors, fill, kernel_source, rows_of_vectors
from ..delays import Delays, arguments_of
from . import plan as planned
from .plan import GROUP

THREADS = 512  # kThreads
WORDS = {"forward": 32, "backward": 128}  # of a unit's messages of a group
EMPTY = {"forward": 0, "backward": -1}  # "not there": of gradients a NaN that no rounding gives
KINDS = {"forward": "PortableSpikes", "backward": "PortableGradients"}


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
) -> str:
    """Return the kernel `recurrent_portable_<direction>` of a neuron, C++ that declares `Neuron`.

    Backward `gradient` declares `Gradient`. `delay` is C++ of the kind of delays.
    """
    flags = [even, *([membranes, learn] if gradient else [])]
    options = [*(["Gradient"] if gradient else []), TYPES[dtype]]
    options += [str(flag).lower() for flag in flags] + ([delay] if delay else [])
    sizes = ", ".join(str(size) for size in layout)
    return kernel_source(
        f"recurrent_portable_{direction}",
        "portable/portable",
        ", ".join(options),
        f"PortableShape<popsnn::{KINDS[direction]}, {sizes}>",
        [neuron, gradient],
        str(THREADS),
        "COOPERATIVE",
        *(["RecurrentDelayedArguments"] if delay else []),
    )


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, N]
    tensors: Tensors,
    *,
    learn: bool = False,
    delays: Delays | None = None,
    line: Tensor | None = None,  # `Delays.forward_line` or `Delays.grad_line`
) -> Tensor | None:
    """Run one direction; a batch of more samples than a launch takes has several launches.

    Returns the gradients of the parameters where they `learn`, [launches x sets, parameters, N],
    to be summed over the first.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    states = cell.options.states
    laid = planned.plan(
        direction, neurons, states, multiprocessors(x.device), shared_bytes(x.device)
    )
    assert laid is not None, "the strategy is chosen where the weights fit"
    weight = rows_of_vectors(weight, cell.options.sixteen)
    text = source(
        direction, cell.options.neuron, cell.gradient_source(direction),
        laid.layout, x.dtype, tensors.aligned(neurons, 2),
        tensors.rows.get("grad_membrane") is not None, learn,
        "" if delays is None else delays.source,
    )  # fmt: skip
    kernels = module.load(cell.typed(text), x.device)
    launches = planned.launches_of(batch, laid.groups)
    learnt = None
    if learn:
        shape = (len(launches) * laid.sets, len(cell.options.values), neurons)
        learnt = x.new_zeros(shape, dtype=torch.float32)
    for number, (first, count) in enumerate(launches):
        groups = -(-count // GROUP)
        size = (steps * groups, laid.units, WORDS[direction])
        messages = torch.full(size, EMPTY[direction], dtype=torch.int32, device=x.device)
        arguments = arguments_of(delays, first, line)
        tensor = None if learnt is None else learnt[number * laid.sets]
        fill(arguments, cell, x, weight, tensors, tensor, first, count)
        arguments.messages = messages.data_ptr()
        kernels.launch(
            f"recurrent_portable_{direction}",
            laid.blocks,
            THREADS,
            laid.shared_bytes(groups, planned.values_of(direction, states)),
            arguments,
            together=True,
        )
    return learnt
