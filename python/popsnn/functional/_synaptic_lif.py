"""SynapticLIF: leaky integrate-and-fire driven by a synaptic current that decays too."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..surrogate import Surrogate
from . import neuron
from ._scan import scan


class SynapticLIFState(NamedTuple):
    """State after a step: membrane `v`, synaptic current `i` and spikes `s`, all [B, ...]."""

    v: Tensor
    i: Tensor
    s: Tensor


class SynapticLIFOutput(NamedTuple):
    """`spikes` and `membrane` [T, B, ...], and the `state` to go on from."""

    spikes: Tensor
    membrane: Tensor
    state: SynapticLIFState


def synaptic_lif(
    current: Tensor,
    state: SynapticLIFState | None = None,
    *,
    alpha: PerNeuron = 0.8,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    reset: str = "zero",
    detach_reset: bool = True,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    smooth: bool = False,
    membrane: bool = True,
    return_state: bool = True,
    spikes: str = "float",
    backend: str = "auto",
) -> SynapticLIFOutput:
    """Run current-based leaky integrate-and-fire neurons.

        i[t] = alpha i[t-1] + current[t]
        v[t] = beta r(v[t-1], s[t-1]) + i[t],  s[t] = v[t] >= threshold

    Parameters
    ----------
    current : float Tensor [T, B, ...]
    state : SynapticLIFState, optional
        Default: at rest, no spikes.
    alpha : float or Tensor
        What is left of the synaptic current after a step; a tensor must broadcast to [B, ...].
    beta, threshold, reset, detach_reset, membrane, return_state
        As in `lif`.
    surrogate, grad_threshold, smooth, spikes, backend
        As in `scan`.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, ...] or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    checks.reset("functional.synaptic_lif", reset)
    out = scan(
        "functional.synaptic_lif",
        neuron.SYNAPTIC_LIFS[reset, bool(detach_reset)],
        current,
        state,
        {"alpha": alpha, "beta": beta, "threshold": threshold},
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        smooth=smooth,
        membrane=membrane,
        return_state=return_state,
        spikes=spikes,
        backend=backend,
    )
    return SynapticLIFOutput(
        out.spikes,  # type: ignore[arg-type]
        out.membrane,  # type: ignore[arg-type]
        SynapticLIFState(*out.state) if out.state else None,  # type: ignore[arg-type]
    )
