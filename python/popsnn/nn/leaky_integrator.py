"""LeakyIntegrator: a leaky integrator alone."""

from __future__ import annotations

from torch import Tensor, nn

from .. import _check, functional
from .._check import PerNeuron
from ._parts import hold
from ._spiking import in_unit_interval


class LeakyIntegrator(nn.Module):
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

    beta: PerNeuron

    def __init__(
        self, beta: PerNeuron = 0.9, *, learn_beta: bool = False, backend: str = "auto"
    ) -> None:
        super().__init__()
        hold(self, "beta", _check.beta("LeakyIntegrator", beta, None), learn_beta)
        self.backend = _check.choice("LeakyIntegrator", "backend", backend, functional.BACKENDS)

    def forward(
        self, x: Tensor, state: Tensor | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the membrane [T, B, ...] of the current `x` [T, B, ...], and the state."""
        out = functional.li(x, state, beta=in_unit_interval(self.beta), backend=self.backend)
        return (out.membrane, out.state) if return_state else out.membrane
