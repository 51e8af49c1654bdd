"""The kernels of a recurrent layer's single step, which read the weights of neurons that fired."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from ...device import module
from ...device.program import TYPES, entry
from ...device.properties import shared_bytes as device_shared_bytes
from ..arguments import Cell, RecurrentArguments, Tensors, fill

OUTS = 64  # kStepOuts
CAPACITY = 544  # StepSenders::kCapacity
MASK_THREADS = 128  # kStepMaskThreads
WARPS = 16
SCANS = (1, 2, 4)  # samples whose spikes blocks can scan themselves
SCANNED_SPIKES = 32768  # that each block scans at most
MASKS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned"}  # by their bytes
# Samples of a launch, by the element size of the weights.
SAMPLES = {2: (8, 16, 32), 4: (1, 2, 4, 8)}


class StepArguments(RecurrentArguments):
    """`popsnn::StepArguments` of `cuda/popsnn/recurrent/step/senders.cuh`."""

    __slots__ = ()
    _fields_ = [("masks", ctypes.c_void_p)]  # noqa: RUF012


class Variant(NamedTuple):
    """The kernels of a step, apart from the neuron and the type of its input."""

    vector: int  # neighbouring neurons of a thread, 4 or 1
    size: int  # bytes of a weight
    rounded: bool  # whether weights of float32 are rounded to bfloat16
    align: int  # bytes of weights that are read at once
    samples: int  # of a launch at most
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
    return not weight.is_contiguous() and weight.t().is_contiguous()


def most_samples(neurons: int, size: int, exact: bool) -> int:
    """Return how many samples a step by columns is never slower with, whatever fires.

    Where every neuron fires, a step reads all weights, as one by rows does; it costs a kernel more,
    and blocks of 64 neurons read the weights of a small layer, which are in L2, with fewer
    multiprocessors. Measured on an H200 (`python -m bench recurrent.crossover`), us a step, by
    columns where 1 %, 5 % and all fire, and by rows:

    CROSSOVER
    """
    if size == 4:
        return 8 if not exact or neurons >= 8192 else 2
    for fewest, samples in ((8192, 32), (4096, 16), (1025, 8)):
        if neurons >= fewest:
            return samples
    return 2


def fits(x: Tensor, weight: Tensor, exact: bool) -> bool:
    """Return whether a call is a step that the kernels take, where that pays."""
    steps, batch, neurons = x.shape
    if steps != 1 or not by_columns(weight):
        return False
    size = weight.element_size()
    if batch > most_samples(neurons, size, exact):
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
    counts = (count for count in SCANS if batch <= count)
    scanned = next(counts, 0) if batch * weight.shape[0] <= SCANNED_SPIKES else 0
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
    kernels = module.load(source(cell.options.neuron, x.dtype, chosen), x.device)
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
