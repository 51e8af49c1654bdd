"""Base of the elementwise leaky integrate-and-fire neurons."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, cast

from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..functional import BACKENDS, Neuron
from ..neurons import States
from ..surrogate import Surrogate, resolve
from . import _options
from ._options import Check, Options
from ._parts import one_step


class LIFBase(Options):
    """Base of the elementwise LIF neurons: threshold, reset, surrogate and engine."""

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "threshold": _options.threshold,
        "reset": lambda _, name, value: checks.reset(name, value),
        "detach_reset": lambda _, name, value: checks.flag(name, "detach_reset", value),
        "surrogate": lambda _, __, value: resolve(value),
        "grad_threshold": _options.grad_threshold,
        "backend": lambda _, name, value: checks.choice(name, "backend", value, BACKENDS),
    }

    SHOWN: ClassVar[tuple[str, ...]] = ("beta",)  # the neuron's parameters but the threshold
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
        level = self._checked("threshold", threshold)
        self.grad_threshold = checks.grad_threshold(self.name, grad_threshold, level)
        self._register("threshold", level, learn_threshold)
        self.reset = reset
        self.detach_reset = detach_reset
        self.surrogate = resolve(surrogate)
        self.backend = backend

    @property
    def neuron(self) -> Neuron:
        """The neuron, with the options as they are now."""
        raise NotImplementedError

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of `functional.scan` that all of them have."""
        return {
            "surrogate": self.surrogate,
            "grad_threshold": self.grad_threshold,
            "backend": self.backend,
        }

    def step(self, x: Tensor, state: States | None = None) -> tuple[Tensor, States]:
        """Return the spikes [B, ...] of one step `x` [B, ...], and the state after it.

        Steps one by one, each from the state of the one before, have the bits of `forward`.

        Parameters
        ----------
        x : float Tensor [B, N, ...]
        state : tuple of Tensor [B, N, ...], optional
            What the step before returned; default: at rest.

        Raises
        ------
        TypeError, ValueError
            Where `x` or `state` does not fit.
        """
        out, after = self(one_step(self.name, x), state, True)
        return out[0], cast(States, after)

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        names = (*self.SHOWN, "threshold")
        return (
            f"{_options.shown(self, *names)}, reset={self.reset!r}, surrogate={self.surrogate}, "
            f"grad_threshold={self.grad_threshold}"
        )
