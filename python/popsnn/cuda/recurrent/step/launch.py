"""The kernels of a recurrent layer's single step, which read the weights of neurons that fired."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES, entry
from ...device.properties import multiprocessors
from ...device.properties import shared_bytes as device_shared_bytes
from ..arguments import Cell, RecurrentArguments, Tensors, fill

OUTS = 64  # kStepOuts
CAPACITY = 544  # StepSenders::kCapacity
MASK_THREADS = 128  # kStepMaskThreads
WARPS = 16
SCANS = (1, 2)  # samples whose spikes each block scans itself
MASKS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned"}  # by their bytes
# Samples that kernels take at most, by the element size of the weights.
SAMPLES = {2: (8, 16, 32), 4: (1, 2, 4, 8)}


class StepArguments(RecurrentArguments):
    """`popsnn::StepArguments` of `cuda/popsnn/recurrent/step/senders.cuh`."""

    __slots__ = ()
    _fields_ = [("masks", ctypes.c_void_p)]  # noqa: RUF012


class Variant(NamedTuple):
    """The kernels of a step, apart from the neuron and the type of its input."""

    vector: int  # neighbouring neurons of a thread, 4 or 1
    size: int  # bytes of a weight
    rounded: bool  # whether weights of float32 are rounded to 16 bits
    align: int  # bytes of weights that are read at once
    samples: int  # at most
    scanned: int  # samples whose spikes are scanned as they are; 0: an earlier kernel's masks
    warps: int = WARPS  # of a block

    @property
    def sums(self) -> str:
        """The C++ type that adds up the weights."""
        if self.size == 2:
            return f"popsnn::StepProduct<{self.warps}, {self.samples // 8}, {self.align}>"
        rounded = str(self.rounded).lower()
        return f"popsnn::StepAdditions<{self.warps}, {self.samples}, {self.align}, {rounded}>"

    @property
    def fired(self) -> str:
        """The C++ type that reads the spikes."""
        if self.scanned:
            whole = str(self.vector == 4).lower()
            return f"popsnn::FiredInState<Neuron, {self.scanned}, {whole}>"
        return f"popsnn::FiredInMasks<{self.mask_bytes}>"

    @property
    def mask_bytes(self) -> int:
        """The bytes of a neuron's mask, which has a bit for each sample."""
        return max(8, self.samples) // 8

    @property
    def shared_bytes(self) -> int:
        """The shared memory of a block."""
        return shared_bytes(self.samples, self.warps)


def shared_bytes(samples: int, warps: int) -> int:
    """Return the shared memory of a block: the lists of its warps, or their sums."""
    return warps * max(8 * CAPACITY, 4 * (OUTS + 4) * samples)


def by_columns(weight: Tensor) -> bool:
    """Return whether the weights [N, N] of a sender to all neurons are neighbours in memory."""
    return weight.dim() == 2 and not weight.is_contiguous() and weight.t().is_contiguous()


def most_samples(neurons: int, size: int, exact: bool, multiprocessors: int) -> int:
    """Return how many samples a step by columns takes.

    With so many it is at most 5 % slower than one by rows while up to half of the neurons of each
    sample fire; of bfloat16, up to 8 samples of more than 1024 neurons are taken in any case. Where
    all fire, a step reads all weights as one by rows does, and blocks of 64 neurons read those of a
    small layer, which are in L2, with fewer multiprocessors; of a layer of more blocks than
    multiprocessors, some read twice. An H200 (`python -m bench recurrent.crossover`), us a step, by
    columns where 1 %, 5 % and all fire, and by rows:

    ======== ======= ============ =================== =====
    weights  neurons samples      by columns          rows
    ======== ======= ============ =================== =====
    bfloat16    1024            1   2.9,   3.1,   6.0   5.3
    bfloat16    1024            4   3.8,   4.3,   6.8   5.4
    bfloat16    2944            8   4.9,   7.5,  12.5  11.9
    bfloat16    4096           16   8.6,  13.2,  18.2  14.8
    bfloat16    8192            1   3.9,   5.5,  38.7  43.1
    bfloat16    8192           32  23.8,  43.4,  49.4  47.5
    bfloat16   16384           32  63.4, 137.0, 161.3 140.8
    float32     1024            8   4.5,   6.4,   9.7  10.3
    float32     2944            4   4.8,   7.3,  17.9  16.5
    float32     4096            8   8.0,  14.6,  31.5  29.1
    float32     8192            8  12.4,  31.0,  72.6  77.3
    rounded     1024            8   4.7,   6.8,  10.4   7.4
    rounded     2944            8   6.4,  12.3,  24.4  27.3
    ======== ======= ============ =================== =====

    `rounded` is weights of float32 with products of bfloat16, which a step by rows converts first.
    Float16 is taken as bfloat16 is.
    """
    large = 8192 <= neurons <= OUTS * multiprocessors
    if size == 2:
        return 32 if large else 8 if neurons > 1024 else 2
    if not exact:
        return 8 if neurons > 1024 else 2
    if neurons <= 1024 or large:
        return 8
    return 4 if neurons < 8192 else 2


