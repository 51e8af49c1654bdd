"""Products of weights with compacted spikes, the usual input of a network."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from ..device import launch, properties
from ..device.program import entry
from ..layer.padded_rows import padded, spike_rows

THREADS, NARROW_THREADS = 512, 1024  # kGatherThreads, kProductThreads
ROW_BYTES = (64, 32)  # of an input's weights in shared memory, most first
NARROW_ROW_BYTES = 64  # of an input's weights in bfloat16: EventProducts::kRowBytes
CAPABILITY = (9, 0)  # that the kernel of bfloat16 is compiled for
# Capacity for one of the inputs, up to which weights are added up: where that takes as long
# as the dense product on an H200, of 2312 inputs and 1466 neurons, by `python -m bench network`.
SPARSE = {torch.float32: 0.16, torch.bfloat16: 0.02}
SPARSE_OF_TERMS = 0.04  # where the dense product is one of terms of bfloat16


class EventCurrentsArguments(ctypes.Structure):
    """`popsnn::EventCurrentsArguments` of `cuda/popsnn/events/arguments.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("weight", ctypes.c_void_p),
        ("ids", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("neurons", ctypes.c_int),
        ("inputs", ctypes.c_int),
        ("lists", ctypes.c_int),
        ("capacity", ctypes.c_int),
        ("padded", ctypes.c_int),
        ("blocks", ctypes.c_int),
    ]


class Lists(NamedTuple):
    """Spikes of N = `size` neurons: `ids` int32 [T, B, S] and `counts` int32 [T, B, 2]."""

    ids: Tensor
    counts: Tensor
    size: int

    def rows(self, dtype: torch.dtype) -> Tensor:
        """Return rows [T, B, padded(N)] of 1 where a neuron fired."""
        from .expand_spikes import expanded  # importing popsnn loads as little as it can

        return expanded(self.ids, self.counts, None, padded(self.size), dtype)

    def last(self, steps: int) -> Lists:
        """Return those of the last steps."""
        return Lists(self.ids[-steps:], self.counts[-steps:], self.size)


class Dense(NamedTuple):
    """Spikes float32 [T, B, N], N = padded(N), without a gradient: what is not 0 fired."""

    values: Tensor

    def rows(self, dtype: torch.dtype) -> Tensor:
        """Return rows [T, B, N] of 1 where a neuron fired."""
        return spike_rows(self.values, dtype)

    def last(self, steps: int) -> Dense:
        """Return those of the last steps."""
        return Dense(self.values[-steps:])


@lru_cache(maxsize=None)
def source(row_bytes: int, fours: bool) -> str:
    """Return the kernel `event_currents`; `fours`: four ids of a list are one aligned load."""
    call = f"event_currents<{row_bytes}, {str(fours).lower()}>"
    return "\n".join(
        [
            "#include <popsnn/events/currents.cuh>",
            entry("event_currents", "EventCurrentsArguments", call, f"{THREADS}, 1"),
        ]
    )


@lru_cache(maxsize=None)
def narrow_source(aligned: bool) -> str:
    """Return the kernel `event_products`, of weights rounded to bfloat16.

    `aligned`: four ids of a list are one aligned load, as are four weights of a row.
    """
    return "\n".join(
        [
            "#include <popsnn/events/products.cuh>",
            entry(
                "event_products",
                "EventCurrentsArguments",
                f"event_products<{str(aligned).lower()}>",
                str(NARROW_THREADS),
                "PERSISTENT",
            ),
        ]
    )


def shared_bytes(inputs: int, dtype: torch.dtype, device: torch.device) -> int | None:
    """Return the shared memory that holds weights of all inputs; None where there is none."""
    available = properties.shared_bytes(device)
    if dtype == torch.bfloat16:
        if properties.capability(device) != CAPABILITY:
            return None
        needed = (inputs + 1) * NARROW_ROW_BYTES
        return needed if needed <= available else None
    return next(
        (inputs * row_bytes for row_bytes in ROW_BYTES if inputs * row_bytes <= available), None
    )


def takes(
    device: torch.device, size: int, capacity: int, dtype: torch.dtype, terms: bool = False
) -> bool:
    """Whether to add up the weights of up to `capacity` of `size` inputs.

    `terms`: whether the dense product is one of terms.
    """
    fits = shared_bytes(size, dtype, device) is not None
    return fits and capacity <= (SPARSE_OF_TERMS if terms else SPARSE[dtype]) * size


def currents(lists: Lists, weight: Tensor, delay: int, dtype: torch.dtype) -> Tensor:
    """Return the product of every step, float32 [T, B, padded(N)]; with a delay not the first.

    Parameters
    ----------
    lists : Lists of M neurons
        That `shared_bytes` has room for.
    weight : float32 Tensor [N, M]
    delay : {0, 1}
    dtype : torch.dtype
        What the weights are rounded to, float32 or bfloat16.
    """
    steps, batch, capacity = lists.ids.shape
    neurons, inputs = weight.shape
    out = weight.new_empty((steps, batch, padded(neurons)))
    if steps == delay:
        return out
    shared = shared_bytes(inputs, dtype, weight.device)
    assert shared is not None
    ids, counts, weight = lists.ids.contiguous(), lists.counts.contiguous(), weight.contiguous()
    blocks = properties.multiprocessors(weight.device)
    arguments = EventCurrentsArguments(
        weight.data_ptr(), ids.data_ptr(), counts.data_ptr(), out[delay:].data_ptr(), neurons,
        inputs, (steps - delay) * batch, capacity, padded(neurons), blocks,
    )  # fmt: skip
    fours = capacity % 4 == 0 and ids.data_ptr() % 16 == 0
    if dtype == torch.bfloat16:
        aligned = fours and inputs % 4 == 0 and weight.data_ptr() % 16 == 0
        name, threads, program = "event_products", NARROW_THREADS, narrow_source(aligned)
    else:
        name, threads, program = "event_currents", THREADS, source(shared // inputs, fours)
    kernels = launch.load(program, weight.device)
    kernels.launch(name, blocks, threads, shared, arguments)
    return out
