"""The scale of the gradients that weights of float16 carry back: `cuda/popsnn/recurrent/scale.cuh`.

No value of it comes to the host, so that a CUDA graph may capture it.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import NamedTuple, Sequence

import torch
from torch import Tensor

from ..device import module
from ..device.program import TYPES, VECTORS, entry
from ..device.properties import multiprocessors
from .arguments import STATES

THREADS = 256  # kScaleThreads
BLOCKS = 4  # of a multiprocessor, that read at once
SHARED_BYTES = 4 * THREADS // 32


class ScaleArguments(ctypes.Structure):
    """`popsnn::ScaleArguments`."""

    __slots__ = ()
    _fields_ = [
        ("grads", ctypes.c_void_p * 2),
        ("final", ctypes.c_void_p * STATES),
        ("words", ctypes.c_void_p),
        ("count", ctypes.c_longlong),
        ("states", ctypes.c_longlong),
        ("blocks", ctypes.c_int),
    ]


@lru_cache(maxsize=None)
def source(dtype: torch.dtype, vector: int, wide: int) -> str:
    """Return the kernel `gradient_scale`, of so many elements at once, of states `wide`."""
    call = f"gradient_scale<{TYPES[dtype]}, {vector}, {wide}>"
    return "\n".join(
        [
            "#include <popsnn/recurrent/scale.cuh>",
            entry("gradient_scale", "ScaleArguments", call, "popsnn::kScaleThreads"),
        ]
    )


class Scale(NamedTuple):
    """A power of two and its inverse, float32 [] each, on the device."""

    by: Tensor
    inverse: Tensor

    @classmethod
    def of(cls, x: Tensor, grads: Sequence[Tensor | None], final: Sequence[Tensor]) -> Scale:
        """Return that of a backward pass.

        `grads` are those of spikes and membranes, [T, B, N] of x's type, `final` those of the
        states after the last step, float32 [B, N].
        """
        given = [grad for grad in grads if grad is not None]
        vector, wide = _vector(given, VECTORS[x.element_size()][0]), _vector(final, 4)
        kernels = module.load(source(x.dtype, vector, wide), x.device)
        words = torch.zeros(4, dtype=torch.int32, device=x.device)
        arguments = ScaleArguments()
        for index, tensor in enumerate(given):
            arguments.grads[index] = tensor.data_ptr()
        for index, tensor in enumerate(final):
            arguments.final[index] = tensor.data_ptr()
        arguments.words = words.data_ptr()
        arguments.count, arguments.states = x.numel(), x[0].numel()
        needed = -(-x.numel() // (THREADS * vector))
        arguments.blocks = min(needed, BLOCKS * multiprocessors(x.device))
        kernels.launch("gradient_scale", arguments.blocks, THREADS, SHARED_BYTES, arguments)
        by, inverse = words[2:].view(torch.float32).unbind()
        return cls(by, inverse)

    def scaled(self, grads: Sequence[Tensor]) -> list[Tensor]:
        """Return gradients that are multiplied by it."""
        return list(torch._foreach_mul(list(grads), self.by)) if grads else []

    def unscale(self, *grads: Sequence[Tensor]) -> None:
        """Multiply gradients by the inverse."""
        every = [grad for several in grads for grad in several if grad.numel()]
        if every:
            torch._foreach_mul_(every, self.inverse)

    def unscaled(self, grad: Tensor, dtype: torch.dtype) -> Tensor:
        """Return a gradient that is multiplied by the inverse, of another type."""
        if grad.dtype == dtype:
            return grad.mul_(self.inverse)
        return torch.mul(grad, self.inverse, out=torch.empty_like(grad, dtype=dtype))


def _vector(tensors: Sequence[Tensor], most: int) -> int:
    """Return the elements that are read at once: `most`, where rows are whole and aligned."""
    return most if all(t.numel() % most == 0 and t.data_ptr() % 16 == 0 for t in tensors) else 1