def fits(x: Tensor, weight: Tensor, exact: bool, sixteen: torch.dtype = torch.bfloat16) -> bool:
    """Return whether a call is a step that the kernels take, where that pays.

    Weights of 16 bits are read as they are: they have the type `sixteen` that neurons send.
    """
    steps, batch, neurons = x.shape
    if steps != 1 or not by_columns(weight):
        return False
    size = weight.element_size()
    if size == 2 and weight.dtype != sixteen:
        return False
    if batch > most_samples(neurons, size, exact, multiprocessors(x.device)):
        return False
    return shared_bytes(samples_of(size, batch), WARPS) <= device_shared_bytes(x.device)


def samples_of(size: int, batch: int) -> int:
    """Return how many samples the kernels have that run a batch."""
    return next(count for count in SAMPLES[size] if batch <= count)


def variant(weight: Tensor, exact: bool, vector: int, batch: int) -> Variant:
    """Return the kernels for a batch, and for weights [N, N] by columns."""
    size = weight.element_size()
    at = weight.data_ptr() | weight.shape[0] * size
    samples = samples_of(size, batch)
    scanned = batch if batch in SCANS else 0
    return Variant(vector, size, not exact, min(16, at & -at), samples, scanned, WARPS)


@lru_cache(maxsize=None)
def source(neuron: str, dtype: torch.dtype, kernels: Variant) -> str:
    """Return the kernel `recurrent_step`, and `recurrent_step_masks` where it needs masks."""
    call = (
        f"recurrent_step<Neuron, {TYPES[dtype]}, {kernels.vector}, {kernels.sums}, {kernels.fired}>"
    )
    threads = str(32 * kernels.warps)
    lines = [
        "#include <popsnn/neurons/neuron.cuh>",
        "#include <popsnn/recurrent/step/step.cuh>",
        neuron,
        entry("recurrent_step", "StepArguments", call, threads, "COOPERATIVE"),
    ]
    if not kernels.scanned:
        name = "recurrent_step_masks"
        call = f"{name}<Neuron, {MASKS[kernels.mask_bytes]}>"
        lines.append(entry(name, "StepArguments", call, str(MASK_THREADS), "COOPERATIVE"))
    return "\n".join(lines)


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
    vector = 4 if tensors.aligned(neurons, 4) else 1
    chosen = variant(weight, cell.options.exact, vector, batch)
    text = source(cell.options.neuron, x.dtype, chosen)
    kernels = module.load(cell.typed(text), x.device)
    arguments = StepArguments()
    fill(arguments, cell, x, weight, tensors, None, 0, batch)
    if tensors.states["initial"] and not chosen.scanned:
        blocks = -(-neurons // MASK_THREADS)
        size = blocks * MASK_THREADS * chosen.mask_bytes
        masks = torch.empty(size, dtype=torch.uint8, device=x.device)
        arguments.masks = masks.data_ptr()
        kernels.launch("recurrent_step_masks", blocks, MASK_THREADS, 0, arguments, early=True)
    blocks, threads = -(-neurons // OUTS), 32 * chosen.warps
    shared_bytes = chosen.shared_bytes
    kernels.launch("recurrent_step", blocks, threads, shared_bytes, arguments, early=True)
