"""LIF: a neuron alone."""

from __future__ import annotations

from torch import Tensor, nn

from .. import _check, functional
from .._check import PerNeuron
from ..functional import LIFState
from ..surrogate import Surrogate, resolve
from ._parts import hold


class LIF(nn.Module):
    """Leaky integrate-and-fire neurons over x [T, B, ...], for any network in torch.

    Parameters
    ----------
    beta : float or float Tensor
        Leak in [0, 1]; a tensor must broadcast to [B, ...].
    threshold : float or float Tensor
    reset : {"zero", "subtract", "none"}
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate : Surrogate or str, optional
        Default `SuperSpike()`.
    grad_threshold : float, optional
        No gradient passes a neuron whose membrane lies below.
    learn_beta, learn_threshold : bool
        Whether to make a parameter of it.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    beta: PerNeuron
    threshold: PerNeuron

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
    ) -> None:
        super().__init__()
        hold(self, "beta", _check.beta("LIF", beta, None), learn_beta)
        hold(
            self,
            "threshold",
            _check.per_neuron("LIF", "threshold", threshold, None),
            learn_threshold,
        )
        self.reset = _check.reset("LIF", reset)
        self.detach_reset = _check.flag("LIF", "detach_reset", detach_reset)
        self.surrogate = resolve(surrogate)
        self.grad_threshold = _check.grad_threshold("LIF", grad_threshold, threshold)

    def forward(
        self, x: Tensor, state: LIFState | None = None, return_state: bool = False
    ) -> Tensor | tuple[Tensor, LIFState]:
        """Return the spikes [T, B, ...] of the current `x` [T, B, ...], and the state if asked."""
        beta = self.beta.clamp(0, 1) if isinstance(self.beta, nn.Parameter) else self.beta
        out = functional.lif(
            x,
            state,
            beta=_as_type(beta, x),
            threshold=_as_type(self.threshold, x),
            reset=self.reset,
            detach_reset=self.detach_reset,
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
        )
        return (out.spikes, out.state) if return_state else out.spikes

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return (
            f"reset={self.reset!r}, surrogate={self.surrogate}, "
            f"grad_threshold={self.grad_threshold}"
        )


def _as_type(value: PerNeuron, x: Tensor) -> PerNeuron:
    return value.to(x.dtype) if isinstance(value, Tensor) else value
