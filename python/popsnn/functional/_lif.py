"""LIF: leaky integrate-and-fire."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..surrogate import Surrogate
from . import neuron
from ._scan import scan


class LIFState(NamedTuple):
    """State after a step: membrane `v` and spikes `s`, both [B, ...]."""

    v: Tensor
    s: Tensor


class LIFOutput(NamedTuple):
    """`spikes` and `membrane` [T, B, ...], and the `state` to go on from."""

    spikes: Tensor
    membrane: Tensor
    state: LIFState


def lif(
    current: Tensor,
    state: LIFState | None = None,
    *,
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
) -> LIFOutput:
    """Run leaky integrate-and-fire neurons over their input current.

        v[t] = beta r(v[t-1], s[t-1]) + current[t],  s[t] = v[t] >= threshold

    Parameters
    ----------
    current : float Tensor [T, B, ...]
    state : LIFState, optional
        Default: at rest, no spikes.
    beta, threshold : float or Tensor
        The decay factor and the threshold; tensors must broadcast to [B, ...].
    reset : {"zero", "subtract", "none", "subtract_after", "zero_after"}
        Takes effect one step after the spike. "zero" and "subtract" act before the decay:
        "subtract" leaves beta (v - threshold). The others act after decay and input:
        "subtract_after" leaves beta v + current - threshold, and "zero_after" 0.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    surrogate, grad_threshold, smooth, spikes, backend
        As in `scan`.
    membrane, return_state : bool
        Whether the output has a membrane and a state; without them the fields are None.

    Raises
    ------
    TypeError, ValueError
        Where the current is no float tensor [T, B, ...] or an option is out of range.
    RuntimeError
        Where the backend is named and cannot run this.
    """
    checks.reset("functional.lif", reset)
    out = scan(
        "functional.lif",
        neuron.LIFS[reset, bool(detach_reset)],
        current,
        state,
        {"beta": beta, "threshold": threshold},
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        smooth=smooth,
        membrane=membrane,
        return_state=return_state,
        spikes=spikes,
        backend=backend,
    )
    return LIFOutput(out.spikes, out.membrane, LIFState(*out.state) if out.state else None)  # type: ignore[arg-type]
