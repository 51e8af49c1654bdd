"""What the launches have in common: pointers, and how many neurons a thread takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Sequence

import torch
from torch import Tensor

from . import module
from .program import LANES, THREADS, ScanArguments

THREADS_PER_MULTIPROCESSOR = 96  # below, threads take fewer neurons each


class Loader(Protocol):
    """What `module.load` is; the tests put kernels compiled for a CPU in its place."""

    def __call__(self, source: str, device: torch.device) -> module.Module: ...


load: Loader = module.load


@dataclass(frozen=True)
class Parameters:
    """The parameters of a neuron, in its order.

    `values` has a number a parameter, `tensors` the flat float32 tensors of those that are one, at
    the places `slots`; neuron n has the element (n // inner) % numel.
    """

    values: Sequence[float]
    tensors: Sequence[Tensor]
    slots: Sequence[int]
    inners: Sequence[int]

    @property
    def mask(self) -> int:
        """Bit i: parameter i is a tensor."""
        return mask(self.slots)

    def fill(self, arguments: ScanArguments) -> None:
        """Write them into the kernel's arguments."""
        arguments.scalar[: len(self.values)] = list(self.values)
        fill_tensors(arguments, self.slots, self.inners, self.tensors)


def mask(slots: Sequence[int]) -> int:
    """Return the number whose bits `slots` are set."""
    return sum(1 << slot for slot in slots)


def fill_tensors(
    arguments: ScanArguments,
    slots: Sequence[int],
    inners: Sequence[int],
    tensors: Sequence[Tensor],  # flat
) -> None:
    """Write the parameters that are tensors into a kernel's arguments."""
    for slot, inner, tensor in zip(slots, inners, tensors):
        arguments.parameter[slot] = tensor.data_ptr()
        arguments.parameter_inner[slot] = inner
        arguments.parameter_period[slot] = tensor.numel()


def pointer(tensor: Tensor | None) -> int:
    """Return where a tensor's elements are; 0 where it has none."""
    return tensor.data_ptr() if tensor is not None and tensor.numel() else 0


def point(array: object, tensors: Sequence[Tensor]) -> None:
    """Write the tensors' pointers to the start of an array of a kernel's arguments."""
    for index, tensor in enumerate(tensors):
        array[index] = pointer(tensor)  # type: ignore[index]


def starts(tensors: Sequence[Tensor]) -> int:
    """Return a number that is a multiple of a power of two where all tensors' addresses are."""
    together = 0
    for tensor in tensors:
        together |= tensor.data_ptr()
    return together


def lanes(
    neurons: int,
    element_size: int,
    start: int,  # of `starts`
    device: torch.device,
    possible: Sequence[int] | None = None,
) -> int:
    """Return the neurons of a thread: as many as 16 bytes hold, unless too few threads remain.

    `possible` are the choices, widest first; by default all that fit 16 bytes.
    """
    enough = THREADS_PER_MULTIPROCESSOR * multiprocessors(device)
    narrow = 1
    for count in possible or LANES[element_size]:
        if neurons % count == 0 and start % (count * element_size) == 0:
            if neurons >= count * enough:
                return count
            if count * element_size >= 4:  # what an asynchronous copy moves at least
                narrow = count
    return narrow


@lru_cache(maxsize=None)
def multiprocessors(device: torch.device) -> int:
    """Return how many multiprocessors a device has; the CPU of the tests counts as one."""
    if device.type != "cuda":
        return 1
    return int(torch.cuda.get_device_properties(device).multi_processor_count)


def blocks(neurons: int, lanes: int) -> int:
    """Return how many blocks take all neurons of a row, `lanes` a thread."""
    return -(-neurons // (lanes * THREADS))
