"""Temporal fusion: the whole time axis of an elementwise neuron in one kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .._check import PerNeuron
from ..surrogate import Surrogate
from .availability import unavailable

if TYPE_CHECKING:
    from ..functional.neuron import Neuron, States

TYPES = {torch.float32: "float", torch.bfloat16: "popsnn::Bf16", torch.float16: "popsnn::Half"}


def unsupported(neuron: Neuron, current: Tensor, surrogate: Surrogate) -> str | None:
    """Return why the kernels cannot run this, or None where they can."""
    if not current.is_cuda:
        return f"the current is on {current.device}"
    if current.dtype not in TYPES:
        return f"the current is {current.dtype}: expected float32, bfloat16 or float16"
    return unavailable()


def scan(
    neuron: Neuron,
    current: Tensor,  # [T, B, ...]
    state: States | None,  # of [B, ...]
    parameters: tuple[PerNeuron, ...],
    *,
    surrogate: Surrogate,
    grad_threshold: float | None,
    membrane: bool,
    spikes: str,
) -> tuple[Tensor | None, Tensor | None, States]:
    """Run what `functional.scan` says on the kernels."""
    raise RuntimeError("functional.scan: the kernels are not built yet")
