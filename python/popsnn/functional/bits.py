"""Spikes as bits: an eighth of a byte each, for what a backward pass has to keep.

The bits lie in the order of the spikes' memory, so that a kernel which writes spikes writes their
bits next to them; every step begins a new byte.
"""

from __future__ import annotations

from typing import NamedTuple, Union

import torch
from torch import Tensor

from .._internal.dispatch import Operator
from ._scan import pack_bits, unpack_bits


class BitSpikes(NamedTuple):
    """Spikes `dense` [T, B, ...], and their `bits` uint8 [T, ceil(N / 8)], N spikes a step.

    Layers that take them compute with the dense spikes and save the bits for their backward pass.
    """

    dense: Tensor
    bits: Tensor


Spikes = Union[Tensor, BitSpikes]

PACK_BITS = Operator(pack_bits)
UNPACK_BITS = Operator(unpack_bits)


def dense(x: Spikes) -> Tensor:
    """Return the spikes [T, B, ...] as a tensor."""
    return x.dense if isinstance(x, BitSpikes) else x


def with_bits(spikes: Tensor) -> BitSpikes:
    """Return `spikes` [T, B, ...], all 0 or 1, together with their bits."""
    spikes = ordered(spikes)
    return BitSpikes(spikes, pack(spikes))


def is_channels_last(x: Tensor) -> bool:
    """Whether the memory of `x` [T, B, C, H, W] has the channels last."""
    if x.dim() != 5 or x.is_contiguous():
        return False
    return x.permute(0, 1, 3, 4, 2).is_contiguous()


def ordered(x: Tensor) -> Tensor:
    """Return `x` [T, B, ...] contiguous or channels-last, copied where it is neither."""
    return x if is_channels_last(x) else x.contiguous()


def pack(spikes: Tensor) -> Tensor:
    """Return the bits uint8 [T, ceil(N / 8)] of `spikes` [T, B, ...], all 0 or 1.

    Raises
    ------
    ValueError
        Where the memory is neither contiguous nor that of a [T, B, C, H, W] with channels last.
    """
    rows = _in_memory_order("bits.pack", spikes).detach().flatten(1)
    return PACK_BITS.run("bits.pack", "auto", rows)


def unpack(
    bits: Tensor,  # uint8 [T, ceil(N / 8)]
    shape: tuple[int, ...],
    dtype: torch.dtype,
    channels_last: bool = False,
) -> Tensor:
    """Return the spikes that `bits` stand for, of this shape [T, B, ...], type and memory order."""
    inside = shape[1:]
    if channels_last:
        batch, channels, *image = inside
        inside = (batch, *image, channels)
    spikes = UNPACK_BITS.run("bits.unpack", "auto", bits, inside, dtype)
    return spikes.permute(0, 1, 4, 2, 3) if channels_last else spikes


def _in_memory_order(operation: str, x: Tensor) -> Tensor:
    if x.is_contiguous():
        return x
    if is_channels_last(x):
        return x.permute(0, 1, 3, 4, 2)
    raise ValueError(
        f"{operation}: spikes: expected contiguous or channels-last memory, got strides "
        f"{tuple(x.stride())} for shape {tuple(x.shape)}"
    )
