"""The hash that chooses the spikes that a capacity keeps.

It is the same on every engine, bit for bit, and works on Python integers and int64 tensors alike.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple, TypeVar, Union

from torch import Tensor

_MASK = 0xFFFFFFFF

Number = TypeVar("Number", int, Tensor)


def mix(h: Number) -> Number:
    """Mix the 32 bits of `h` (an int, or an int64 tensor of any shape holding uint32 values)."""
    # int64 products wrap modulo 2^64, which leaves the low 32 bits right.
    h = h ^ (h >> 16)
    h = (h * 0x7FEB352D) & _MASK
    h = h ^ (h >> 15)
    h = (h * 0x846CA68B) & _MASK
    return h ^ (h >> 16)


def hash32(seed: int, layer: int, step: int | Tensor, sample: int | Tensor) -> int | Tensor:
    """Hash (seed, layer, step, sample) to a uint32.

    Parameters
    ----------
    seed, layer
        uint32; `layer` is the index of the layer in its network.
    step, sample
        An int, or int64 tensors that broadcast against each other.

    Returns
    -------
    int or int64 Tensor in [0, 2^32).
    """
    of_step = mix(mix(mix(seed & _MASK) ^ (layer & _MASK)) ^ step)  # type: ignore[type-var]
    return mix(of_step ^ sample)  # type: ignore[type-var]


def call_seed(seed: int, calls: int) -> int:
    """Return the seed of one forward pass of a network that has made `calls` training passes."""
    return mix((seed & _MASK) ^ mix(calls & _MASK))


class CallSeed(NamedTuple):
    """The seed of one forward pass, of the `calls` where they are kept: an int64 [] of any device.

    Kernels that hash it themselves need no copy of it on the host. `capacities` are those of the
    pass, of the layers whose capacity changes between passes, and `thresholds` count how often
    those that homeostasis moves have changed in place.
    """

    seed: int
    calls: Tensor
    capacities: Tuple[int, ...] = ()
    thresholds: Tuple[int, ...] = ()


Seed = Union[int, CallSeed]


def seed_value(seed: Seed) -> int:
    """Return a seed as a number, which waits for the device that has the calls."""
    return call_seed(seed.seed, int(seed.calls)) if isinstance(seed, CallSeed) else seed
