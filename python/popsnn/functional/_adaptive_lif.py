"""AdaptiveLIF: leaky integrate-and-fire whose threshold rises with its own spikes."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..surrogate import Surrogate
from . import neuron
from ._scan import scan


class AdaptiveLIFState(NamedTuple):
    """State after a step: membrane `v`, adaptation `a` and spikes `s`, all [B, ...]."""

    v: Tensor
    a: Tensor
    s: Tensor


class AdaptiveLIFOutput(NamedTuple):
    """`spikes` and `membrane` [T, B, ...], and the `state` to go on from."""

    spikes: Tensor
    membrane: Tensor
    state: AdaptiveLIFState


def adaptive_lif(
    current: Tensor,
    state: AdaptiveLIFState | None = None,
    *,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    rho: PerNeuron = 0.97,
    kappa: PerNeuron = 0.2,
    reset: str = "subtract",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    smooth: bool = False,
    membrane: bool = True,
    return_state: bool = True,
    spikes: str = "float",
    backend: str = "auto",
) -> AdaptiveLIFOutput:
    """Run leaky integrate-and-fire neurons with an adaptive threshold (Bellec et al., 2018).

        a[t] = rho a[t-1] + s[t-1]
        v[t] = beta r(v[t-1], s[t-1]) + current[t],  s[t] = v[t] >= threshold + kappa a[t]

    Parameters
    ----------
    current : float Tensor [T, B, ...]
    state : AdaptiveLIFState, optional
        Default: at rest, not adapted, no spikes.
    rho, kappa : float or Tensor
        What is left of the adaptation after a step, and how far it raises the threshold; tensors
        must broadcast to [B, ...].
    beta, threshold, reset, membrane, return_state
        As in `lif`; the reset subtracts the threshold without the adaptation.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset; the gradient through
        the adaptation is never cut.
    surrogate, grad_threshold, smooth, spikes, backend
        As in `scan`.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, ...] or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    checks.reset("functional.adaptive_lif", reset)
    out = scan(
        "functional.adaptive_lif",
        neuron.ADAPTIVE_LIFS[reset, bool(detach_reset)],
        current,
        state,
        {"beta": beta, "threshold": threshold, "rho": rho, "kappa": kappa},
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        smooth=smooth,
        membrane=membrane,
        return_state=return_state,
        spikes=spikes,
        backend=backend,
    )
    return AdaptiveLIFOutput(
        out.spikes,  # type: ignore[arg-type]
        out.membrane,  # type: ignore[arg-type]
        AdaptiveLIFState(*out.state) if out.state else None,  # type: ignore[arg-type]
    )
