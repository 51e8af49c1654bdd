"""AdaptiveLIF: leaky integrate-and-fire neurons with an adaptive threshold."""

from __future__ import annotations

from typing import ClassVar, Mapping, cast

from torch import Tensor

from .. import functional
from .._internal.checks import PerNeuron
from ..functional import AdaptiveLIFState, Neuron
from ..functional import neuron as neurons
from ..surrogate import Surrogate
from . import _options
from ._options import Check, in_unit_interval
from ._spiking import LIFBase


class AdaptiveLIF(LIFBase):
    """Leaky integrate-and-fire neurons over x [T, B, ...] whose spikes raise their threshold.

    Parameters
    ----------
    beta, rho : float or float Tensor
        Decay factors of the membrane and of the adaptation in [0, 1]; tensors must broadcast to
        [B, ...].
    threshold : float or float Tensor
    kappa : float or float Tensor
        How far the adaptation raises the threshold.
    reset, detach_reset, surrogate, grad_threshold, backend
        As in `LIF`; the reset subtracts the threshold without the adaptation.
    learn_beta, learn_threshold, learn_rho, learn_kappa : bool
        Whether to make a parameter of it.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "beta": lambda _, name, value: _options.beta(name, value, None, "beta"),
        "rho": lambda _, name, value: _options.beta(name, value, None, "rho"),
        "kappa": lambda _, name, value: _options.per_neuron(name, "kappa", value, None),
    }

    SHOWN: ClassVar[tuple[str, ...]] = ("beta", "rho", "kappa")
    beta: PerNeuron
    rho: PerNeuron
    kappa: PerNeuron

    def __init__(
        self,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        *,
        rho: PerNeuron = 0.97,
        kappa: PerNeuron = 0.2,
        reset: str = "subtract",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        learn_beta: bool = False,
        learn_threshold: bool = False,
        learn_rho: bool = False,
        learn_kappa: bool = False,
        backend: str = "auto",
    ) -> None:
        super().__init__(
            threshold, reset, detach_reset, surrogate, grad_threshold, learn_threshold, backend
        )
        self._register("beta", beta, learn_beta)
        self._register("rho", rho, learn_rho)
        self._register("kappa", kappa, learn_kappa)

    @property
    def neuron(self) -> Neuron:
        """The neuron, with the options as they are now."""
        return neurons.ADAPTIVE_LIFS[self.reset, self.detach_reset]

    def forward(
        self, x: Tensor, state: AdaptiveLIFState | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, AdaptiveLIFState]:
        """Return the spikes [T, B, ...] of the current `x` [T, B, ...], and the state if asked."""
        out = functional.scan(
            self.name,
            self.neuron,
            x,
            state,
            {
                "beta": in_unit_interval(self.beta),
                "threshold": self.threshold,
                "rho": in_unit_interval(self.rho),
                "kappa": self.kappa,
            },
            membrane=False,
            return_state=return_state,
            **self.options(),
        )
        spikes = cast(Tensor, out.spikes)
        return (spikes, AdaptiveLIFState(*out.state)) if return_state else spikes
