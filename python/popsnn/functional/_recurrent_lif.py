"""Recurrent LIF: a layer whose spikes come back to it one step later."""

from __future__ import annotations

import torch
from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..surrogate import Surrogate
from ._delays import DelaySteps
from ._lif import LIFOutput, LIFState
from ._recurrent_scan import recurrent_scan
from .neuron import LIFS


def recurrent_lif(
    current: Tensor,
    recurrent_weight: Tensor,
    state: LIFState | None = None,
    *,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    reset: str = "zero",
    detach_reset: bool = True,
    delay: DelaySteps | None = None,
    before: Tensor | None = None,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    weight_dtype: torch.dtype | None = None,
    membrane: bool = True,
    return_state: bool = True,
    backend: str = "auto",
) -> LIFOutput:
    """Run leaky integrate-and-fire neurons over their input current and their own spikes.

        v[t] = beta r(v[t-1], s[t-1]) + current[t] + V s[t-1],  s[t] = v[t] >= threshold

    Parameters
    ----------
    current : float Tensor [T, B, N]
    recurrent_weight : float Tensor [N, N]
        V, to neuron i from neuron j at [i, j].
    state : LIFState of [B, N], optional
        Default: at rest, no spikes. Its spikes are 0 or 1.
    beta, threshold : float or Tensor
        The decay factor and the threshold; tensors must broadcast to [N].
    reset : {"zero", "subtract", "none", "subtract_after", "zero_after"}
        As in `lif`; "zero_after" drops the recurrent input of that step too.
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.
    delay, before, surrogate, grad_threshold, weight_dtype, backend
        As in `recurrent_scan`.
    membrane, return_state : bool
        Whether the output has a membrane and a state; without them the fields are None.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As `recurrent_scan` does.
    """
    checks.reset("functional.recurrent_lif", reset)
    out = recurrent_scan(
        "functional.recurrent_lif",
        LIFS[reset, bool(detach_reset)],
        current,
        recurrent_weight,
        state,
        {"beta": beta, "threshold": threshold},
        delay=delay,
        before=before,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        weight_dtype=weight_dtype,
        membrane=membrane,
        return_state=return_state,
        backend=backend,
    )
    return LIFOutput(out.spikes, out.membrane, LIFState(*out.state) if out.state else None)  # type: ignore[arg-type]
