"""SynapticLIF: leaky integrate-and-fire neurons driven by a synaptic current."""

from __future__ import annotations

from typing import ClassVar, Mapping, cast

from torch import Tensor

from .. import functional
from .._internal.checks import PerNeuron
from ..functional import Neuron, SynapticLIFState
from ..functional import neuron as neurons
from ..surrogate import Surrogate
from . import _options
from ._options import Check, in_unit_interval
from ._spiking import LIFBase


class SynapticLIF(LIFBase):
    """Current-based leaky integrate-and-fire neurons over x [T, B, ...].

    Parameters
    ----------
    alpha, beta : float or float Tensor
        Decay factors of the synaptic current and of the membrane in [0, 1]; tensors must broadcast
        to [B, ...].
    threshold, reset, detach_reset, surrogate, grad_threshold, backend
        As in `LIF`.
    learn_alpha, learn_beta, learn_threshold : bool
        Whether to make a parameter of it.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "alpha": lambda _, name, value: _options.beta(name, value, None, "alpha"),
        "beta": lambda _, name, value: _options.beta(name, value, None, "beta"),
    }

    SHOWN: ClassVar[tuple[str, ...]] = ("alpha", "beta")
    alpha: PerNeuron
    beta: PerNeuron

    def __init__(
        self,
        alpha: PerNeuron = 0.8,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        *,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        learn_alpha: bool = False,
        learn_beta: bool = False,
        learn_threshold: bool = False,
        backend: str = "auto",
    ) -> None:
        super().__init__(
            threshold, reset, detach_reset, surrogate, grad_threshold, learn_threshold, backend
        )
        self._register("alpha", alpha, learn_alpha)
        self._register("beta", beta, learn_beta)

    @property
    def neuron(self) -> Neuron:
        """The neuron, with the options as they are now."""
        return neurons.SYNAPTIC_LIFS[self.reset, self.detach_reset]

    def forward(
        self, x: Tensor, state: SynapticLIFState | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, SynapticLIFState]:
        """Return the spikes [T, B, ...] of the current `x` [T, B, ...], and the state if asked."""
        out = functional.scan(
            self.name,
            self.neuron,
            x,
            state,
            {
                "beta": in_unit_interval(self.beta),
                "threshold": self.threshold,
                "alpha": in_unit_interval(self.alpha),
            },
            membrane=False,
            return_state=return_state,
            **self.options(),
        )
        spikes = cast(Tensor, out.spikes)
        return (spikes, SynapticLIFState(*out.state)) if return_state else spikes
