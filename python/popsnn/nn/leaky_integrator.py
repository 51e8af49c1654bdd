"""LeakyIntegrator: a leaky integrator alone."""

from __future__ import annotations

from typing import ClassVar, Mapping, cast

from torch import Tensor

from .. import functional
from .._internal import checks
from .._internal.checks import PerNeuron
from ..functional.neuron import LEAKY_INTEGRATOR
from . import _options
from ._options import Check, Options, in_unit_interval
from ._parts import one_step


class LeakyIntegrator(Options):
    """Leaky integrators over x [T, B, ...], whose output is the membrane; `SparseLI` adds weights.

    Parameters
    ----------
    beta : float or float Tensor
        Decay factor in [0, 1]; a tensor must broadcast to [B, ...].
    learn_beta : bool
        Whether to make a parameter of it.
    backend : {"auto", "torch", "cuda"}
        As in `functional.scan`.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "beta": lambda _, name, value: _options.beta(name, value, None),
        "backend": lambda _, name, value: checks.choice(
            name, "backend", value, functional.BACKENDS
        ),
    }

    beta: PerNeuron

    def __init__(
        self, beta: PerNeuron = 0.9, *, learn_beta: bool = False, backend: str = "auto"
    ) -> None:
        super().__init__()
        self._register("beta", beta, learn_beta)
        self.backend = backend

    def forward(
        self, x: Tensor, state: Tensor | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the membrane [T, B, ...] of the current `x` [T, B, ...], and the state."""
        before = None if state is None else (state,)
        beta = in_unit_interval(self.beta)
        out = functional.scan(
            type(self).__name__, LEAKY_INTEGRATOR, x, before, {"beta": beta}, backend=self.backend
        )
        membrane = cast(Tensor, out.membrane)
        return (membrane, out.state[0]) if return_state else membrane

    def step(self, x: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the membrane [B, ...] of one step `x` [B, ...], and the state for the next step.

        Parameters
        ----------
        x : float Tensor [B, N, ...]
        state : Tensor [B, N, ...], optional
            What the step before returned; default: at rest.
        """
        out, after = self(one_step(type(self).__name__, x), state, True)
        return out[0], after

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return _options.shown(self, "beta")
