"""Products of weights with lists of spike ids, as the input of a network often comes."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from . import launch
from .padded_rows import event_rows, padded
from .program import TYPES, entry

THREADS = 512  # kGatherThreads
ROW_BYTES = (64, 32)  # of an input's weights in shared memory, most first
# Places of a list for one of the inputs, up to which weights are added up. By count, for 2312
# inputs of 1466 neurons on an H200, adding a row of float32 takes as long as 6 inputs of a dense
# product on the CUDA cores, and the two ways meet at 17 %; a third of that leaves room for what was
# not counted. The tensor cores' product of bfloat16 meets the additions at 4 %; it is always taken.
SPARSE = {torch.float32: 0.05, torch.bfloat16: 0.0}


class EventCurrentsArguments(ctypes.Structure):
    """`popsnn::EventCurrentsArguments` of `cuda/popsnn/event_currents.cuh`."""

    _fields_ = [
        ("weight", ctypes.c_void_p),
        ("ids", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("neurons", ctypes.c_int),
        ("inputs", ctypes.c_int),
        ("lists", ctypes.c_int),
        ("places", ctypes.c_int),
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
        return event_rows(self.ids, self.counts, self.size, dtype)


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, row_bytes: int, fours: bool) -> str:
    """Return the kernel `event_currents`; `fours`: four ids of a list are one aligned load."""
    options = f"{TYPES[dtype]}, {row_bytes}, {str(fours).lower()}"
    call = f"event_currents<{options}>"
    return "\n".join(
        [
            "#include <popsnn/event_currents.cuh>",
            entry("event_currents", "EventCurrentsArguments", call, f"{THREADS}, 1"),
        ]
    )


def row_bytes(inputs: int, shared_bytes: int) -> int | None:
    """Return the bytes of each input's weights that a block holds; None where it has no room."""
    return next((one for one in ROW_BYTES if inputs * one <= shared_bytes), None)


def pays(lists: Lists, dtype: torch.dtype) -> bool:
    """Whether to add up weights rather than multiply dense rows."""
    fits = row_bytes(lists.size, launch.shared_bytes(lists.ids.device)) is not None
    return fits and lists.ids.shape[2] <= SPARSE[dtype] * lists.size


def currents(lists: Lists, weight: Tensor, delay: int, dtype: torch.dtype) -> Tensor:
    """Return the product of every step, float32 [T, B, padded(N)]; with a delay not the first.

    Parameters
    ----------
    lists : Lists of M neurons
        That `row_bytes` are enough for.
    weight : float32 Tensor [N, M]
    delay : {0, 1}
    dtype : torch.dtype
        What the weights are rounded to, float32 or bfloat16.
    """
    steps, batch, places = lists.ids.shape
    neurons, inputs = weight.shape
    out = weight.new_empty((steps, batch, padded(neurons)))
    if steps == delay:
        return out
    bytes_of_row = row_bytes(inputs, launch.shared_bytes(weight.device))
    assert bytes_of_row is not None
    ids, counts, weight = lists.ids.contiguous(), lists.counts.contiguous(), weight.contiguous()
    blocks = launch.multiprocessors(weight.device)
    arguments = EventCurrentsArguments(
        weight.data_ptr(), ids.data_ptr(), counts.data_ptr(), out[delay:].data_ptr(), neurons,
        inputs, (steps - delay) * batch, places, padded(neurons), blocks,
    )  # fmt: skip
    fours = places % 4 == 0 and ids.data_ptr() % 16 == 0
    kernels = launch.load(source(dtype, bytes_of_row, fours), weight.device)
    kernels.launch("event_currents", blocks, THREADS, inputs * bytes_of_row, arguments)
    return out
