"""LIF, IF and PLIF: leaky integrate-and-fire neurons alone."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Mapping, cast

from torch import Tensor, nn

from .. import functional
from .._internal.checks import PerNeuron
from .._internal.dispatch import POPTORCH
from .._internal.poptorch import refuse, running
from ..functional import LIFState, Neuron
from ..functional import neuron as neurons
from ..surrogate import Surrogate
from . import _options
from ._options import Check, in_unit_interval, register
from ._spiking import LIFBase


class LIF(LIFBase):
    """Leaky integrate-and-fire neurons over x [T, B, ...], for any network in torch.

    x has three dimensions at least. One step x[t] of a sequence is
    `spikes, state = lif.step(x[t], state)`, from `state=None` on.

    Parameters
    ----------
    beta : float or float Tensor
        Decay factor in [0, 1]; a tensor must broadcast to [B, ...].
    threshold : float or float Tensor
    reset : {"zero", "subtract", "none", "subtract_after", "zero_after"}
        Takes effect one step after the spike. "zero" and "subtract" act before the decay:
        "subtract" leaves beta (v - threshold). The others act after decay and input:
        "subtract_after" leaves beta v + current - threshold, and "zero_after" 0.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate or str, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a neuron whose membrane lies below.
    learn_beta, learn_threshold : bool
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
    }

    beta: PerNeuron

    def __init__(
        self,
        beta: PerNeuron = 0.9,
        threshold: PerNeuron = 1.0,
        *,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        learn_beta: bool = False,
        learn_threshold: bool = False,
        backend: str = "auto",
    ) -> None:
        super().__init__(
            threshold, reset, detach_reset, surrogate, grad_threshold, learn_threshold, backend
        )
        self._register("beta", beta, learn_beta)

    @property
    def neuron(self) -> Neuron:
        """The neuron, with the options as they are now."""
        return neurons.LIFS[self.reset, self.detach_reset]

    def leak(self) -> PerNeuron:
        """Return the decay factor that a step uses."""
        return in_unit_interval(self.beta)

    def forward(
        self, x: Tensor, state: LIFState | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, LIFState]:
        """Return the spikes [T, B, ...] of the current `x` [T, B, ...], and the state if asked."""
        poptorch = running()
        if poptorch is not None:
            refuse(self.name, state=state, return_state=return_state)
            return cast(Tensor, POPTORCH["lif"](poptorch, self, x))
        out = functional.scan(
            self.name,
            self.neuron,
            x,
            state,
            {"beta": self.leak(), "threshold": self.threshold},
            membrane=False,
            return_state=return_state,
            **self.options(),
        )
        spikes = cast(Tensor, out.spikes)
        return (spikes, LIFState(*out.state)) if return_state else spikes


class IF(LIF):
    """Integrate-and-fire neurons over x [T, B, ...]: a LIF without decay.

    Parameters
    ----------
    threshold, reset, detach_reset, surrogate, grad_threshold, learn_threshold, backend
        As in `LIF`.
    """

    def __init__(
        self,
        threshold: PerNeuron = 1.0,
        *,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        learn_threshold: bool = False,
        backend: str = "auto",
    ) -> None:
        super().__init__(
            1.0,
            threshold,
            reset=reset,
            detach_reset=detach_reset,
            surrogate=surrogate,
            grad_threshold=grad_threshold,
            learn_threshold=learn_threshold,
            backend=backend,
        )


class PLIF(LIF):
    """Leaky integrate-and-fire neurons with a learnt decay, sigmoid(w) (Fang et al., 2021).

    Parameters
    ----------
    beta : float or float Tensor
        The decay factor at the start, in (0, 1); a tensor must broadcast to [B, ...].
    threshold, reset, detach_reset, surrogate, grad_threshold, learn_threshold, backend
        As in `LIF`.

    Attributes
    ----------
    w : Parameter, of the shape of `beta`
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {"beta": lambda _, name, value: _no_beta(name, value)}

    SHOWN: ClassVar[tuple[str, ...]] = ("w",)
    w: nn.Parameter

    def __init__(
        self,
        beta: PerNeuron = 0.5,
        threshold: PerNeuron = 1.0,
        *,
        reset: str = "zero",
        detach_reset: bool = True,
        surrogate: Surrogate | str | None = None,
        grad_threshold: float | None = None,
        learn_threshold: bool = False,
        backend: str = "auto",
    ) -> None:
        LIFBase.__init__(  # not that of LIF, which sets a decay
            self,
            threshold,
            reset,
            detach_reset,
            surrogate,
            grad_threshold,
            learn_threshold,
            backend,
        )
        start = _options.beta(self.name, beta, None)
        logit = start.logit() if isinstance(start, Tensor) else _logit(start)
        logit = _options.per_neuron(self.name, "logit of beta", logit, None)
        register(self, "w", logit, learn=True)

    def leak(self) -> Tensor:
        """Return the decay factor that a step uses."""
        return self.w.sigmoid()


def _no_beta(operation: str, value: Any) -> None:
    raise AttributeError(
        f"{operation}: beta: expected its logit, the parameter w, to be set, got {value!r}"
    )


def _logit(beta: float) -> float:
    return math.log(beta / (1 - beta)) if 0 < beta < 1 else math.inf
