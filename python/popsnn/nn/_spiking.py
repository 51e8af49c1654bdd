"""Base of the elementwise spiking neurons."""

from __future__ import annotations

from typing import Any

from torch import nn

from .. import _check
from .._check import PerNeuron
from ..functional import BACKENDS
from ..surrogate import Surrogate, resolve
from ._parts import hold


class Spiking(nn.Module):
    """Base of the elementwise spiking neurons: threshold, reset, surrogate and engine."""

    threshold: PerNeuron

    def __init__(
        self,
        threshold: PerNeuron,
        reset: str,
        detach_reset: bool,
        surrogate: Surrogate | str | None,
        grad_threshold: float | None,
        learn_threshold: bool,
        backend: str,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        value = _check.per_neuron(self.name, "threshold", threshold, None)
        hold(self, "threshold", value, learn_threshold)
        self.reset = _check.reset(self.name, reset)
        self.detach_reset = _check.flag(self.name, "detach_reset", detach_reset)
        self.surrogate = resolve(surrogate)
        self.grad_threshold = _check.grad_threshold(self.name, grad_threshold, threshold)
        self.backend = _check.choice(self.name, "backend", backend, BACKENDS)

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments that every neuron of `functional` takes."""
        return {
            "threshold": self.threshold,
            "reset": self.reset,
            "detach_reset": self.detach_reset,
            "surrogate": self.surrogate,
            "grad_threshold": self.grad_threshold,
            "backend": self.backend,
        }

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return (
            f"reset={self.reset!r}, surrogate={self.surrogate}, "
            f"grad_threshold={self.grad_threshold}"
        )


def in_unit_interval(value: PerNeuron) -> PerNeuron:
    """Return a learnt decay factor clamped to [0, 1], and any other as it is."""
    return value.clamp(0, 1) if isinstance(value, nn.Parameter) else value
