"""Recurrent AdaptiveLIF: spikes come back to the layer, and raise their neurons' thresholds."""

from __future__ import annotations

import torch
from torch import Tensor

from .._internal import checks
from .._internal.checks import PerNeuron
from ..surrogate import Surrogate
from ._adaptive_lif import AdaptiveLIFOutput, AdaptiveLIFState
from ._delays import DelaySteps
from ._recurrent_scan import recurrent_scan
from .neuron import ADAPTIVE_LIFS


def recurrent_adaptive_lif(
    current: Tensor,
    recurrent_weight: Tensor,
    state: AdaptiveLIFState | None = None,
    *,
    beta: PerNeuron = 0.9,
    threshold: PerNeuron = 1.0,
    rho: PerNeuron = 0.97,
    kappa: PerNeuron = 0.2,
    reset: str = "subtract",
    detach_reset: bool = True,
    delay: DelaySteps | None = None,
    before: Tensor | None = None,
    surrogate: Surrogate | None = None,
    grad_threshold: float | None = None,
    weight_dtype: torch.dtype | None = None,
    membrane: bool = True,
    return_state: bool = True,
    backend: str = "auto",
) -> AdaptiveLIFOutput:
    """Run neurons with an adaptive threshold over their current and their own spikes.

        a[t] = rho a[t-1] + s[t-1]
        v[t] = beta r(v[t-1], s[t-1]) + current[t] + V s[t-1]
        s[t] = v[t] >= threshold + kappa a[t]

    The recurrent network of adaptive neurons of Bellec et al., 2018 (LSNN).

    Parameters
    ----------
    current : float Tensor [T, B, N]
    recurrent_weight : float Tensor [N, N]
        V, to neuron i from neuron j at [i, j].
    state : AdaptiveLIFState of [B, N], optional
        Default: at rest, not adapted, no spikes. Its spikes are 0 or 1.
    beta, threshold, rho, kappa : float or Tensor
        As in `adaptive_lif`; tensors must broadcast to [N].
    reset, detach_reset
        As in `adaptive_lif`.
    delay, before, surrogate, grad_threshold, weight_dtype, backend
        As in `recurrent_scan`.
    membrane, return_state : bool
        Whether the output has a membrane and a state; without them the fields are None.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As `recurrent_scan` does.
    """
    checks.reset("functional.recurrent_adaptive_lif", reset)
    out = recurrent_scan(
        "functional.recurrent_adaptive_lif",
        ADAPTIVE_LIFS[reset, bool(detach_reset)],
        current,
        recurrent_weight,
        state,
        {"beta": beta, "threshold": threshold, "rho": rho, "kappa": kappa},
        delay=delay,
        before=before,
        surrogate=surrogate,
        grad_threshold=grad_threshold,
        weight_dtype=weight_dtype,
        membrane=membrane,
        return_state=return_state,
        backend=backend,
    )
    return AdaptiveLIFOutput(
        out.spikes,  # type: ignore[arg-type]
        out.membrane,  # type: ignore[arg-type]
        AdaptiveLIFState(*out.state) if out.state else None,  # type: ignore[arg-type]
    )
