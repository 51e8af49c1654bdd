"""Helpers of all launches: pointers, elements per thread, sizes of the device."""

from __future__ import annotations

from typing import Protocol, Sequence

import torch
from torch import Tensor

from . import module, properties
from .program import THREADS, VECTORS, ScanArguments

CACHED_CALLS = 4096  # more than a network has layers and shapes
THREADS_PER_MULTIPROCESSOR = 96  # below, threads take fewer neurons each


class Loader(Protocol):
    """Type of `module.load`; tests replace it by kernels compiled for a CPU."""

    def __call__(self, source: str, device: torch.device) -> module.Module: ...


load: Loader = module.load


def mask(tensor_indices: Sequence[int]) -> int:
    """Return the number whose bits `tensor_indices` are set."""
    return sum(1 << index for index in tensor_indices)


def fill_tensors(
    arguments: ScanArguments,
    tensor_indices: Sequence[int],
    inners: Sequence[int],
    tensors: Sequence[Tensor],  # flat
) -> None:
    """Write the parameters that are tensors into a kernel's arguments."""
    for index, inner, tensor in zip(tensor_indices, inners, tensors):
        arguments.parameter[index] = tensor.data_ptr()
        arguments.parameter_inner[index] = inner
        arguments.parameter_period[index] = tensor.numel()


def pointer(tensor: Tensor | None) -> int:
    """Return where a tensor's elements are; 0 where it has none."""
    return tensor.data_ptr() if tensor is not None and tensor.numel() else 0


def point(array: object, tensors: Sequence[Tensor]) -> None:
    """Write the tensors' pointers to the start of an array of a kernel's arguments."""
    for index, tensor in enumerate(tensors):
        array[index] = pointer(tensor)  # type: ignore[index]


def addresses(tensors: Sequence[Tensor]) -> int:
    """Return the addresses of tensors, or-ed."""
    result = 0
    for tensor in tensors:
        result |= tensor.data_ptr()
    return result


def written(*tensors: Tensor) -> None:
    """Tell autograd that kernels have changed these, as torch's own operators do."""
    for tensor in tensors:
        if not tensor.is_inference():  # which has no versions
            torch.autograd.graph.increment_version(tensor)


def aligned(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Return tensors that start at 16 bytes, as allocations do and views need not."""
    return [tensor.clone() if tensor.data_ptr() % 16 else tensor for tensor in tensors]


def vector(
    neurons: int,
    element_size: int,
    start: int,  # the addresses of all rows, or-ed; their lowest four bits suffice
    device: torch.device,
    possible: Sequence[int] | None = None,
    shards: int = 1,
    enough: int = THREADS_PER_MULTIPROCESSOR,
) -> int:
    """Return the neurons of a thread: as many as 16 bytes hold, unless too few threads remain.

    `possible` are the choices, widest first; by default all that fit 16 bytes. Each of the `shards`
    of time has threads of its own; below `enough` threads a multiprocessor they are too few.
    """
    enough *= properties.multiprocessors(device)
    narrow = 1
    for count in possible or VECTORS[element_size]:
        size = count * element_size
        # An asynchronous copy moves 4 bytes at least.
        if size >= 4 and neurons % count == 0 and start % size == 0:
            narrow = count
            if neurons * shards >= count * enough:
                break
    return narrow


def blocks(neurons: int, vector: int) -> int:
    """Return how many blocks take all neurons of a row, `vector` a thread."""
    return -(-neurons // (vector * THREADS))
