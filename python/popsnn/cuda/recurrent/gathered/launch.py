"""The kernels of a recurrent layer that gathers its weights: source and launch."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Sequence

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES, entry
from ...device.properties import multiprocessors, shared_bytes
from ..arguments import Cell, Tensors, fill
from ..streamed.launch import StreamedArguments
from .plan import Plan, limit, plan

ACTIVE_THREADS = 256  # kActiveThreads
UNSET = -1  # kUnset, 16 bits


class GatheredArguments(StreamedArguments):
    """`popsnn::GatheredArguments` of `cuda/popsnn/recurrent/gathered/gathered.cuh`."""

    __slots__ = ()
    _fields_ = [  # noqa: RUF012
        ("lists", ctypes.c_void_p),
        ("active", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("left", ctypes.c_void_p),
        ("list_blocks", ctypes.c_int),
        ("limit", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(
    direction: str,
    neuron: str,
    gradient: str,
    laid: Plan,
    planes: int,
    dtype: torch.dtype,
    weight: torch.dtype,
    vector: int,
    membranes: bool = False,
    learn: bool = False,
) -> str:
    """Return the kernel `recurrent_gathered_<direction>` of a plan.

    `vector` is the neurons of a thread, 4 or 1. Backward, `membranes` have a gradient and the
    parameters `learn`.
    """
    name = f"recurrent_gathered_{direction}"
    kinds = ["Neuron", *(["Gradient"] if gradient else []), TYPES[dtype], str(vector)]
    if gradient:
        options = ["Layout", *kinds, str(membranes).lower(), str(learn).lower()]
    else:
        options = ["Layout", str(laid.window), str(laid.loads), *kinds]
    layout = (laid.samples, laid.out_tiles, laid.columns, laid.warps, laid.stages)
    numbers = (*layout, planes, laid.vectors)
    sizes = ", ".join(str(size) for size in numbers)
    call = f"{name}<{', '.join(options)}>"
    bounds = "Layout::kThreads"
    lines = [
        "#include <popsnn/neurons/neuron.cuh>",
        f"#include <popsnn/recurrent/gathered/{direction}.cuh>",
        neuron,
        gradient,
        f"using Layout = popsnn::GatheredShape<{TYPES[weight]}, {sizes}>;",
        entry(name, "GatheredArguments", call, bounds, "COOPERATIVE"),
    ]
    if gradient:
        active = "recurrent_active<Neuron, Gradient>"
        bounds = "popsnn::kActiveThreads"
        lines += [entry("recurrent_active", "GatheredArguments", active, bounds, "COOPERATIVE")]
    return "\n".join(lines)


def planned(direction: str, weight: Tensor, batch: int) -> Plan | None:
    """Return the plan of a layer whose weights are [N, N], or None where it does not fit."""
    device = weight.device
    size = weight.element_size()
    count, most = multiprocessors(device), shared_bytes(device)
    return plan(direction, weight.shape[0], size, count, batch, most)


def launch(
    direction: str,
    cell: Cell,
    x: Tensor,  # [T, B, N]: for its shape and type
    weight: Tensor,  # [N, pitch], float32 or 16 bits: from, to
    messages: Tensor,  # 16 bits [planes, T, B, pitch], any beyond N
    tensors: Tensors,
    states: Sequence[Tensor],  # of float32 [B, N], which the kernel carries from step to step
    *,
    before: bool = False,  # spikes before the first step are sent
    learn: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Run one direction, as far as it takes less time than to stream all weights.

    Returns the first step that is left, int32 [1], and where the parameters `learn` their
    gradients, [parameters, rows, N], to be summed over rows.

    Raises
    ------
    RuntimeError
        Where an earlier launch timed out, or fewer blocks fit this GPU at once than needed.
    """
    steps, batch, neurons = x.shape
    laid = planned(direction, weight, batch)
    assert laid is not None
    rows = {**tensors.rows, "messages": messages}
    tensors = Tensors(rows, {**tensors.states, "state": states})
    vector = laid.vector(tensors.aligned(neurons, 4))
    learnt = None
    if learn:
        shape = (len(cell.options.values), laid.rows(vector), neurons)
        learnt = torch.zeros(shape, dtype=torch.float32, device=x.device)
    text = source(
        direction, cell.options.neuron, cell.gradient_source(direction), laid, messages.shape[0],
        x.dtype, weight.dtype, vector, tensors.rows.get("grad_membrane") is not None, learn,
    )  # fmt: skip
    left = torch.empty(1, dtype=torch.int32, device=x.device)
    arguments = GatheredArguments()
    fill(arguments, cell, x, weight, tensors, learnt, 0, batch)
    arguments.plane = messages[0].numel()
    arguments.message_row = batch * messages.shape[-1]
    arguments.pitch = weight.shape[1]
    arguments.first_step = 0 if before else 1
    arguments.list_blocks = laid.blocks
    arguments.left = left.data_ptr()
    arguments.limit = limit(direction, neurons, batch, weight.element_size())
    kernels = module.load(cell.typed(text), x.device)
    if direction == "forward":
        lists = torch.zeros((2, laid.blocks, laid.outs), dtype=torch.int64, device=x.device)
        arguments.lists = lists.data_ptr()
    else:
        messages.view(torch.int16).fill_(UNSET)
        messages[..., neurons:] = 0  # which nothing sends
        words = -(-neurons // 32)
        active = torch.empty((steps, words), dtype=torch.int32, device=x.device)
        counts = torch.zeros(steps, dtype=torch.int32, device=x.device)
        arguments.active, arguments.counts = active.data_ptr(), counts.data_ptr()
        blocks = -(-steps * words // (ACTIVE_THREADS // 32))
        kernels.launch("recurrent_active", blocks, ACTIVE_THREADS, 0, arguments)
    kernels.launch(
        f"recurrent_gathered_{direction}",
        laid.blocks,
        laid.threads,
        laid.shared_bytes,
        arguments,
        together=True,
    )
    return left, learnt
