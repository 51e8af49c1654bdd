"""The gradients of a weight and of its inputs' delays, of one product."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from ..device import launch, products, properties
from ..device.program import TYPES, entry

THREADS = 256  # kDelayGradientThreads
BARRIER_BYTES = 8


class DelayGradientArguments(ctypes.Structure):
    """`popsnn::DelayGradientArguments` of `cuda/popsnn/layer/delay_gradient.cuh`."""

    __slots__ = ()
    _fields_ = [
        ("of_slopes", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("rows", ctypes.c_int),
        ("columns", ctypes.c_int),
    ]


class Division(NamedTuple):
    """Columns of a block, and blocks that have some of their rows each: a cluster, if several."""

    columns: int
    splits: int

    @property
    def shared_bytes(self) -> int:
        """Return a block's shared memory: a thread's four sums, and those of each split."""
        return 4 * (4 * THREADS + self.splits * self.columns) + BARRIER_BYTES


IN_CLUSTERS, SINGLE = Division(64, 8), Division(8, 1)


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, division: Division) -> str:
    """Return the kernel `delay_gradient`, weights of this type."""
    columns, splits = division
    call = f"delay_gradient<{TYPES[dtype]}, {columns}, {splits}>"
    # With a second bound the compiler has registers for all loads of a thread at once.
    bounds, kind = f"{THREADS}, {splits}", "CLUSTER" if splits > 1 else "POPSNN"
    kernel = entry("delay_gradient", "DelayGradientArguments", call, bounds, kind)
    return f"#include <popsnn/layer/delay_gradient.cuh>\n{kernel}"


def weight_and_delay_gradient(
    grad: Tensor, both: Tensor, weight: Tensor, neurons: int, inputs: int
) -> tuple[Tensor, Tensor]:
    """Return the gradients of a weight, float32 [neurons, inputs], and of its inputs' delays.

    A delay's, float32 [inputs], is the sum over neurons of the weights times the gradient that they
    would have if the inputs were their derivatives by the delays. So the gradient of the delayed
    rows is not needed, and both are one product, which fills the GPU better.

    Parameters
    ----------
    grad : Tensor [T, B, N']
        That of the products.
    both : Tensor [2, T, B, M']
        The delayed rows, and their derivatives by the delays.
    weight : Tensor [N', M']
        Both padded to a multiple of 8.
    """
    rows = grad.flatten(0, 1).t()
    of_each = products.multiply_each(rows, both.flatten(1, 2), torch.float32)  # [2, N', M']
    of_delays = of_each.new_empty(weight.shape[1])
    arguments = DelayGradientArguments(
        of_each[1].data_ptr(), weight.data_ptr(), of_delays.data_ptr(), *weight.shape
    )
    division = IN_CLUSTERS if properties.has_copy_engine(weight.device) else SINGLE
    kernels = launch.load(source(weight.dtype, division), weight.device)
    blocks = -(-weight.shape[1] // division.columns) * division.splits
    # Early: what it reads before its wait is the weight. That was written before the product began,
    # since the product is not launched early.
    kernels.launch("delay_gradient", blocks, THREADS, division.shared_bytes, arguments, early=True)
    # Without padding the first is half of `of_each`, whose memory it keeps: a copy would take 3
    # microseconds of 1,024 neurons and inputs.
    return of_each[0, :neurons, :inputs].contiguous(), of_delays[:inputs]
