"""Properties of a device: compute capability, multiprocessors, shared memory.

The variable POPSNN_CUDA_LIMITS makes a GPU report less, such as that of an RTX 4090:
"capability=8.9 multiprocessors=128 shared_bytes=101376". Kernels are then chosen and sized for
that GPU, and compiled as its PTX, which the driver translates for the one that is there.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any, NamedTuple

import torch

LIMITS = "POPSNN_CUDA_LIMITS"
_EXPECTED = (
    "expected some of capability=M.N, multiprocessors=COUNT and shared_bytes=BYTES with a space "
    "between, none beyond what the GPU has"
)


class Properties(NamedTuple):
    """Properties that decide which kernels run, and their sizes."""

    capability: tuple[int, int]
    multiprocessors: int
    shared_bytes: int  # that a block may have


COPY_ENGINE = ((9, 0), (10, 0), (10, 3))  # compute capabilities
CPU = Properties((9, 0), 1, 227 * 1024)  # of the tests: an H200's, but for its multiprocessors


@lru_cache(maxsize=None)
def properties(device: torch.device) -> Properties:
    """Return the properties of a device, within the limits of the environment.

    Raises
    ------
    ValueError
        Where the limits cannot be read, or are beyond what the GPU has.
    """
    if device.type != "cuda":
        return CPU
    return limited(actual(device), os.environ.get(LIMITS, ""))


def actual(device: torch.device) -> Properties:
    """Return the properties of a GPU, whatever the environment says."""
    found = torch.cuda.get_device_properties(device)
    return Properties(
        torch.cuda.get_device_capability(device),
        int(found.multi_processor_count),
        int(found.shared_memory_per_block_optin),  # type: ignore[attr-defined]
    )


def limited(found: Properties, limits: str) -> Properties:
    """Return the properties of a GPU with limits as POPSNN_CUDA_LIMITS has them."""
    result = found
    for limit in limits.split():
        name, _, text = limit.partition("=")
        value = _value(name, text)
        if value is None or value > getattr(found, name):
            raise ValueError(f"{LIMITS}: {_EXPECTED}, got {limit!r}; this GPU has {found}")
        result = result._replace(**{name: value})
    return result


def _value(name: str, text: str) -> Any:
    """Return a limit's value, or None where it is none."""
    pattern = r"([1-9]\d*)\.(\d+)" if name == "capability" else r"([1-9]\d*)"
    match = re.fullmatch(pattern, text)
    if name not in Properties._fields or match is None:
        return None
    numbers = tuple(map(int, match.groups()))
    return numbers if name == "capability" else numbers[0]


def multiprocessors(device: torch.device) -> int:
    """Return how many multiprocessors a device has; the CPU of the tests counts as one."""
    return properties(device).multiprocessors


def capability(device: torch.device) -> tuple[int, int]:
    """Return a device's compute capability; the CPU of the tests has an H200's."""
    return properties(device).capability


def shared_bytes(device: torch.device) -> int:
    """Return the shared memory that a block may have; the CPU of the tests has an H200's."""
    return properties(device).shared_bytes


def has_copy_engine(device: torch.device) -> bool:
    """Return whether a GPU has the engine that copies tiles, and what else its kernels use.

    These are clusters, barriers that count bytes, warps that hand each other registers, and 227 KB
    of shared memory a block: Hopper and the Blackwell of data centers, on which no kernel of ours
    has run yet.
    """
    return capability(device) in COPY_ENGINE
