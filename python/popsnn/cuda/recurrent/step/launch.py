"""The kernels of a recurrent layer's single step, which read the weights of neurons that spiked."""

from __future__ import annotations

import ctypes
from functools import lru_cache

import torch
from torch import Tensor

from ...device import module
from ...device.launch import aligned
from ...device.program import TYPES, entry
from ...device.properties import shared_bytes as device_shared_bytes
from ..arguments import VECTOR, Cell, RecurrentArguments, Tensors, fill

OUTS = 64  # kStepOuts
SENDERS = 32  # kStepSenders
WARPS = 16  # kStepWarps
SAMPLES = 8  # kStepSamples
MASK_THREADS = 128  # kStepMaskThreads
FEWEST_NEURONS = 1025  # those of smaller layers are in registers as soon: `resident`


class StepArguments(RecurrentArguments):
    """`popsnn::StepArguments` of `cuda/popsnn/recurrent/step/step.cuh`."""

    __slots__ = ()
    _fields_ = [("masks", ctypes.c_void_p)]  # noqa: RUF012


def by_columns(weight: Tensor) -> bool:
    """Return whether the weights [N, N] of a sender to all neurons are neighbours in memory."""
    return not weight.is_contiguous() and weight.t().is_contiguous()


def shared_bytes(neurons: int) -> int:
    """Return the shared memory of a block: the lists of its warps, or their sums."""
    groups = -(-neurons // SENDERS)
    shared_words = (-(-groups // WARPS) + 1) * SENDERS
    return WARPS * max(8 * shared_words, SAMPLES * (OUTS + 4) * 4)


def fits(x: Tensor, weight: Tensor, exact: bool) -> bool:
    """Return whether a call is a step that the kernels take, where that pays.

    On an H200, of 8192 neurons of which 5 % spike, a step takes 10 us of 1 sample, 21 of 8 and 39
    of 16. Where all weights are read it takes 44.
    """
    steps, batch, neurons = x.shape
    if exact or steps != 1 or batch > SAMPLES or neurons < FEWEST_NEURONS or neurons % VECTOR:
        return False
    return by_columns(weight) and shared_bytes(neurons) <= device_shared_bytes(x.device)


@lru_cache(maxsize=None)
def source(neuron: str, dtype: torch.dtype, vector: int) -> str:
    """Return the kernels `recurrent_step` and `recurrent_step_masks`.

    `arguments.kernel_source` has the rest; `vector` is the neurons of a thread, 4 or 1.
    """
    call = f"recurrent_step<Neuron, {TYPES[dtype]}, {vector}>"
    masks = "recurrent_step_masks"
    return "\n".join(
        [
            "#include <popsnn/neurons/neuron.cuh>",
            "#include <popsnn/recurrent/step/step.cuh>",
            neuron,
            entry("recurrent_step", "StepArguments", call, "popsnn::kStepThreads", "COOPERATIVE"),
            entry(masks, "StepArguments", f"{masks}<Neuron>", str(MASK_THREADS), "COOPERATIVE"),
        ]
    )


def launch(
    cell: Cell,
    x: Tensor,  # [1, B, N]
    weight: Tensor,  # [N, N] by columns
    tensors: Tensors,
) -> None:
    """Run a step.

    Raises
    ------
    RuntimeError
        Where an earlier launch of kernels whose blocks wait for each other timed out.
    """
    _, batch, neurons = x.shape
    (columns,) = aligned([weight.t().to(torch.bfloat16)])
    vector = 4 if tensors.aligned(neurons, 4) else 1
    kernels = module.load(source(cell.options.neuron, x.dtype, vector), x.device)
    masks = torch.empty(neurons, dtype=torch.int32, device=x.device)
    arguments = StepArguments()
    fill(arguments, cell, x, columns, tensors, None, 0, batch)
    arguments.masks = masks.data_ptr()
    if tensors.states["initial"]:
        blocks = -(-neurons // MASK_THREADS)
        kernels.launch("recurrent_step_masks", blocks, MASK_THREADS, 0, arguments)
    blocks = -(-neurons // OUTS)
    kernels.launch("recurrent_step", blocks, 32 * WARPS, shared_bytes(neurons), arguments)
